import type { ServerIdentity } from '../contracts/identity';
import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import type { Era, TransportKind } from '../contracts/mcp-context';
import { ErrorCode, McpError } from '../errors/mcp-error';
import { logUnexpected } from '../invocation/answer-error';
import type { OperationRequest } from '../invocation/operation-context';
import type { OperationInvoker } from '../invocation/operation-invoker';
import type { Catalogues } from './catalogues';
import type { Change } from './change';
import { LiveServers } from './live-servers';
import { methodNotFound, MethodTable } from './method-table';
import { PerchServer } from './perch-server';
import { Subscriptions } from './subscriptions';

/** The one modern revision served (specification 2026-07-28). */
export const MODERN_REVISION = '2026-07-28';

/** What an endpoint serves. */
export interface McpEndpointOptions {
  readonly identity: ServerIdentity;
  readonly limits: Limits;
  readonly logger: LoggerService;
  readonly catalogues: Catalogues;
  readonly invoker: OperationInvoker;
}

/** How a server is used: for a connection that lives on, or for a single request. */
export interface ServerUse {
  readonly era: Era;
  readonly transport: TransportKind;
  readonly isLongLived: boolean;
  /** The one method a server for a single request will be asked; the SDK itself then refuses an unknown one, with HTTP's status for it. */
  readonly method?: string | undefined;
}

/** Answers MCP for one application. Transports ask it for a server for each connection or request; all of them share its methods. */
export class McpEndpoint {
  readonly #methods: MethodTable;
  readonly #live: LiveServers;

  constructor(private readonly options: McpEndpointOptions) {
    const { catalogues, invoker, limits, logger } = options;
    this.#methods = new MethodTable({ catalogues, invoker, pageSize: limits.listPage });
    this.#live = new LiveServers(logger);
    for (const list of ['tools', 'resources', 'prompts'] as const) catalogues[list].registry.onChange(() => this.#live.listChanged(list));
    catalogues.resources.registry.onUpdate((updated) => this.#live.tell({ updated }));
  }

  get limits(): Limits {
    return this.options.limits;
  }

  get logger(): LoggerService {
    return this.options.logger;
  }

  /** A server of its own for each connection or request: two clients never share one. */
  createServer({ era, transport, isLongLived, method }: ServerUse): PerchServer {
    const { identity, catalogues, limits } = this.options;
    const { registry: tools, compiled } = catalogues.tools;
    const subscriptions = new Subscriptions(limits.subscriptions);
    const server = new PerchServer({
      identity,
      era,
      transport,
      dispatch:
        method === undefined || this.#methods.get(method, era) !== undefined
          ? (asked, params, call) => this.#dispatch({ method: asked, params, call }, subscriptions)
          : undefined,
      inputSchemaOf: (name) => {
        const entry = tools.get(name);
        return entry === undefined ? undefined : compiled(entry).inputSchema;
      },
    });
    if (isLongLived) this.#live.follow(server, subscriptions);
    return server;
  }

  /** Logs an error nobody meant to happen, and returns the reference to answer with. For transports. */
  logUnexpected(error: unknown, operation: string): string {
    return logUnexpected(error, operation, this.logger);
  }

  /** Calls `listener` with every change, for subscriptions that no long-lived server carries; the result stops that. */
  onChange(listener: (change: Change) => void): () => void {
    return this.#live.onChange(listener);
  }

  /** Answers one request. Rejects with an `McpError` only; what else is thrown is logged and becomes one. */
  async #dispatch({ method, params, call }: AskedRequest, subscriptions: Subscriptions): Promise<unknown> {
    if (call.era === 'modern' && call.protocolVersion !== MODERN_REVISION) throw unsupportedVersion(call.protocolVersion);
    const answer = this.#methods.get(method, call.era);
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

/** One request, as a server hands it over. */
interface AskedRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly call: OperationRequest;
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
