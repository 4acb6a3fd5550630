import type { Type } from '../contracts/type';

// Members that only a constructor can make: private ones, also as TypeScript writes them for old targets, and those of built-in classes.
const SEALED_MEMBERS = /#[\p{ID_Start}$_]|__classPrivateField|\[native code\]/u;

interface LateTarget {
  current: object;
}

const lateTargets = new WeakMap<object, LateTarget>();

/**
 * An instance of a class whose constructor has not run: what a `forwardRef()` hands out before its target can be built. Made from the
 * prototype, or, for a class with private members, a proxy of the instance to come.
 */
export function preallocate(type: Type): object {
  const bare = Object.create(type.prototype as object) as object;
  if (!hasSealedMembers(type)) return bare;
  const late: LateTarget = { current: bare };
  const proxy = new Proxy(bare, handlerFor(late));
  lateTargets.set(proxy, late);
  return proxy;
}

/** Makes what the constructor built appear in the instance that was handed out before, so that both sides of a circle see one object. */
export function complete(early: object, built: object): object {
  const late = lateTargets.get(early);
  if (late === undefined) Object.defineProperties(early, Object.getOwnPropertyDescriptors(built));
  else late.current = built;
  return early;
}

function hasSealedMembers(type: Type): boolean {
  for (let each: unknown = type; typeof each === 'function' && each !== Function.prototype; each = Object.getPrototypeOf(each)) {
    if (SEALED_MEMBERS.test(Function.prototype.toString.call(each))) return true;
  }
  return false;
}

function handlerFor(late: LateTarget): ProxyHandler<object> {
  const bound = new WeakMap<object, unknown>();
  // A method must run on the instance itself: its private members do not exist on a proxy.
  const bind = (method: (...args: unknown[]) => unknown): unknown => {
    if (!bound.has(method)) bound.set(method, method.bind(late.current));
    return bound.get(method);
  };
  return {
    get(_, key) {
      const value: unknown = Reflect.get(late.current, key);
      return typeof value === 'function' && key !== 'constructor' ? bind(value as (...args: unknown[]) => unknown) : value;
    },
    set: (_, key, value) => Reflect.set(late.current, key, value),
    has: (_, key) => Reflect.has(late.current, key),
    deleteProperty: (_, key) => Reflect.deleteProperty(late.current, key),
    defineProperty: (_, key, descriptor) => Reflect.defineProperty(late.current, key, { ...descriptor, configurable: true }),
    ownKeys: () => Reflect.ownKeys(late.current),
    getOwnPropertyDescriptor(_, key) {
      const found = Reflect.getOwnPropertyDescriptor(late.current, key);
      return found === undefined ? undefined : { ...found, configurable: true };
    },
  };
}
