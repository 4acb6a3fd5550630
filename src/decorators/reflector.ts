/** A decorator of {@link Reflector.createDecorator}. */
export interface ReflectableDecorator<T> {
  (value?: T): ClassDecorator & MethodDecorator;
  readonly KEY: string;
}

type Target = object | ((...args: never[]) => unknown);
type Key<T> = string | symbol | ReflectableDecorator<T>;

/** The methods that a method overrides, nearest first: what a parent's method carries still counts for the override. */
const overridden = new WeakMap<object, object>();
let keys = 0;

/** Remembers what a method of a class overrides, so that {@link Reflector} finds metadata that the override does not repeat. */
export function linkOverrides(type: { readonly prototype: object }, method: PropertyKey): void {
  let below: object | undefined;
  for (let each: object | null = type.prototype; each !== null; each = Object.getPrototypeOf(each) as object | null) {
    const found: unknown = Object.getOwnPropertyDescriptor(each, method)?.value;
    if (typeof found !== 'function') continue;
    if (below !== undefined && below !== found) overridden.set(below, found);
    below = found;
  }
}

/**
 * Reads what `SetMetadata` and `Reflector.createDecorator` attached to classes and methods, as in NestJS. An override without metadata of
 * its own has its parent's: a guard that reads a method's metadata is not lifted by overriding the method.
 */
export class Reflector {
  /** Makes a decorator that carries a value of this type. */
  static createDecorator<T>(options: { readonly key?: string } = {}): ReflectableDecorator<T> {
    const KEY = options.key ?? `perch-mcp:reflected:${String((keys += 1))}`;
    const decorator = (value?: T) => (target: object, _method?: PropertyKey, descriptor?: PropertyDescriptor) =>
      Reflect.defineMetadata(KEY, value ?? {}, descriptor === undefined ? target : (descriptor.value as object));
    return Object.assign(decorator, { KEY });
  }

  /** The value on one target; `undefined` where there is none. */
  get<T = unknown>(key: Key<T>, target: Target): T | undefined {
    const name = keyOf(key);
    for (let each: object | undefined = target; each !== undefined; each = overridden.get(each)) {
      if (Reflect.hasMetadata(name, each)) return Reflect.getMetadata(name, each) as T;
    }
    return undefined;
  }

  /** The values on several targets, `undefined` where there is none. */
  getAll<T = unknown>(key: Key<T>, targets: readonly Target[]): (T | undefined)[] {
    return targets.map((target) => this.get<T>(key, target));
  }

  /** The first value there is, for instance of `[context.getHandler(), context.getClass()]`. */
  getAllAndOverride<T = unknown>(key: Key<T>, targets: readonly Target[]): T | undefined {
    return this.getAll<T>(key, targets).find((value) => value !== undefined);
  }

  /** Arrays joined, objects merged with later targets over earlier ones, anything else as a list; an object alone as it is. */
  getAllAndMerge<T = unknown>(key: Key<T>, targets: readonly Target[]): T {
    const values: readonly unknown[] = this.getAll(key as Key<unknown>, targets).filter((value) => value !== undefined);
    if (values.length < 2) return (isObject(values[0]) ? values[0] : values) as T;
    return values.reduce(merged) as T;
  }
}

function merged(one: unknown, next: unknown): unknown {
  if (Array.isArray(one)) return (one as unknown[]).concat(next);
  return isObject(one) && isObject(next) && !Array.isArray(next) ? { ...one, ...next } : [one].concat(next);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function keyOf(key: Key<never> | Key<unknown>): string | symbol {
  return typeof key === 'function' ? key.KEY : key;
}
