import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { TransportKind, Era } from '../contracts/mcp-context';
import type { ServerIdentity } from '../contracts/identity';
import type { JsonSchema } from '../contracts/schema-source';
import { servedCall, type Connection } from './served-call';
import type { OperationRequest } from '../invocation/operation-context';

/** Answers one request that the SDK has framed and whose envelope it has checked. */
export type Dispatch = (method: string, params: Readonly<Record<string, unknown>>, call: OperationRequest) => Promise<unknown>;

/** What a server is made with. */
export interface PerchServerOptions {
  readonly identity: ServerIdentity;
  readonly era: Era;
  readonly transport: TransportKind;
  /** Undefined when it is known that nothing will be asked that `dispatch` answers. */
  readonly dispatch: Dispatch | undefined;
  readonly inputSchemaOf: (tool: string) => JsonSchema | undefined;
}

/**
 * The SDK's server for one connection or one request. It keeps the handshake, the envelope and the framing, and hands every other
 * request to `dispatch`: as the fallback handler, which the SDK calls without parsing params and results a second time.
 */
export class PerchServer extends McpServer {
  readonly #inputSchemaOf: PerchServerOptions['inputSchemaOf'];

  constructor({ identity, era, transport, dispatch, inputSchemaOf }: PerchServerOptions) {
    const { instructions, ...info } = identity;
    super(info as ConstructorParameters<typeof McpServer>[0], instructions === undefined ? {} : { instructions });
    this.#inputSchemaOf = inputSchemaOf;
    this.server.registerCapabilities({ logging: {}, tools: { listChanged: true } });
    const connection = this.#connection(era, transport);
    if (dispatch === undefined) return;
    this.server.fallbackRequestHandler = async (request, context: ServerContext) =>
      (await dispatch(request.method, request.params ?? {}, servedCall(context, connection))) as Record<string, unknown>;
  }

  /** The SDK compares `Mcp-Param-*` headers with this before it dispatches a modern `tools/call`. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#inputSchemaOf(name);
  }

  #connection(era: Era, transport: TransportKind): Connection {
    return {
      era,
      transport,
      negotiated: () => ({ protocolVersion: this.server.getNegotiatedProtocolVersion(), client: this.server.getClientVersion(), capabilities: this.server.getClientCapabilities() }),
    };
  }
}
