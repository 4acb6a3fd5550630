import type { Principal } from '../contracts/principal';
import type { JwtVerifierOptions } from './jwt-options';

/** What stands in a token whose signature and dates are good. */
export type JwtClaims = Readonly<Record<string, unknown>>;

/** Reads the principal; undefined for claims that leave in doubt who it is or what it may do. */
export function principalOfClaims(
  claims: JwtClaims,
  { idClaim = 'sub', scopesClaim = 'scope', rolesClaim = 'roles' }: Pick<JwtVerifierOptions, 'idClaim' | 'scopesClaim' | 'rolesClaim'>,
): Principal | undefined {
  const id = claims[idClaim];
  const scopes = wordsIn(claims[scopesClaim]);
  const roles = wordsIn(claims[rolesClaim]);
  if (typeof id !== 'string' || id.trim() === '' || scopes === undefined || roles === undefined) return undefined;
  return { id, scopes, ...(rolesClaim in claims ? { roles } : {}), claims };
}

/** RFC 6749, 3.3: words between spaces. Some issuers write a list. */
function wordsIn(value: unknown): readonly string[] | undefined {
  if (value === undefined) return [];
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '');
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined;
}
