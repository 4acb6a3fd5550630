import { isForwardReference, type InjectionToken } from '../contracts/type';
import { UNDEFINED_TOKEN } from '../decorators/inject';
import type { Dependency, DependencyFlaw } from './dependency';

/** A dependency without its place. */
export type Asked = Omit<Dependency, 'index' | 'property'>;

// A reference that leads to itself would never end.
const MAX_REFERENCES = 16;

/** Reads what is asked for in any of the forms that `@Inject()`, `inject`, tsyringe's decorators and the compiler leave. */
export function readToken(declared: unknown, optional: boolean): Asked {
  let isForward = false;
  let isOptional = optional;
  let token = declared;
  for (let step = 0; step < MAX_REFERENCES; step += 1) {
    if (isToken(token)) return { token, isForward, isOptional };
    if (isForwardReference(token) || isDelayed(token)) {
      isForward = true;
      token = followReference(token);
    } else if (isDescriptor(token)) {
      if (token.multiple === true || 'transform' in token) return flawed('unsupported', isOptional);
      isOptional ||= token.isOptional === true || token.optional === true;
      token = token.token;
    } else {
      break;
    }
  }
  return flawed('undefined', isOptional);
}

/** True for what can stand under `provide`. */
export function isToken(value: unknown): value is InjectionToken {
  return typeof value === 'function' || typeof value === 'string' || (typeof value === 'symbol' && value !== UNDEFINED_TOKEN);
}

/** What is asked for where the declaration names nothing. */
export function flawed(flaw: DependencyFlaw, isOptional: boolean): Asked {
  return { flaw, isForward: false, isOptional };
}

/** What is asked for as an argument. Every argument is written out alike, since a boot makes and reads thousands of them. */
export function asParameter(index: number, { token, isForward, isOptional, flaw }: Asked): Dependency {
  return token === undefined ? { index, isForward, isOptional, ...(flaw && { flaw }) } : { index, token, isForward, isOptional };
}

// `{ token, optional }` in a factory's `inject`; tsyringe's @inject() leaves `{ token, multiple, isOptional }`, and its @injectable()
// writes that into design:paramtypes as well.
function isDescriptor(value: unknown): value is { token: unknown; optional?: unknown; multiple?: unknown; isOptional?: unknown } {
  return typeof value === 'object' && value !== null && 'token' in value;
}

// tsyringe's delay(() => X).
function isDelayed(value: unknown): value is { wrap(): unknown } {
  return typeof value === 'object' && value !== null && 'createProxy' in value && 'wrap' in value && typeof value.wrap === 'function';
}

/** What a `forwardRef()` or `delay()` stands for. A class that is not initialised yet gives `undefined`, like the import cycle it is. */
export function followReference(reference: { forwardRef(): unknown } | { wrap(): unknown }): unknown {
  try {
    return 'wrap' in reference ? reference.wrap() : reference.forwardRef();
  } catch {
    return undefined;
  }
}
