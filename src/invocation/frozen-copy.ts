/** A copy of what JSON can carry, frozen to the last level, so that whoever is handed it changes it for nobody else. Other objects are kept. */
export function frozenCopy<T>(value: T, copies = new Map<object, unknown>()): T {
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  if (copies.has(value)) return copies.get(value) as T;
  const copy: object = Array.isArray(value) ? [] : {};
  copies.set(value, copy);
  for (const key of Object.keys(value)) {
    const own = { value: frozenCopy((value as Record<string, unknown>)[key], copies), enumerable: true };
    Object.defineProperty(copy, key, own);
  }
  return Object.freeze(copy) as T;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
