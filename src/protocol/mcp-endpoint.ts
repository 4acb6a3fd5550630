import type { ServerIdentity } from '../contracts/identity';
import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import type { Era, TransportKind } from '../contracts/mcp-context';
import type { ToolEntry } from '../contracts/tool';
import { ErrorCode, McpError } from '../errors/mcp-error';
import { logUnexpected } from '../invocation/answer-error';
import type { CompiledTool } from '../invocation/compile-tool';
import type { OperationInvoker } from '../invocation/operation-invoker';
import type { ToolRegistry } from '../registry/tool-registry';
import { methodTable, type Method } from './method-table';
import { PerchServer, type Dispatch } from './perch-server';
import { ToolList } from './tool-list';

/** The one modern revision served (specification 2026-07-28). */
export const MODERN_REVISION = '2026-07-28';

/** What an endpoint serves. */
export interface McpEndpointOptions {
  readonly identity: ServerIdentity;
  readonly limits: Limits;
  readonly logger: LoggerService;
  readonly tools: ToolRegistry;
  readonly invoker: OperationInvoker;
  readonly compiled: (entry: ToolEntry) => CompiledTool;
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
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #live = new Set<PerchServer>();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly options: McpEndpointOptions) {
    const { tools, invoker, compiled } = options;
    this.#methods = methodTable({ tools, invoker, compiled, toolList: new ToolList(tools, compiled) });
    tools.onChange(() => this.#tellClients());
  }

  get limits(): Limits {
    return this.options.limits;
  }

  get logger(): LoggerService {
    return this.options.logger;
  }

  /** A server of its own for each connection or request: two clients never share one. */
  createServer({ era, transport, isLongLived, method }: ServerUse): PerchServer {
    const { identity, tools, compiled } = this.options;
    const server = new PerchServer({
      identity,
      era,
      transport,
      dispatch: method === undefined || this.#methods.has(method) ? this.#dispatch : undefined,
      inputSchemaOf: (name) => {
        const entry = tools.get(name);
        return entry === undefined ? undefined : compiled(entry).inputSchema;
      },
    });
    if (isLongLived) this.#follow(server);
    return server;
  }

  /** Logs an error nobody meant to happen, and returns the reference to answer with. For transports. */
  logUnexpected(error: unknown, operation: string): string {
    return logUnexpected(error, operation, this.logger);
  }

  /** Calls `listener` when the tools change, for subscriptions that no long-lived server carries; the result stops that. */
  onToolsChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Answers one request. Rejects with an `McpError` only; what else is thrown is logged and becomes one. */
  readonly #dispatch: Dispatch = async (method, params, call) => {
    if (call.era === 'modern' && call.protocolVersion !== MODERN_REVISION) throw unsupportedVersion(call.protocolVersion);
    const answer = this.#methods.get(method);
    if (answer === undefined) throw new McpError(ErrorCode.MethodNotFound, 'Method not found');
    try {
      return await answer(params, call);
    } catch (error) {
      if (error instanceof McpError && isSendable(error.data)) throw error;
      const reference = logUnexpected(error, `Method ${method}`, this.logger);
      throw new McpError(ErrorCode.InternalError, `Internal error (ref ${reference})`);
    }
  };

  #follow(server: PerchServer): void {
    this.#live.add(server);
    const { onclose } = server.server;
    server.server.onclose = () => {
      this.#live.delete(server);
      onclose?.();
    };
  }

  #tellClients(): void {
    for (const server of this.#live) {
      if (!server.isConnected()) continue;
      server.server.sendToolListChanged().catch((error: unknown) => this.logger.debug(`A client was not told of a change: ${String(error)}`));
    }
    for (const listener of this.#listeners) listener();
  }
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
