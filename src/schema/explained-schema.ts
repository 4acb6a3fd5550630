import type { JsonSchema } from '../contracts/schema-source';
import { isPlainObject } from './json';
import type { Path } from './problem-text';

/** What the converter knows about a schema and a reader of JSON Schema does not: it makes better texts, and changes no verdict. */
export interface SchemaNotes {
  /** What tells the branches of a `oneOf` apart, by its first branch. */
  readonly tags: WeakMap<object, UnionTag>;
  /** The author's own message for a keyword of a schema. */
  readonly messages: WeakMap<object, ReadonlyMap<string, AuthorMessage>>;
}

/** The discriminator of a union: the property, and its value in each branch, in the order of `oneOf`. */
export interface UnionTag {
  readonly property: string;
  readonly names: readonly string[];
}

/** Makes the author's text for a value that was refused; `undefined` when none of the author's rules refuses it. */
export type AuthorMessage = (refused: { readonly value: unknown; readonly owner: unknown; readonly path: Path }) => string | undefined;

/** Notes about nothing, for schemas that were not made from classes. */
export function noNotes(): SchemaNotes {
  return { tags: new WeakMap(), messages: new WeakMap() };
}

/**
 * An equal schema whose errors name the real fault: of a discriminated union only the branch that was meant speaks, and a nullable
 * schema does not add that the value might have been null.
 */
export function explainedSchema(schema: JsonSchema, notes: SchemaNotes): JsonSchema {
  return rewrite(schema, notes) as JsonSchema;
}

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

function rewrite(node: unknown, notes: SchemaNotes): unknown {
  if (Array.isArray(node)) return node.map((each) => rewrite(each, notes));
  if (!isPlainObject(node)) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, DATA.has(key) ? value : rewrite(value, notes)]));
  const messages = notes.messages.get(node);
  if (messages !== undefined) notes.messages.set(copy, messages);
  const tag = Array.isArray(node.oneOf) ? notes.tags.get(node.oneOf[0] as object) : undefined;
  if (tag !== undefined) return explainUnion(copy, tag);
  return isNullable(copy.anyOf) ? explainNullable(copy) : copy;
}

function explainUnion(copy: Record<string, unknown>, { property, names }: UnionTag): JsonSchema {
  const { oneOf, ...rest } = copy;
  const branches = (oneOf as JsonSchema[]).filter((each) => each.type !== 'null');
  const nullable = branches.length !== (oneOf as unknown[]).length;
  return {
    ...rest,
    type: nullable ? ['object', 'null'] : 'object',
    properties: { [property]: { enum: names } },
    required: [property],
    allOf: branches.map((then, index) => ({ if: isTagged(property, names[index]), then })),
  };
}

function isTagged(property: string, name: unknown): JsonSchema {
  return { type: 'object', required: [property], properties: { [property]: { const: name } } };
}

function isNullable(anyOf: unknown): anyOf is [unknown, JsonSchema] {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return false;
  const last: unknown = anyOf[1];
  return isPlainObject(last) && last.type === 'null' && Object.keys(last).length === 1;
}

function explainNullable(copy: Record<string, unknown>): JsonSchema {
  const { anyOf, ...rest } = copy;
  if (rest.if !== undefined) return copy;
  return { ...rest, if: { type: 'null' }, then: {}, else: (anyOf as unknown[])[0] };
}
