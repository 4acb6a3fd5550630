// RFC 6750, 2.1: the scheme, and a token68. RFC 9110, 11.1: the scheme is written in any case.
const CREDENTIALS = /^bearer ([a-z0-9\-._~+/]+=*)$/i;
const TOKEN = /^[a-z0-9\-._~+/]+=*$/i;

/** Of 6 bits each: 96 bits at best. */
const SHORTEST = 16;

/** True for text that a client can send as a bearer token. */
export function isBearerToken(text: unknown): text is string {
  return typeof text === 'string' && TOKEN.test(text);
}

/** True for a token that can be guessed, and is no secret worth keeping. */
export function isShortToken(token: string): boolean {
  return token.length < SHORTEST;
}

/**
 * The token in the `Authorization` headers of a request; undefined unless there is exactly one, of exactly one scheme, space and token. A
 * token anywhere else, such as in the query, is none: addresses are logged.
 */
export function readBearerToken(authorization: readonly string[]): string | undefined {
  return authorization.length === 1 ? CREDENTIALS.exec(authorization[0] ?? '')?.[1] : undefined;
}
