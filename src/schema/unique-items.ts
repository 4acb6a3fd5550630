import { isPlainObject } from './json';

/** True when no two items are equal as JSON. Takes time in proportion to the array's size. */
export function isUnique(items: readonly unknown[]): boolean {
  const simple = new Set<unknown>();
  const composed = new Set<string>();
  for (const item of items) {
    if (typeof item === 'object' && item !== null) composed.add(canonicalText(item));
    else simple.add(item);
  }
  return simple.size + composed.size === items.length;
}

function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (!isPlainObject(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
