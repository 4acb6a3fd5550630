import type { JsonSchema } from '../contracts/schema-source';
import { isPlainObject } from './json';

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
const HEADER = 'x-mcp-header';

/** Why a property's `x-mcp-header` would make clients leave the tool out (specification: Streamable HTTP, Schema Extension). */
export function headerFault(header: string, schema: JsonSchema): string | undefined {
  if (!TOKEN.test(header)) return 'names a header that is not a token of RFC 9110';
  return TYPES.includes(schema.type) ? undefined : 'puts a value into a header that is no text, whole number or boolean';
}

/** Why the headers of a whole schema would: one name twice, or a place that is not reached through `properties` alone. */
export function headerPlaceFault(schema: JsonSchema): string | undefined {
  const reached = reachable(schema).map((each) => each.toLowerCase());
  if (new Set(reached).size !== reached.length) return 'Two properties have one `header`';
  const all = JSON.stringify(schema).split(`"${HEADER}":`).length - 1;
  return all === reached.length ? undefined : 'A `header` stands inside a list, a union or a shared class, where clients do not look';
}

function reachable(schema: JsonSchema): readonly string[] {
  if (!isPlainObject(schema.properties)) return [];
  return Object.values(schema.properties).flatMap((each) => {
    if (!isPlainObject(each)) return [];
    const own = each[HEADER];
    return [...(typeof own === 'string' ? [own] : []), ...reachable(each)];
  });
}
