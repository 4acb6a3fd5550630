import type { ServerResponse } from 'node:http';
import type { Refusal } from '../../policy/bearer-gate';

/** Sets the challenge of a 401. RFC 6750, 3: a request without a token is told of no error. */
export function setChallenge(response: ServerResponse, { refused }: Refusal, parameters: readonly string[] = []): void {
  const error = refused === 'no token' ? [] : ['error="invalid_token"'];
  response.setHeader('WWW-Authenticate', ['Bearer', [...error, ...parameters].join(', ')].join(' ').trimEnd());
}
