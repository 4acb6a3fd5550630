import type { Principal } from '../contracts/principal';

/**
 * A frozen copy of a well-formed principal, without what else stands in it; undefined for anything else. A value that says in another way
 * that it is nobody, such as `{ authenticated: false }`, has no id.
 */
export function readPrincipal(value: unknown): Principal | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, scopes, roles, claims } = value as { readonly [key in keyof Principal]?: unknown };
  if (typeof id !== 'string' || id.trim() === '' || !isNames(scopes)) return undefined;
  if (roles !== undefined && !isNames(roles)) return undefined;
  if (claims !== undefined && !isRecord(claims)) return undefined;
  return Object.freeze({
    id,
    scopes: Object.freeze([...scopes]),
    ...(roles === undefined ? {} : { roles: Object.freeze([...roles]) }),
    ...(claims === undefined ? {} : { claims: Object.freeze({ ...claims }) }),
  });
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
