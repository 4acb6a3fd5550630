import type { JsonSchema, SchemaSource } from '../../contracts/schema-source';
import { compileInput, type InputBinder } from '../../schema/input-schema';
import type { SchemaOptions } from '../../schema/schema-place';

/** The part of a schema that a client shows as a form, and the check on what the person filled in. */
export interface ElicitationForm {
  readonly requestedSchema: JsonSchema;
  readonly bind: InputBinder['bind'];
}

/** The keywords that a field of a form can have (specification: PrimitiveSchemaDefinition). Others are still checked, but not shown. */
const SHOWN = [
  'type',
  'title',
  'description',
  'default',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'enum',
  'enumNames',
  'oneOf',
  'items',
  'minItems',
  'maxItems',
];
const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);
const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

/** Converts schemas to forms, each schema once. */
export class ElicitationForms {
  readonly #forms = new WeakMap<object, ElicitationForm>();

  constructor(private readonly options: SchemaOptions) {}

  /** Throws a `TypeError` for a schema with a field that no form can show, before anything is sent. */
  of(source: SchemaSource): ElicitationForm {
    const known = this.#forms.get(source);
    if (known !== undefined) return known;
    const compiled = compileInput(source, { owner: 'context.ask()', role: 'input' }, this.options);
    if (compiled.problems !== undefined) throw new TypeError(compiled.problems.map(({ problem }) => problem).join('; '));
    const form = { requestedSchema: toForm(compiled.schema), bind: compiled.binder.bind.bind(compiled.binder) };
    this.#forms.set(source, form);
    return form;
  }
}

function toForm({ properties = {}, required }: JsonSchema): JsonSchema {
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => [name, toField(name, schema)] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  };
}

function toField(name: string, schema: JsonSchema): JsonSchema {
  // A field that may be null is one that may be left out: a form has no other way to say it.
  const type: unknown = Array.isArray(schema['type']) ? schema['type'].filter((each) => each !== 'null')[0] : schema['type'];
  if (!PRIMITIVES.has(type) && !isMultipleChoice(type, schema['items'])) {
    throw new TypeError(
      `A form cannot show "${name}": ask for strings, numbers, booleans and choices, and split what is nested into several fields.`,
    );
  }
  const shown = Object.entries(schema).filter(
    ([keyword, value]) => SHOWN.includes(keyword) || (keyword === 'format' && FORMATS.has(value)),
  );
  return { ...Object.fromEntries(shown), type };
}

function isMultipleChoice(type: unknown, items: unknown): boolean {
  if (type !== 'array' || typeof items !== 'object' || items === null) return false;
  return 'enum' in items || 'anyOf' in items;
}
