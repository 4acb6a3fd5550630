import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler, type NodeMcpRequestHandler } from '@modelcontextprotocol/node';
import { classifyInboundRequest, createMcpHandler, type McpHttpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import { ErrorCode } from '../../errors/mcp-error';
import { printable } from '../../errors/registry-errors';
import { claimedRevision } from '../../protocol/check-meta';
import { checkMessage, type GoodMessage } from '../../protocol/check-message';
import { errorAnswer, type MessageId } from '../../protocol/json-rpc';
import { MODERN_REVISION, type McpEndpoint } from '../../protocol/mcp-endpoint';
import type { Change } from '../../protocol/change';
import type { PerchServer } from '../../protocol/perch-server';
import { identifiedAs, principalOf } from '../../protocol/served-call';
import { batchNotAccepted, problemOfBatch } from '../check-batch';
import { acceptsEvents } from './accept';
import { REFUSED, refuse, sendError } from './answers';
import { CallSlots } from './call-slots';
import { cutMismatch } from './cut-mismatch';
import { readJsonBody } from './read-body';
import { Sessions, type SessionsOptions } from './sessions';
import { Stateless } from './stateless';
import type { StreamingResponse } from './streaming-response';

const LONGEST_REVISION = 100;

/** How the route is served. */
export interface McpRouteOptions {
  /** False serves the legacy era without sessions. */
  readonly sessions: Omit<SessionsOptions, 'slots'> | false;
  /** Told of an answer that stays open by design. */
  readonly onStream: (response: ServerResponse) => void;
}

/** Serves `/mcp`: legacy sessions and modern stateless requests, told apart request by request. */
export class McpRoute {
  readonly #slots: CallSlots;
  readonly #sessions: Sessions | undefined;
  readonly #stateless: Stateless;
  readonly #modern: McpHttpHandler;
  readonly #serveModern: NodeMcpRequestHandler;
  readonly #forgetChanges: () => void;

  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly options: McpRouteOptions,
  ) {
    this.#slots = new CallSlots(endpoint.limits.httpCalls);
    if (options.sessions !== false) this.#sessions = new Sessions(endpoint, { ...options.sessions, slots: this.#slots });
    this.#stateless = new Stateless(endpoint, this.#slots);
    this.#modern = createMcpHandler((use) => this.#serverFor(use), {
      legacy: 'reject',
      maxRequestBodySize: endpoint.limits.messageBytes,
      // It repeats what callers sent.
      onerror: (error) => endpoint.logger.debug(`http: ${printable(error.message)}`),
    });
    const fetch: McpHttpHandler['fetch'] = async (...asked) => cutMismatch(await this.#modern.fetch(...asked));
    this.#serveModern = toNodeHandler({ fetch }, { maxRequestBodySize: endpoint.limits.messageBytes });
    this.#forgetChanges = endpoint.onChange((change) => this.#tell(change));
  }

  async serve(request: IncomingMessage, response: StreamingResponse): Promise<void> {
    if (request.method === 'POST') return this.#post(request, response);
    if (request.method === 'GET' || request.method === 'DELETE') return this.#withoutBody(request, response);
    response.setHeader('Allow', this.#sessions === undefined ? 'POST' : 'POST, GET, DELETE');
    refuse(response, 405, 'Method not allowed');
  }

  async close(): Promise<void> {
    this.#forgetChanges();
    await Promise.all([this.#sessions?.close(), this.#stateless.close(), this.#modern.close()]);
  }

  #tell(change: Change): void {
    const { notify } = this.#modern;
    if ('updated' in change) return notify.resourceUpdated(change.updated);
    if (change.list === 'tools') return notify.toolsChanged();
    return change.list === 'prompts' ? notify.promptsChanged() : notify.resourcesChanged();
  }

  /** The SDK asks for one only after the header has been found to repeat the body. */
  async #serverFor({ era, requestInfo, authInfo }: McpRequestContext): Promise<PerchServer> {
    const method = requestInfo?.headers.get('mcp-method') ?? undefined;
    const tool = method === 'tools/call' ? (requestInfo?.headers.get('mcp-name') ?? undefined) : undefined;
    const hiddenTool = tool !== undefined && !(await this.endpoint.mayHoldHeaders(tool, principalOf(authInfo))) ? tool : undefined;
    return this.endpoint.createServer({ era, transport: 'http', isLongLived: false, method, hiddenTool });
  }

  async #post(request: IncomingMessage, response: StreamingResponse): Promise<void> {
    const body = await readJsonBody(request, response, this.endpoint.limits);
    if ('status' in body) return sendError(response, body.status, body.answer);
    if (Array.isArray(body.value)) return this.#postBatch(request, response, body.value);
    const checked = checkMessage(body.value, this.endpoint.limits);
    if (checked.kind !== 'bad') return this.#route(request, response, checked);
    if (checked.answer !== undefined) return sendError(response, 400, checked.answer);
    this.endpoint.logger.debug('http: dropped a message that means nothing here and may not be answered');
    response.writeHead(202).end();
  }

  /** Revision 2026-07-28 repeats one message in the headers, so only sessions have batches. */
  async #postBatch(request: IncomingMessage, response: StreamingResponse, batch: readonly unknown[]): Promise<void> {
    const session = header(request, 'mcp-session-id');
    const isModern = header(request, 'mcp-protocol-version') === MODERN_REVISION;
    if (session === undefined || isModern || this.#sessions === undefined)
      return sendError(response, 400, problemOfBatch(batch, this.endpoint.limits) ?? batchNotAccepted());
    await this.#sessions.serve(session, { request, response, batch });
  }

  async #route(request: IncomingMessage, response: StreamingResponse, checked: GoodMessage): Promise<void> {
    const { message, kind } = checked;
    if (claimedRevision(message) === undefined && refusesRevision(request, response)) return;
    const isCall = kind === 'request' && message['method'] !== 'subscriptions/listen';
    if (isCall && this.#slots.isFull) {
      response.setHeader('Retry-After', '1');
      return sendError(response, 503, errorAnswer(message['id'] as MessageId, REFUSED, 'Too many requests are being answered'));
    }
    if (isLegacy(request, message)) return this.#answerLegacy(request, response, checked);
    if (isCall) this.#followCall(request, response, message['id'] as MessageId);
    await this.#answerModern(request, response, message);
  }

  async #answerLegacy(request: IncomingMessage, response: StreamingResponse, checked: GoodMessage): Promise<void> {
    const exchange = { request, response, message: checked };
    if (this.#sessions === undefined) return this.#stateless.serve(exchange);
    const session = header(request, 'mcp-session-id');
    if (session !== undefined) return this.#sessions.serve(session, exchange);
    const { message } = checked;
    if (message['method'] === 'initialize') return this.#sessions.begin(exchange);
    // An answer that nobody waits for has an id of its own, which is no request's.
    const id = checked.kind === 'request' ? (message['id'] as MessageId) : null;
    sendError(
      response,
      400,
      errorAnswer(id, ErrorCode.InvalidRequest, 'Invalid request: send initialize first, then the Mcp-Session-Id it was answered with'),
    );
  }

  #followCall(request: IncomingMessage, response: StreamingResponse, id: MessageId): void {
    response.once('close', this.#slots.take());
    if (acceptsEvents(request)) response.becomeEventsAfter(this.endpoint.limits.silentMs, id);
  }

  async #answerModern(request: IncomingMessage, response: StreamingResponse, message: Record<string, unknown>): Promise<void> {
    if (message['method'] === 'subscriptions/listen') this.options.onStream(response);
    const admitted = await this.endpoint.admitListen(message, { transport: 'http', principal: identifiedAs(request) });
    // IncomingMessage declares `method?: string | undefined`, which exactOptionalPropertyTypes keeps apart from `method?: string`.
    await this.#serveModern(request as Parameters<NodeMcpRequestHandler>[0], response, admitted);
  }

  /** GET opens a session's stream and DELETE ends it; both are of the legacy era only. */
  async #withoutBody(request: IncomingMessage, response: StreamingResponse): Promise<void> {
    if (this.#sessions === undefined || header(request, 'mcp-protocol-version') === MODERN_REVISION) {
      response.setHeader('Allow', 'POST');
      return refuse(response, 405, 'Method not allowed');
    }
    if (refusesRevision(request, response)) return;
    const session = header(request, 'mcp-session-id');
    if (session === undefined) return refuse(response, 400, 'Mcp-Session-Id header is required');
    await this.#sessions.serve(session, { request, response });
  }
}

/** True for a request whose revision is far too long to be one; the SDK would repeat it in full. */
function refusesRevision(request: IncomingMessage, response: ServerResponse): boolean {
  const isRevision = (header(request, 'mcp-protocol-version') ?? '').length <= LONGEST_REVISION;
  if (!isRevision) refuse(response, 400, 'Bad request: unsupported protocol version');
  return !isRevision;
}

function isLegacy(request: IncomingMessage, body: unknown): boolean {
  const headers = {
    protocolVersionHeader: header(request, 'mcp-protocol-version'),
    mcpMethodHeader: header(request, 'mcp-method'),
    mcpNameHeader: header(request, 'mcp-name'),
  };
  const present = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return classifyInboundRequest({ httpMethod: request.method ?? 'POST', ...present, body }).kind === 'legacy';
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
