import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TokenVerifier } from '../../contracts/token-verifier';
import { BearerGate } from '../../policy/bearer-gate';
import type { McpEndpoint } from '../../protocol/mcp-endpoint';
import { identify } from '../../protocol/served-call';
import { refuse } from './answers';
import { setChallenge } from './bearer-challenge';

/** A step of a chain over Node's own requests, as connect and express have it. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** Lets through only requests whose bearer token belongs to somebody, and leaves the principal on the request. */
export function bearerMiddleware(endpoint: McpEndpoint, verifier: TokenVerifier): Middleware {
  const gate = new BearerGate(verifier, endpoint.limits.verifyMs);
  const admits = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const admission = await gate.admit(request.headersDistinct['authorization'] ?? []);
    if ('principal' in admission) {
      identify(request, admission.principal);
      return !response.destroyed;
    }
    if (admission.detail !== undefined) endpoint.logger.debug(`The token verifier threw: ${admission.detail}`);
    endpoint.recordRefusal(admission.refused, { transport: 'http' });
    // The program may have answered in the meantime, for instance because the verifier took too long.
    if (response.headersSent) return false;
    setChallenge(response, admission);
    refuse(response, 401, 'Unauthorized');
    return false;
  };
  return (request, response, next) =>
    void admits(request, response).then((isAdmitted) => {
      if (isAdmitted) next();
    });
}
