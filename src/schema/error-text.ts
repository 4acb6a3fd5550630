import type { ErrorObject } from 'ajv';
import type { SchemaNotes } from './explained-schema';
import { isPlainObject } from './json';
import { boundProblems, listText, problemText, type Path } from './problem-text';

/** How a checker speaks. */
export interface CheckerOptions {
  /** What stands for the empty path in a text: `arguments` or `result`. */
  readonly root: string;
  readonly notes: SchemaNotes;
}

type Params = Readonly<Record<string, unknown>>;

/** AJV's errors as at most ten texts for a model: where, and what is expected. Never what was sent. */
export function errorTexts(errors: readonly ErrorObject[], root: unknown, options: CheckerOptions): readonly string[] {
  const texts = boundProblems(textsOf(errors, root, options));
  return texts.length > 0 ? texts : [`${options.root} must match the schema`];
}

function* textsOf(errors: readonly ErrorObject[], root: unknown, options: CheckerOptions): Generator<string> {
  for (const error of withoutEchoes(errors)) {
    const place = locate(error.instancePath, root);
    const message = options.notes.messages.get(error.parentSchema as object)?.get(error.keyword);
    const said = message?.({ value: error.data, owner: place.owner, path: place.path });
    if (said !== undefined) yield said;
    else yield standardText(error, place.path, options);
  }
}

/**
 * Leaves out what repeats another error: of an `if` its branch says it all, of `contains` and `propertyNames` the keyword itself, and a
 * value that is not listed need not hear of its type.
 */
function withoutEchoes(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const said = new Map<unknown, Set<string>>();
  const keyOf = (error: ErrorObject): string => `${error.instancePath} ${error.keyword}`;
  for (const error of errors) said.set(error.parentSchema, (said.get(error.parentSchema) ?? new Set()).add(keyOf(error)));
  const hears = (error: ErrorObject, keywords: readonly string[]): boolean =>
    keywords.some((keyword) => said.get(error.parentSchema)?.has(keyOf({ ...error, keyword })));
  const whole = errors.filter(({ keyword }) => keyword === 'contains' || keyword === 'propertyNames');
  const wholes = [...new Set(whole.map((each) => `${each.schemaPath}/`))];
  return errors.filter((error) => {
    if (wholes.some((each) => error.schemaPath.startsWith(each))) return false;
    if (error.keyword === 'type') return !hears(error, ['enum', 'const']);
    return error.keyword !== 'if' && !(error.keyword === 'not' && hears(error, ['type', 'enum', 'const']));
  });
}

function standardText(error: ErrorObject, path: Path, options: CheckerOptions): string {
  const { below, what } = describe(error);
  return problemText(below === undefined ? path : [...path, below], what, options.root);
}

/** Resolves a JSON pointer to a path that tells indexes from names, and to the object that holds the value. */
function locate(pointer: string, root: unknown): { path: Path; owner: unknown } {
  const path: (string | number)[] = [];
  let owner: unknown = root;
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(value) ? Number(key) : key);
    if (isPlainObject(value)) owner = value;
    value = (value as Record<string, unknown>)[key];
  }
  return { path, owner };
}

function describe({ keyword, params, message, schema }: ErrorObject): { below?: string; what: string } {
  const given = params as Params;
  switch (keyword) {
    case 'required':
      return { below: given.missingProperty as string, what: 'is required' };
    case 'additionalProperties':
      return { below: given.additionalProperty as string, what: 'is not allowed' };
    case 'unevaluatedProperties':
      return { below: given.unevaluatedProperty as string, what: 'is not allowed' };
    case 'propertyNames':
      return { below: given.propertyName as string, what: 'is not allowed as a name' };
    case 'type':
      return { what: `must be ${[given.type].flat().join(' or ')}` };
    case 'enum':
      return { what: `must be one of ${listText(given.allowedValues as unknown[])}` };
    case 'const':
      return { what: `must be ${listText([given.allowedValue])}` };
    case 'contains':
      return { what: isPlainObject(schema) && 'const' in schema ? `must contain ${listText([schema.const])}` : (message ?? '') };
    case 'not':
      return { what: describeNot(schema) };
    case 'false schema':
      return { what: 'is not allowed' };
    default:
      return { what: message ?? 'is not valid' };
  }
}

function describeNot(schema: unknown): string {
  if (!isPlainObject(schema)) return 'is not allowed';
  if (Array.isArray(schema.enum)) return `must not be ${listText(schema.enum)}`;
  if ('const' in schema) return `must not be ${listText([schema.const])}`;
  if (schema.type === 'null') return 'must not be null';
  if (typeof schema.pattern === 'string') return `must not match ${listText([schema.pattern])}`;
  return 'has a value that is not allowed';
}
