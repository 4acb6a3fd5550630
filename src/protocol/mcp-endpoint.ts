import type { ServerIdentity } from '../contracts/identity';
import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import type { Era, TransportKind } from '../contracts/mcp-context';
import type { Principal } from '../contracts/principal';
import { ErrorCode, McpError } from '../errors/mcp-error';
import { logUnexpected } from '../invocation/answer-error';
import type { Auditor } from '../invocation/auditor';
import type { CompiledTool } from '../invocation/compile-tool';
import type { OperationRequest } from '../invocation/operation-context';
import type { OperationInvoker } from '../invocation/operation-invoker';
import type { Catalogues } from './catalogues';
import type { Change } from './change';
import { LiveServers } from './live-servers';
import { methodNotFound, MethodTable } from './method-table';
import { PerchServer, type AskedScopes } from './perch-server';
import { Subscriptions } from './subscriptions';

// How the SDK's report of such an answer begins; the rest repeats the answer.
const UNASKED = 'Received a response for an unknown message ID';

/** The one modern revision served (specification 2026-07-28). */
export const MODERN_REVISION = '2026-07-28';

const LAST_WITH_BATCHES = '2025-03-26';

/** What an endpoint serves. */
export interface McpEndpointOptions {
  readonly identity: ServerIdentity;
  readonly limits: Limits;
  readonly logger: LoggerService;
  readonly catalogues: Catalogues;
  readonly invoker: OperationInvoker;
  readonly auditor: Auditor;
  /** Whether batches are answered whatever the revision. */
  readonly acceptsBatches?: boolean;
}

/** How a server is used: for a connection that lives on, or for a single request. */
export interface ServerUse {
  readonly era: Era;
  readonly transport: TransportKind;
  readonly isLongLived: boolean;
  /** The one method a server for a single request will be asked; the SDK itself then refuses an unknown one, with HTTP's status for it. */
  readonly method?: string | undefined;
  /** Whom everybody on a connection without tokens is taken for. */
  readonly principal?: Principal | undefined;
  /** What the client of a single legacy request says it speaks. */
  readonly protocolVersion?: string | undefined;
  /** True where each legacy request is answered alone, so that its client is neither asked nor told anything later. */
  readonly isStateless?: boolean | undefined;
  /** The tool that the request for a single request calls, if its caller may not know of it: the SDK then finds no schema to hold headers against. */
  readonly hiddenTool?: string | undefined;
}

/** One way in, and the endpoint whose way in it is. */
interface Door {
  readonly door: object;
  readonly of: McpEndpoint;
}

/** Answers MCP for one application. Transports ask it for a server for each connection or request; all of them share its methods. */
export class McpEndpoint {
  readonly #methods: MethodTable;
  readonly #live: LiveServers;
  readonly #withHeaders = new WeakMap<CompiledTool, boolean>();

