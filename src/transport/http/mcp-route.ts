import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler, type NodeMcpRequestHandler } from '@modelcontextprotocol/node';
import { classifyInboundRequest, createMcpHandler, type McpHttpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import { ErrorCode } from '../../errors/mcp-error';
import { checkMessage, type GoodMessage } from '../../protocol/check-message';
import { errorAnswer } from '../../protocol/json-rpc';
import { MODERN_REVISION, type McpEndpoint } from '../../protocol/mcp-endpoint';
import type { Change } from '../../protocol/change';
import type { PerchServer } from '../../protocol/perch-server';
import { identifiedAs, principalOf } from '../../protocol/served-call';
import { batchNotAccepted, problemOfBatch } from '../check-batch';
import { refuse, sendError } from './answers';
import { readJsonBody } from './read-body';
import { Sessions, type SessionsOptions } from './sessions';

/** How the route is served. */
export interface McpRouteOptions {
  readonly sessions: SessionsOptions;
  /** Told of an answer that stays open by design. */
  readonly onStream: (response: ServerResponse) => void;
}

/** Serves `/mcp`: legacy sessions and modern stateless requests, told apart request by request. */
export class McpRoute {
  readonly #sessions: Sessions;
  readonly #modern: McpHttpHandler;
  readonly #serveModern: NodeMcpRequestHandler;
  readonly #forgetChanges: () => void;

  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly options: McpRouteOptions,
  ) {
    this.#sessions = new Sessions(endpoint, options.sessions);
    this.#modern = createMcpHandler((use) => this.#serverFor(use), {
      legacy: 'reject',
      maxRequestBodySize: endpoint.limits.messageBytes,
      onerror: (error) => endpoint.logger.debug(`http: ${error.message}`),
    });
    this.#serveModern = toNodeHandler(this.#modern, { maxRequestBodySize: endpoint.limits.messageBytes });
    this.#forgetChanges = endpoint.onChange((change) => this.#tell(change));
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') return this.#post(request, response);
    if (request.method === 'GET' || request.method === 'DELETE') return this.#withoutBody(request, response);
    response.setHeader('Allow', 'POST, GET, DELETE');
    refuse(response, 405, 'Method not allowed');
  }

  async close(): Promise<void> {
    this.#forgetChanges();
    await Promise.all([this.#sessions.close(), this.#modern.close()]);
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

  async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJsonBody(request, response, this.endpoint.limits.messageBytes);
    if ('status' in body) return sendError(response, body.status, body.answer);
    if (Array.isArray(body.value)) return this.#postBatch(request, response, body.value);
    const checked = checkMessage(body.value, this.endpoint.limits);
    if (checked.kind !== 'bad') return this.#route(request, response, checked);
    if (checked.answer !== undefined) return sendError(response, 400, checked.answer);
    response.writeHead(202).end();
  }

  /** Revision 2026-07-28 repeats one message in the headers, so only sessions have batches. */
  async #postBatch(request: IncomingMessage, response: ServerResponse, batch: readonly unknown[]): Promise<void> {
    const session = header(request, 'mcp-session-id');
    const isModern = header(request, 'mcp-protocol-version') === MODERN_REVISION;
    if (session !== undefined && !isModern) return this.#sessions.serve(session, { request, response, batch });
    sendError(response, 400, problemOfBatch(batch, this.endpoint.limits) ?? batchNotAccepted());
  }

  async #route(request: IncomingMessage, response: ServerResponse, checked: GoodMessage): Promise<void> {
    const { message } = checked;
    if (!isLegacy(request, message)) return this.#answerModern(request, response, message);
    const session = header(request, 'mcp-session-id');
    if (session !== undefined) return this.#sessions.serve(session, { request, response, message: checked });
    if (message['method'] === 'initialize') return this.#sessions.begin({ request, response, message: checked });
    const id = (message['id'] as string | number | undefined) ?? null;
    sendError(
      response,
      400,
      errorAnswer(id, ErrorCode.InvalidRequest, 'Invalid request: send initialize first, then the Mcp-Session-Id it was answered with'),
    );
  }

  async #answerModern(request: IncomingMessage, response: ServerResponse, message: Record<string, unknown>): Promise<void> {
    if (message['method'] === 'subscriptions/listen') this.options.onStream(response);
    const admitted = await this.endpoint.admitListen(message, { transport: 'http', principal: identifiedAs(request) });
    // IncomingMessage declares `method?: string | undefined`, which exactOptionalPropertyTypes keeps apart from `method?: string`.
    await this.#serveModern(request as Parameters<NodeMcpRequestHandler>[0], response, admitted);
  }

  /** GET opens a session's stream and DELETE ends it; both are of the legacy era only. */
  async #withoutBody(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (header(request, 'mcp-protocol-version') === MODERN_REVISION) {
      response.setHeader('Allow', 'POST');
      return refuse(response, 405, 'Method not allowed');
    }
    const session = header(request, 'mcp-session-id');
    if (session === undefined) return refuse(response, 400, 'Mcp-Session-Id header is required');
    await this.#sessions.serve(session, { request, response });
  }
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
