import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TokenVerifier } from '../../contracts/token-verifier';
import { BearerGate, type Refusal } from '../../policy/bearer-gate';
import { HostGate, isAddress } from '../../policy/host-gate';
import type { McpEndpoint } from '../../protocol/mcp-endpoint';
import { identify } from '../../protocol/served-call';
import { refuse } from './answers';
import { setChallenge } from './bearer-challenge';
import { allowToRead, answerPreflight, isPreflight } from './cors';
import { reachedBy } from './forwarded';
import { isHealthPath } from './health-route';
import type { HttpFront } from './http-front';
import { pathOf } from './request-path';
import { ResourceMetadata } from './resource-metadata';

/** What a gate is made with. */
export interface FrontGateOptions extends HttpFront {
  /** The path of MCP. */
  readonly path: string;
  readonly verifier: TokenVerifier | undefined;
}

/**
 * What is decided about an HTTP request from its headers alone, before its path is looked at and its body is read: whether it was meant for
 * this server, and who asks. Every request passes here, whatever its method and path.
 */
export class FrontGate {
  readonly #hosts: HostGate;
  readonly #bearer: BearerGate | undefined;
  readonly #metadata: ResourceMetadata | undefined;

  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly options: FrontGateOptions,
  ) {
    const { hosts, origins, verifier, resourceMetadata, path } = options;
    this.#hosts = new HostGate(hosts, origins);
    this.#bearer = verifier === undefined ? undefined : new BearerGate(verifier, endpoint.limits.verifyMs);
    this.#metadata = resourceMetadata === undefined ? undefined : new ResourceMetadata(resourceMetadata, path);
  }

  /** False for a request that was answered, or that nobody waits for any more. */
  async admits(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const path = pathOf(request);
    const isHealth = isHealthPath(path);
    if (!this.#isMeantForUs(request, response, isHealth)) return false;
    const { origin, authorization = [] } = request.headersDistinct;
    if (this.#answersPages(response, origin?.[0]) && isPreflight(request)) return (answerPreflight(request, response), false);
    if (this.#metadata?.isAt(path) === true) return (this.#metadata.serve(request, response, this.#publicUrl(request)), false);
    if (this.#bearer === undefined || isHealth) return true;
    const admission = await this.#bearer.admit(authorization);
    if ('refused' in admission) return this.#challenge(request, response, admission);
    identify(request, admission.principal, this.#metadata?.urlOf(this.#publicUrl(request)));
    return !response.destroyed;
  }

  #isMeantForUs(request: IncomingMessage, response: ServerResponse, isHealth: boolean): boolean {
    const { host = [], origin = [] } = request.headersDistinct;
    if (host.length > 1 || origin.length > 1)
      return this.#refuse(response, 400, ['Bad request: Host and Origin may be sent once only', 'several Host or Origin']);
    // Behind a proxy it decides nothing, but the SDK makes an address of it.
    if (this.options.trustProxy && host[0] !== undefined && !isAddress(host[0]))
      return this.#refuse(response, 400, ['Bad request: Host is no host', 'malformed Host']);
    // A supervisor asks for health by address, whatever the names are that clients use.
    if (!isHealth && !this.#hosts.allowsHost(reachedBy(request, this.options.trustProxy).host))
      return this.#refuse(response, 403, ['Forbidden: this Host is not served', 'foreign Host']);
    if (this.#hosts.allowsOrigin(origin[0])) return true;
    return this.#refuse(response, 403, ['Forbidden: this Origin is not allowed', 'foreign Origin']);
  }

  /** True for a page that may read the answer. Without a list of origins no header tells a browser anything. */
  #answersPages(response: ServerResponse, origin: string | undefined): boolean {
    if (this.options.origins.length === 0) return false;
    response.setHeader('Vary', 'Origin');
    if (origin === undefined || !this.#hosts.listsOrigin(origin)) return false;
    allowToRead(response, origin);
    return true;
  }

  /** The address of MCP that a request was sent to; its host has been found among those that are served. */
  #publicUrl(request: IncomingMessage): string {
    const { host = '', scheme } = reachedBy(request, this.options.trustProxy);
    return `${scheme}://${host.toLowerCase()}${this.options.path}`;
  }

  #challenge(request: IncomingMessage, response: ServerResponse, refusal: Refusal): boolean {
    if (refusal.detail !== undefined) this.endpoint.logger.debug(`The token verifier threw: ${refusal.detail}`);
    setChallenge(response, refusal, this.#metadata?.challenge(this.#publicUrl(request)));
    return this.#refuse(response, 401, ['Unauthorized', refusal.refused]);
  }

  #refuse(response: ServerResponse, status: number, [message, reason]: readonly [message: string, reason: string]): boolean {
    this.endpoint.recordRefusal(reason, { transport: 'http' });
    refuse(response, status, message);
    return false;
  }
}
