import type { JsonSchema } from '../contracts/schema-source';
import type { AuthorMessage } from './explained-schema';
import { isPlainObject } from './json';
import type { SpokenRule } from './property-rules';
import { ruleText } from './rule-text';

/** What `@Field()` says about a property. */
export interface FieldNotes {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly header?: string;
}

/** Adds what `@Field()` says, and the default, to the schema of a property. */
export function annotate(schema: JsonSchema, field: FieldNotes | undefined, initial: { readonly value: unknown } | undefined): JsonSchema {
  const { title, description, examples, format, header } = field ?? {};
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...schema,
    ...(format === undefined ? {} : { format }),
    ...(initial === undefined ? {} : { default: initial.value }),
    ...(examples === undefined ? {} : { examples }),
    ...(header === undefined ? {} : { 'x-mcp-header': header }),
  };
}

/** The objects inside a property's schema that its own decorators made, for noting the author's messages on them. */
export function* ownNodes(schema: unknown): Generator<object> {
  if (!isPlainObject(schema)) return;
  yield schema;
  for (const keyword of ['allOf', 'anyOf']) {
    const parts = schema[keyword];
    if (Array.isArray(parts)) for (const each of parts) yield* ownNodes(each);
  }
}

/** The author's messages by keyword: the first rule that refuses the value speaks. */
export function messagesOf(spoken: readonly SpokenRule[], targetName: string): ReadonlyMap<string, AuthorMessage> {
  const byKeyword = new Map<string, SpokenRule[]>();
  for (const each of spoken) {
    if (each.rule.metadata.message === undefined) continue;
    for (const keyword of each.keywords) byKeyword.set(keyword, [...(byKeyword.get(keyword) ?? []), each]);
  }
  return new Map([...byKeyword].map(([keyword, rules]) => [keyword, speaker(rules, targetName)]));
}

function speaker(spoken: readonly SpokenRule[], targetName: string): AuthorMessage {
  return ({ value, owner, path }) => {
    for (const { rule } of spoken) {
      const { constraints, propertyName } = rule.metadata;
      const object = owner as object;
      const args = { value, constraints: constraints ?? [], targetName, object, property: String(propertyName) };
      const refusing = rule.instances().find((each) => each.validate(value, args) !== true);
      if (refusing !== undefined) return ruleText({ rule, instance: refusing, args, path });
    }
    return undefined;
  };
}
