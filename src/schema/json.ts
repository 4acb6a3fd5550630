/** A JSON value that is neither an object nor an array. */
export type JsonPrimitive = string | number | boolean | null;

const MAX_PLAIN_DEPTH = 1_000;

/** True for what JSON can say in one word; never for NaN or an infinity. */
export function isJsonPrimitive(value: unknown): value is JsonPrimitive {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

/** True for an object literal or `Object.create(null)`, also one of another realm; never for an array or an instance. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** True when JSON would write and read the value back unchanged. Never recurses; false for what nests endlessly. */
export function isJson(root: unknown): boolean {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (isJsonPrimitive(each.value)) continue;
    if (each.depth > MAX_PLAIN_DEPTH || !(Array.isArray(each.value) || isPlainObject(each.value))) return false;
    const depth = each.depth + 1;
    if (Array.isArray(each.value)) for (const value of each.value) open.push({ value, depth });
    else for (const value of Object.values(each.value)) open.push({ value, depth });
  }
  return true;
}

/** The value as a client would read it. Throws what `JSON.stringify` throws: on a circle and on a BigInt. */
export function toJsonView(value: unknown): unknown {
  if (isJson(value)) return value;
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

/** A regular expression that matches this text wherever it stands; also valid with the `u` flag. */
export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
