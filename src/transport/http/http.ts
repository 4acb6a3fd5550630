import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TokenVerifier } from '../../contracts/token-verifier';
import type { TransportHandle } from '../../contracts/transport';
import type { McpEndpoint } from '../../protocol/mcp-endpoint';
import { refuse } from './answers';
import { answerClientError } from './client-error';
import { FrontGate, type FrontGateOptions } from './front-gate';
import { isHealthPath, serveHealth, type AskReady } from './health-route';
import { LOOPBACK_FRONT, type HttpFront } from './http-front';
import { McpRoute } from './mcp-route';
import { pathOf } from './request-path';
import type { SessionOptions } from './session-options';
import { StreamingResponse } from './streaming-response';

/** Where HTTP listens. */
export interface HttpOptions {
  readonly host: string;
  /** 0 takes a free port; the handle says which. */
  readonly port: number;
  /** Default `/mcp`. */
  readonly path?: string | undefined;
  /** False serves the legacy era without sessions. */
  readonly sessions?: SessionOptions | false | undefined;
  /** For whom it answers; default clients on this machine. */
  readonly front?: HttpFront | undefined;
  /** Who says whom a token belongs to; without one nobody is asked for a token. */
  readonly verifier?: TokenVerifier | undefined;
  /** What `/health/ready` answers while nothing is closing; without it that it is up. */
  readonly isReady?: AskReady | undefined;
}

const SERVER_OPTIONS: ServerOptions<typeof IncomingMessage, typeof StreamingResponse> = {
  ServerResponse: StreamingResponse,
  // How long a client may take to send its headers, and all of a request; Node looks every few seconds.
  headersTimeout: 30_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // The host gate refuses a request without one, and Node's own refusal has no body.
  requireHostHeader: false,
};

/** How long the clients that follow changes are given, at the end, to take the answer that ends their subscription. */
const PARTING_MS = 1_000;

/** Serves MCP on one path of an HTTP server of its own. Rejects when the address cannot be bound; then nothing is left open. */
export async function openHttp(endpoint: McpEndpoint, options: HttpOptions): Promise<TransportHandle> {
  const { host, port, path = '/mcp', sessions = {}, verifier, isReady = () => true, front = LOOPBACK_FRONT } = options;
  const door = new HttpDoor(endpoint, { path, sessions, verifier, isReady, ...front });
  const bound = await door.listen(host, port);
  return {
    mode: 'http',
    host: bound.address,
    port: bound.port,
    url: `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${String(bound.port)}${path}`,
    stopAccepting: () => door.stopAccepting(),
    whenAnswered: () => door.whenAnswered(),
    close: () => door.close(),
  };
}

interface DoorOptions extends FrontGateOptions {
  readonly sessions: SessionOptions | false;
  readonly isReady: AskReady;
}

class HttpDoor {
  readonly #server: Server<typeof IncomingMessage, typeof StreamingResponse>;
  readonly #route: McpRoute;
  readonly #gate: FrontGate;
  readonly #path: string;
  readonly #isReady: AskReady;
  readonly #answering = new Set<ServerResponse>();
  readonly #subscriptions = new Set<ServerResponse>();
  readonly #latest = new WeakMap<Duplex, ServerResponse>();
  readonly #waiting: (() => void)[] = [];
  #isClosing = false;

