import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GoodMessage } from '../../protocol/check-message';
import type { McpEndpoint } from '../../protocol/mcp-endpoint';
import type { PerchServer } from '../../protocol/perch-server';
import { identifiedAs } from '../../protocol/served-call';
import { cancelledId } from '../open-requests';
import { acceptsAnswer } from './accept';
import { answerBatch } from './answer-batch';
import { refuse, sendError } from './answers';
import type { CallSlots } from './call-slots';
import { ReplayBudget } from './replay-budget';
import { SessionEvents } from './session-events';
import type { SessionOptions } from './session-options';
import { SessionTransport } from './session-transport';

/** A request, its response, and its message if it had one. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly message?: GoodMessage;
  /** In the place of a message: the elements of a batch. */
  readonly batch?: readonly unknown[];
}

/** How sessions are kept. */
export interface SessionsOptions extends Required<SessionOptions> {
  readonly slots: CallSlots;
  /** Told of a response that will carry an answer though its request is a GET. */
  readonly onResumed: (response: ServerResponse) => void;
}

/** One client of the legacy era, from `initialize` until it ends its session, stays away too long, or the server closes. */
interface Session {
  readonly transport: SessionTransport;
  readonly server: PerchServer;
  readonly events: SessionEvents | undefined;
  /** The id of the principal who began it; undefined where nobody is asked for a token. */
  readonly owner: string | undefined;
  /** Requests and streams that are open now. */
  open: number;
  lastUsed: number;
}

/** Legacy HTTP sessions (specification 2025-11-25: Session Management), bounded in number and in idle time. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  /** Those whose `initialize` is not answered yet. They count, or many that begin at once would all be the last. */
  readonly #beginning = new Set<Session>();
  readonly #budget: ReplayBudget | undefined;
  readonly #sweep: NodeJS.Timeout;

  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly options: SessionsOptions,
  ) {
    const { limits } = endpoint;
    if (options.replay) this.#budget = new ReplayBudget(limits);
    const interval = Math.min(limits.sessionIdleMs, options.replay ? limits.replayMs : Infinity, 60_000);
    this.#sweep = setInterval(() => this.#clean(), interval).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Serves a request that names a session; 404 tells a client of an ended one to begin anew. Another's session does not exist either. */
  async serve(id: string, exchange: Exchange): Promise<void> {
    const session = this.#sessions.get(id);
    const principal = identifiedAs(exchange.request);
    if (session === undefined) return refuse(exchange.response, 404, 'Session not found');
    if (session.owner !== principal?.id) {
      this.endpoint.recordRefusal("another principal's session", { transport: 'http', principal });
      return refuse(exchange.response, 404, 'Session not found');
    }
    await this.#handle(session, exchange);
  }

  /** Serves `initialize`, and keeps the session if it succeeds. */
  async begin(exchange: Exchange): Promise<void> {
    if (this.#sessions.size + this.#beginning.size >= this.endpoint.limits.sessions) {
      exchange.response.setHeader('Retry-After', '30');
      return refuse(exchange.response, 503, 'Too many sessions');
    }
    const session = this.#create(identifiedAs(exchange.request)?.id);
    const { transport, server } = session;
    this.#beginning.add(session);
    try {
      // The SDK's own class does not declare its callbacks the way exactOptionalPropertyTypes reads its interface.
      await server.connect(transport);
      await this.#handle(session, exchange);
    } finally {
      this.#beginning.delete(session);
    }
    if (transport.sessionId === undefined || !this.#sessions.has(transport.sessionId)) await server.close();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(sessions.map(({ server }) => server.close()));
  }

  #create(owner: string | undefined): Session {
    const events = this.#budget === undefined ? undefined : new SessionEvents(this.#budget);
    const transport = new SessionTransport({
      sessionIdGenerator: randomUUID,
      retryInterval: this.options.retryMs,
      events,
      slots: this.options.slots,
      onsessioninitialized: (id) => {
        this.#beginning.delete(session);
        this.#sessions.set(id, session);
      },
      onsessionclosed: async (id) => {
        this.#sessions.delete(id);
        await transport.answerAll('Session ended');
      },
    });
    transport.onclose = () => events?.close();
    const server = this.endpoint.createServer({ era: 'legacy', transport: 'http', isLongLived: true });
    const session: Session = { transport, server, events, owner, open: 0, lastUsed: performance.now() };
    return session;
  }

  async #handle(session: Session, { request, response, message, batch }: Exchange): Promise<void> {
    const { transport } = session;
    if (request.method !== 'DELETE' && !acceptsAnswer(request)) {
      return refuse(response, 406, 'Not acceptable: accept application/json and text/event-stream');
    }
    if (batch !== undefined) {
      keepOpen(session, response);
      return answerBatch(batch, { request, response, endpoint: this.endpoint, ...session });
    }
    if (request.method === 'GET' && !this.#mayResume(session, request, response)) return;
    const refusal = message === undefined ? undefined : transport.received(message);
    if (refusal !== undefined) return sendError(response, 400, refusal);
    keepOpen(session, response);
    if (message !== undefined) transport.follow(response, message);
    await transport.handleRequest(request, response, message?.message);
    const cancelled = message === undefined ? undefined : cancelledId(message.message);
    if (cancelled !== undefined) await transport.abandon(cancelled);
  }

  /** Answers a client that names an event after which nothing can follow. */
  #mayResume({ events }: Session, request: IncomingMessage, response: ServerResponse): boolean {
    const eventId = request.headers['last-event-id'];
    if (eventId === undefined || eventId === '') return true;
    const resumption = events?.resumption(String(eventId));
    if (resumption === undefined) {
      // Not 404, which would tell the client that its session is gone.
      refuse(response, 400, 'Bad request: nothing can follow the event that Last-Event-ID names');
      return false;
    }
    if (resumption.isOver) {
      // The one status that tells an event source not to come back (HTML: Server-sent events).
      response.writeHead(204).end();
      return false;
    }
    if (resumption.isOfRequest) this.options.onResumed(response);
    return true;
  }

  #clean(): void {
    this.#budget?.expire();
    const oldest = performance.now() - this.endpoint.limits.sessionIdleMs;
    for (const [id, { server, transport, open, lastUsed }] of this.#sessions) {
      if (open > 0 || transport.isBusy || Math.max(lastUsed, transport.answeredAt) > oldest) continue;
      this.#sessions.delete(id);
      server.close().catch((error: unknown) => this.endpoint.logger.debug(`A session did not close: ${String(error)}`));
    }
  }
}

function keepOpen(session: Session, response: ServerResponse): void {
  session.open += 1;
  response.once('close', () => {
    session.open -= 1;
    session.lastUsed = performance.now();
  });
}
