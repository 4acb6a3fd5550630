/** A class that can be instantiated. */
export type Type<T = unknown> = new (...args: any[]) => T;

/** A class that cannot be instantiated itself, usable as an injection token. */
export type Abstract<T = unknown> = abstract new (...args: any[]) => T;

/** What `@Inject()` and `provide` accept: a class, a string or a symbol. */
export type InjectionToken<T = unknown> = string | symbol | Type<T> | Abstract<T>;

/** A token behind a function, for classes that are declared later in the file or in an import cycle. */
export interface ForwardReference<T = unknown> {
  readonly forwardRef: () => T;
}

/** True for `forwardRef(() => X)`. */
export function isForwardReference(value: unknown): value is ForwardReference {
  return typeof value === 'object' && value !== null && typeof (value as ForwardReference).forwardRef === 'function';
}

/** True for anything declared with `class` or `function`. */
export function isClass(value: unknown): value is Type {
  return typeof value === 'function' && typeof value.prototype === 'object' && value.prototype !== null;
}

/** How a token reads in a message: a class by its name, a string in quotes, a symbol as it prints. */
export function describeToken(token: unknown): string {
  if (typeof token === 'function') return token.name || 'an anonymous class';
  if (typeof token === 'string') return JSON.stringify(token);
  if (typeof token === 'symbol') return token.toString();
  return String(token);
}

/** True for a promise, and for anything else that `await` waits for. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as PromiseLike<unknown>).then === 'function';
}
