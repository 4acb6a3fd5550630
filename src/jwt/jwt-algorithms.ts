/** Signatures of a private key, which nobody can make who has only the public one. */
export const ASYMMETRIC = Object.freeze([
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
] as const);

/** Signatures of a shared secret: whoever can check one can make one. */
export const SYMMETRIC = Object.freeze(['HS256', 'HS384', 'HS512'] as const);

/** A signature of RFC 7518 and RFC 8037. `none` is none. */
export type JwtAlgorithm = (typeof ASYMMETRIC)[number] | (typeof SYMMETRIC)[number];

/** RFC 7518, 3.2: a secret has at least as many bytes as the hash. */
export function hashBytesOf(algorithm: JwtAlgorithm): number {
  return Number(algorithm.slice(2)) / 8;
}
