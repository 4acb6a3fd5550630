import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TokenVerifier } from '../../contracts/token-verifier';
import { BearerGate, type Refusal } from '../../policy/bearer-gate';
import { HostGate } from '../../policy/host-gate';
import type { McpEndpoint } from '../../protocol/mcp-endpoint';
import { identify } from '../../protocol/served-call';
import { refuse } from './answers';
import { isHealthPath } from './health-route';
import { pathOf } from './request-path';

/**
 * What is decided about an HTTP request from its headers alone, before its path is looked at and its body is read: whether it was meant for
 * this server, and who asks. Every request passes here, whatever its method and path.
 */
export class FrontGate {
  readonly #hosts = new HostGate();
  readonly #bearer: BearerGate | undefined;

  constructor(
    private readonly endpoint: McpEndpoint,
    verifier: TokenVerifier | undefined,
  ) {
    this.#bearer = verifier === undefined ? undefined : new BearerGate(verifier, endpoint.limits.verifyMs);
  }

  /** False for a request that was answered, or that nobody waits for any more. */
  async admits(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { host = [], origin = [], authorization = [] } = request.headersDistinct;
    if (host.length > 1 || origin.length > 1)
      return this.#refuse(response, 400, ['Bad request: Host and Origin may be sent once only', 'several Host or Origin']);
    const isHealth = isHealthPath(pathOf(request));
    if (!isHealth && !this.#hosts.allowsHost(host[0]))
      return this.#refuse(response, 403, ['Forbidden: this Host is not served', 'foreign Host']);
    if (!this.#hosts.allowsOrigin(origin[0]))
      return this.#refuse(response, 403, ['Forbidden: this Origin is not allowed', 'foreign Origin']);
    if (this.#bearer === undefined || isHealth) return true;
    const admission = await this.#bearer.admit(authorization);
    if ('refused' in admission) return this.#challenge(response, admission);
    identify(request, admission.principal);
    return !response.destroyed;
  }

  /** RFC 6750, 3: a request without a token is told of the scheme only. */
  #challenge(response: ServerResponse, { refused, detail }: Refusal): boolean {
    if (detail !== undefined) this.endpoint.logger.debug(`The token verifier threw: ${detail}`);
    const challenge = refused === 'no token' ? 'Bearer' : 'Bearer error="invalid_token"';
    response.setHeader('WWW-Authenticate', challenge);
    return this.#refuse(response, 401, ['Unauthorized', refused]);
  }

  #refuse(response: ServerResponse, status: number, [message, reason]: readonly [message: string, reason: string]): boolean {
    this.endpoint.recordRefusal(reason, { transport: 'http' });
    refuse(response, status, message);
    return false;
  }
}
