export { JwtVerifier, jwtVerifier } from './jwt-verifier';
export type { JwtAlgorithm } from './jwt-algorithms';
export type { JwtVerifierOptions, PublicJwk } from './jwt-options';
export type { JwtClaims } from './principal-of-claims';
