import type { Type } from '../contracts/type';

/**
 * The class of an instance, where there is one to see; undefined for plain objects. A proxy may answer or throw as it likes, and a field may
 * be called `constructor`; then the prototype is asked.
 */
export function classOf(instance: unknown): Type | undefined {
  if (typeof instance !== 'object' || instance === null) return undefined;
  return knownClass(() => instance.constructor) ?? knownClass(() => (Object.getPrototypeOf(instance) as object | null)?.constructor);
}

function knownClass(read: () => unknown): Type | undefined {
  try {
    const type = read();
    return typeof type === 'function' && type !== Object ? (type as Type) : undefined;
  } catch {
    return undefined;
  }
}
