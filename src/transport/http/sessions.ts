import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GoodMessage } from '../../protocol/check-message';
import type { McpEndpoint } from '../../protocol/mcp-endpoint';
import type { PerchServer } from '../../protocol/perch-server';
import type { MessageId } from '../../protocol/json-rpc';
import { cancelledId } from '../open-requests';
import { acceptsAnswer } from './accept';
import { refuse, sendError } from './answers';
import { SessionTransport } from './session-transport';

/** A request, its response, and its message if it had one. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly message?: GoodMessage;
}

/** One client of the legacy era, from `initialize` until it ends its session, stays away too long, or the server closes. */
interface Session {
  readonly transport: SessionTransport;
  readonly server: PerchServer;
  /** Requests and streams that are open now. */
  open: number;
  lastUsed: number;
}

/** Legacy HTTP sessions (specification 2025-11-25: Session Management), bounded in number and in idle time. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #sweep: NodeJS.Timeout;

  constructor(private readonly endpoint: McpEndpoint) {
    const { sessionIdleMs } = endpoint.limits;
    this.#sweep = setInterval(() => this.#endIdle(), Math.min(sessionIdleMs, 60_000)).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Serves a request that names a session; 404 tells a client of an ended one to begin anew. */
  async serve(id: string, exchange: Exchange): Promise<void> {
    const session = this.#sessions.get(id);
    if (session === undefined) return refuse(exchange.response, 404, 'Session not found');
    await this.#handle(session, exchange);
  }

  /** Serves `initialize`, and keeps the session if it succeeds. */
  async begin(exchange: Exchange): Promise<void> {
    if (this.#sessions.size >= this.endpoint.limits.sessions) {
      exchange.response.setHeader('Retry-After', '30');
      return refuse(exchange.response, 503, 'Too many sessions');
    }
    const server = this.endpoint.createServer({ era: 'legacy', transport: 'http', isLongLived: true });
    const transport = new SessionTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const session: Session = { transport, server, open: 0, lastUsed: performance.now() };
    // The SDK's own class does not declare its callbacks the way exactOptionalPropertyTypes reads its interface.
    await server.connect(transport);
    await this.#handle(session, exchange);
    if (transport.sessionId === undefined || !this.#sessions.has(transport.sessionId)) await server.close();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(sessions.map(({ server }) => server.close()));
  }

  async #handle(session: Session, { request, response, message }: Exchange): Promise<void> {
    const { transport } = session;
    if (request.method !== 'DELETE' && !acceptsAnswer(request)) {
      return refuse(response, 406, 'Not acceptable: accept application/json and text/event-stream');
    }
    const refusal = message === undefined ? undefined : transport.received(message);
    if (refusal !== undefined) return sendError(response, 400, refusal);
    session.open += 1;
    response.once('close', () => {
      session.open -= 1;
      session.lastUsed = performance.now();
      if (message?.kind === 'request' && response.statusCode !== 200) transport.refused(message.message['id'] as MessageId);
    });
    await transport.handleRequest(request, response, message?.message);
    const cancelled = message === undefined ? undefined : cancelledId(message.message);
    if (cancelled !== undefined) await transport.abandon(cancelled);
  }

  #endIdle(): void {
    const oldest = performance.now() - this.endpoint.limits.sessionIdleMs;
    for (const [id, { server, open, lastUsed }] of this.#sessions) {
      if (open > 0 || lastUsed > oldest) continue;
      this.#sessions.delete(id);
      server.close().catch((error: unknown) => this.endpoint.logger.debug(`A session did not close: ${String(error)}`));
    }
  }
}