  constructor(
    private readonly endpoint: McpEndpoint,
    { sessions, isReady, ...front }: DoorOptions,
  ) {
    this.#path = front.path;
    this.#isReady = isReady;
    this.#gate = new FrontGate(endpoint, front);
    this.#route = new McpRoute(endpoint, {
      sessions: sessions !== false && { replay: false, retryMs: 1_000, ...sessions, onResumed: (response) => this.#await(response) },
      onStream: (response) => this.#subscribed(response),
    });
    this.#server = createServer(SERVER_OPTIONS, (request, response) => void this.#serve(request, response));
    this.#server.on('checkContinue', (request: IncomingMessage, response: StreamingResponse) => {
      // A client that is refused may send its body all the same or not, so what follows could not be told apart.
      response.setHeader('Connection', 'close');
      void this.#serve(request, response);
    });
    this.#server.on('checkExpectation', (_request, response: ServerResponse) => {
      response.setHeader('Connection', 'close');
      refuse(response, 417, 'Expectation failed');
    });
    this.#server.on('clientError', (error: Error, socket: Duplex) => this.#onClientError(error, socket));
  }

  async listen(host: string, port: number): Promise<AddressInfo> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject);
        this.#server.listen(port, host, resolve);
      });
    } catch (error) {
      await this.#route.close();
      throw error;
    }
    return this.#server.address() as AddressInfo;
  }

  stopAccepting(): void {
    this.#isClosing = true;
    this.#server.close();
    this.#server.closeIdleConnections();
    for (const response of this.#answering) if (!response.headersSent) response.setHeader('Connection', 'close');
  }

  async whenAnswered(): Promise<void> {
    if (this.#answering.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    if (!this.#isClosing) this.stopAccepting();
    const ended = [...this.#subscriptions].map((response) => once(response, 'close', { signal: AbortSignal.timeout(PARTING_MS) }));
    await this.#route.close();
    await Promise.allSettled(ended);
    this.#server.closeAllConnections();
  }

  #onClientError(error: Error, socket: Duplex): void {
    const response = this.#latest.get(socket);
    // Nothing may be written into an answer that is on its way; behind it the connection ends.
    if (response?.headersSent === true) return void socket.end(() => socket.destroy());
    answerClientError(error, socket);
  }

  async #serve(request: IncomingMessage, response: StreamingResponse): Promise<void> {
    this.#track(request, response);
    try {
      await this.#admit(request, response);
    } catch (error) {
      if (request.destroyed && !request.complete) return void response.destroy();
      const reference = this.endpoint.logUnexpected(error, `HTTP ${request.method ?? 'request'}`);
      refuse(response, 500, `Internal error (ref ${reference})`);
    }
  }

  async #admit(request: IncomingMessage, response: StreamingResponse): Promise<void> {
    // What came in before the end began goes on, also when its token took until then.
    const isLate = this.#isClosing;
    if (!(await this.#gate.admits(request, response))) return;
    const path = pathOf(request);
    if (isHealthPath(path)) return serveHealth(request, response, () => !isLate && this.#isReady());
    if (isLate) return refuse(response, 503, 'Shutting down');
    if (path !== this.#path) return refuse(response, 404, 'Not found');
    await this.#route.serve(request, response);
  }

  /** GET streams stay open by design, so only what was sent with a body counts as unanswered, and a stream that a client came back to. */
  #track(request: IncomingMessage, response: StreamingResponse): void {
    const { limits, logger } = this.endpoint;
    const onExceeded = (): void => logger.warn('An event stream was closed: its client does not read it');
    response.boundUnread({ bytes: limits.unreadBytes, onExceeded });
    this.#latest.set(request.socket, response);
    response.once('close', () => {
      if (this.#latest.get(request.socket) === response) this.#latest.delete(request.socket);
    });
    if (this.#isClosing) response.setHeader('Connection', 'close');
    if (request.method !== 'GET') this.#await(response);
  }

  #await(response: ServerResponse): void {
    this.#answering.add(response);
    response.once('close', () => {
      this.#answered(response);
      if (this.#isClosing) this.#server.closeIdleConnections();
    });
  }

  /** What is open by design is not waited for before the end, only at it. */
  #subscribed(response: ServerResponse): void {
    this.#subscriptions.add(response);
    response.once('close', () => this.#subscriptions.delete(response));
    this.#answered(response);
  }

  #answered(response: ServerResponse): void {
    this.#answering.delete(response);
    if (this.#answering.size > 0) return;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
