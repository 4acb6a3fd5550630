import type * as Jose from 'jose';
import { createKeyFetch } from './fetch-keys';
import type { JwtVerifierOptions } from './jwt-options';

/** Finds the key that a token says it is signed with, by equal `kid` and fitting algorithm alone. */
export type KeySource = Jose.JWTVerifyGetKey;

/** Where the keys of these options come from. */
export function keySource(jose: typeof Jose, options: JwtVerifierOptions): KeySource {
  const { jwksUrl, keys, secret } = options;
  if (jwksUrl !== undefined) return remoteKeys(jose, new URL(jwksUrl), options);
  if (keys !== undefined) return jose.createLocalJWKSet({ keys: keys.map((key) => ({ ...key })) });
  const bytes = typeof secret === 'string' ? Buffer.from(secret) : Uint8Array.from(secret ?? []);
  return () => bytes;
}

function remoteKeys(jose: typeof Jose, url: URL, options: JwtVerifierOptions): KeySource {
  const { jwksCooldownMs = 30_000, jwksMaxAgeMs = 600_000, jwksTimeoutMs = 5_000, jwksRetryMs = 1_000, logger } = options;
  const onFailure = (text: string): void => {
    if (logger === undefined) process.emitWarning(text, { type: 'PerchWarning', code: 'JWKS_NOT_FETCHED' });
    else logger.warn(text);
  };
  return jose.createRemoteJWKSet(url, {
    cooldownDuration: jwksCooldownMs,
    cacheMaxAge: jwksMaxAgeMs,
    timeoutDuration: jwksTimeoutMs,
    [jose.customFetch]: createKeyFetch({ retryMs: jwksRetryMs, onFailure }),
  });
}
