import { demand, mustBeNames } from './demand';

/** The options of {@link Scopes}. */
export interface ScopesOptions {
  /** Whether callers without the scopes are not told that the entry exists. Default false: it is listed, and refused. */
  readonly hide?: boolean;
}

// RFC 6749, 3.3.
const SCOPE = /^[!#-[\]-~]+$/;

/**
 * Lets only callers in whose token all of these scopes are. Decided before every guard, on every transport, with no guard to install:
 * over HTTP the refusal is a 403 with a challenge that names the scopes (specification: Authorization, Step-Up), elsewhere `Forbidden`.
 * A caller without a token has no scopes. On a class it holds for each of its methods; what parents demand stays demanded.
 *
 * Throws a `TypeError` at decoration for scopes that are not strings.
 */
export function Scopes(
  ...scopes: readonly [string, ...string[]] | readonly [string, ...(string | ScopesOptions)[]]
): ClassDecorator & MethodDecorator {
  const last = scopes.at(-1);
  const options = typeof last === 'object' ? last : {};
  const names = typeof last === 'object' ? scopes.slice(0, -1) : scopes;
  mustBeNames('@Scopes()', names);
  if (!(names as readonly string[]).every((each) => SCOPE.test(each)))
    throw new TypeError('@Scopes() takes scopes as OAuth writes them: visible ASCII without quotes, backslashes and spaces.');
  return demand('@Scopes()', { scopes: [{ scopes: Object.freeze([...(names as string[])]), hide: options.hide ?? false }] });
}