  constructor(
    private readonly options: McpEndpointOptions,
    private readonly through?: Door,
  ) {
    const { catalogues, invoker, limits, logger } = options;
    if (through !== undefined) {
      this.#methods = through.of.#methods;
      this.#live = through.of.#live;
      return;
    }
    this.#methods = new MethodTable({ catalogues, invoker, pageSize: limits.listPage });
    this.#live = new LiveServers(logger);
    for (const list of ['tools', 'resources', 'prompts'] as const) catalogues[list].registry.onChange(() => this.#live.listChanged(list));
    catalogues.resources.registry.onUpdate((updated) => this.#live.tell({ updated }));
  }

  /** The same for one door, so that what comes in through it can be told from the rest (see `RunningCalls.cutOffAll`). */
  atDoor(door: object): McpEndpoint {
    return new McpEndpoint(this.options, { door, of: this });
  }

  get limits(): Limits {
    return this.options.limits;
  }

  get logger(): LoggerService {
    return this.options.logger;
  }

  /** Whether a connection of this revision may send JSON-RPC batches: they ended with 2025-06-18. */
  readonly acceptsBatches = (revision: string | undefined): boolean =>
    this.options.acceptsBatches === true || (revision !== undefined && revision <= LAST_WITH_BATCHES);

  /** A server of its own for each connection or request: two clients never share one. */
  createServer(use: ServerUse): PerchServer {
    const { era, transport, isLongLived, method, principal, hiddenTool, isStateless, protocolVersion } = use;
    const { identity, catalogues, limits } = this.options;
    const { registry: tools, compiled } = catalogues.tools;
    const subscriptions = new Subscriptions(limits.subscriptions);
    const server = new PerchServer({
      identity,
      era,
      transport,
      dispatch:
        method === undefined || this.#methods.get(method, use) !== undefined
          ? (asked, params, call) => this.#dispatch({ method: asked, params, call, isStateless }, subscriptions)
          : undefined,
      principal,
      isStateless,
      protocolVersion,
      door: this.through?.door,
      missingScopes: (asked) => this.#missingScopes(asked, { era, transport }),
      inputSchemaOf: (name) => {
        const entry = name === hiddenTool ? undefined : tools.get(name);
        return entry === undefined ? undefined : compiled(entry).inputSchema;
      },
    });
    server.server.onerror = ({ message }) => {
      if (message.startsWith(UNASKED)) this.options.logger.debug('Dropped an answer to a request that was not made, or is over');
    };
    if (isLongLived) this.#live.follow(server, subscriptions);
    return server;
  }

  /**
   * Whether the headers of a call may be held against the schema of its tool before the call begins: a caller who may not know of the tool
   * would learn of it. Guards are asked only where there are headers to hold.
   */
  async mayHoldHeaders(tool: string, principal: Principal | undefined): Promise<boolean> {
    const { invoker, catalogues } = this.options;
    const entry = catalogues.tools.registry.get(tool);
    if (entry === undefined) return true;
    const operation = catalogues.tools.compiled(entry);
    if (!invoker.dependsOnCaller(operation) || !this.#namesHeaders(operation)) return true;
    return (await invoker.visible([operation], doorRequest({ era: 'modern', transport: 'http' }, principal)))[0] === true;
  }

  #namesHeaders(tool: CompiledTool): boolean {
    const known = this.#withHeaders.get(tool) ?? JSON.stringify(tool.inputSchema).includes('"x-mcp-header"');
    this.#withHeaders.set(tool, known);
    return known;
  }

  /**
   * The `subscriptions/listen` of a modern client, with only those resources left that its caller may follow. The SDK answers it, and
   * acknowledges what is left (specification 2026-07-28, Subscriptions).
   */
  async admitListen<M extends Record<string, unknown>>(message: M, at: Pick<ServerUse, 'transport' | 'principal'>): Promise<M> {
    const params = message['params'] as { readonly notifications?: { readonly resourceSubscriptions?: unknown } } | undefined;
    const uris = params?.notifications?.resourceSubscriptions;
    if (message['method'] !== 'subscriptions/listen' || !Array.isArray(uris) || uris.length === 0) return message;
    const call = doorRequest({ era: 'modern', transport: at.transport }, at.principal);
    const allowed = await Promise.all(uris.map(async (uri) => typeof uri === 'string' && (await this.#methods.mayFollow(uri, call))));
    const kept = uris.filter((_uri, index) => allowed[index]);
    return { ...message, params: { ...params, notifications: { ...params?.notifications, resourceSubscriptions: kept } } };
  }

  async #missingScopes(
    { method, params, principal }: AskedScopes,
    at: Pick<ServerUse, 'era' | 'transport'>,
  ): Promise<readonly string[] | undefined> {
    // Whoever was not asked for a token has none to step up with, and is refused as on any other transport.
    if (principal === undefined) return undefined;
    try {
      const asked = this.#methods.operationOf(method, params);
      return asked === undefined ? undefined : await this.options.invoker.missingScopes(asked, doorRequest(at, principal));
    } catch (error) {
      if (error instanceof McpError) return undefined;
      throw error;
    }
  }

  /** Logs an error nobody meant to happen, and returns the reference to answer with. For transports. */
  logUnexpected(error: unknown, operation: string): string {
    return logUnexpected(error, operation, this.logger);
  }

  /** Records a request that a transport refused before it was known what it asks. `reason` is the framework's, never the client's words. */
  recordRefusal(reason: string, from: Pick<OperationRequest, 'transport' | 'principal'>): void {
    this.options.auditor.record(
      { operation: undefined, name: undefined, request: from, startedAt: performance.now() },
      { outcome: 'refused', reason },
    );
  }

  /** Calls `listener` with every change, for subscriptions that no long-lived server carries; the result stops that. */
  onChange(listener: (change: Change) => void): () => void {
    return this.#live.onChange(listener);
  }

  /** Answers one request. Rejects with an `McpError` only; what else is thrown is logged and becomes one. */
  async #dispatch({ method, params, call, isStateless }: AskedRequest, subscriptions: Subscriptions): Promise<unknown> {
    if (call.era === 'modern' && call.protocolVersion !== MODERN_REVISION) throw unsupportedVersion(call.protocolVersion);
    const answer = this.#methods.get(method, { era: call.era, isStateless });
    if (answer === undefined) throw methodNotFound();
    try {
      return await answer(params, call, subscriptions);
    } catch (error) {
      if (error instanceof McpError && isSendable(error.data)) throw error;
      const reference = logUnexpected(error, `Method ${method}`, this.logger);
      throw new McpError(ErrorCode.InternalError, `Internal error (ref ${reference})`);
    }
  }
}

/** What is known of a request at the door. */
function doorRequest({ era, transport }: Pick<ServerUse, 'era' | 'transport'>, principal: Principal | undefined): OperationRequest {
  return { requestId: '', era, protocolVersion: era === 'modern' ? MODERN_REVISION : '', transport, principal };
}

/** One request, as a server hands it over. */
interface AskedRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly call: OperationRequest;
  readonly isStateless: boolean | undefined;
}

function unsupportedVersion(requested: string): McpError {
  return new McpError(ErrorCode.UnsupportedProtocolVersion, 'Unsupported protocol version', { supported: [MODERN_REVISION], requested });
}

/** An author's `data` may hold a cycle or a BigInt; the request must be answered all the same. */
function isSendable(data: unknown): boolean {
  try {
    JSON.stringify(data);
    return true;
  } catch {
    return false;
  }
}
