import { McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { TransportKind, Era } from '../contracts/mcp-context';
import type { ServerIdentity } from '../contracts/identity';
import type { Principal } from '../contracts/principal';
import type { JsonSchema } from '../contracts/schema-source';
import { principalOf, servedCall, type Connection } from './served-call';
import type { OperationRequest } from '../invocation/operation-context';
import type { Change } from './change';
import type { Subscriptions } from './subscriptions';

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
  /** What the client of a single request says it speaks. */
  readonly protocolVersion?: string | undefined;
  /** True for a legacy server of a single request. */
  readonly isStateless?: boolean | undefined;
  /** What its requests came in through, if that can be shut alone. */
  readonly door?: object | undefined;
  /** Whom everybody on a connection without tokens is taken for. */
  readonly principal?: Principal | undefined;
  /** The scopes that a request lacks. Only asked where the transport can answer with a challenge. */
  readonly missingScopes: (asked: AskedScopes) => Promise<readonly string[] | undefined>;
}

/** A request, before it begins. */
export interface AskedScopes {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly principal: Principal | undefined;
}

/** Everything an application can serve, also what is registered later. */
const CAPABILITIES = {
  logging: {},
  completions: {},
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
};

/** Nobody can be told of a change where each request is answered alone. */
const WITHOUT_CHANGES = { logging: {}, completions: {}, tools: {}, prompts: {}, resources: {} };

/**
 * The SDK's server for one connection or one request. It keeps the handshake, the envelope and the framing, and hands every other
 * request to `dispatch`: as the fallback handler, which the SDK calls without parsing params and results a second time.
 */
export class PerchServer extends McpServer {
  readonly #inputSchemaOf: PerchServerOptions['inputSchemaOf'];
  readonly #era: Era;

  constructor(options: PerchServerOptions) {
    const { identity, era, transport, dispatch, inputSchemaOf, principal, missingScopes, isStateless, protocolVersion, door } = options;
    const { instructions, ...info } = identity;
    super(info as ConstructorParameters<typeof McpServer>[0], instructions === undefined ? {} : { instructions });
    this.#inputSchemaOf = inputSchemaOf;
    this.#era = era;
    this.server.registerCapabilities(isStateless === true ? WITHOUT_CHANGES : CAPABILITIES);
    this.resolveScopeChallenge = async ({ request: { method, params = {} }, authInfo }) => {
      const [first, ...more] = (await missingScopes({ method, params, principal: principalOf(authInfo) })) ?? [];
      return first === undefined ? undefined : { scopes: [first, ...more] };
    };
    const connection: Connection = { ...this.#connection(era, transport), principal, isStateless, protocolVersion, door };
    if (dispatch === undefined) return;
    this.server.fallbackRequestHandler = async (request, context: ServerContext) =>
      (await dispatch(request.method, request.params ?? {}, servedCall(context, connection))) as Record<string, unknown>;
  }

  /** The SDK compares `Mcp-Param-*` headers with this before it dispatches a modern `tools/call`. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#inputSchemaOf(name);
  }

  /** Tells the client of a change that it follows. Over a modern stream the SDK asks its own list of what is followed. */
  async tell(change: Change, subscriptions: Subscriptions): Promise<void> {
    if ('updated' in change) {
      if (this.#era === 'modern' || subscriptions.has(change.updated)) await this.server.sendResourceUpdated({ uri: change.updated });
      return;
    }
    if (change.list === 'tools') return this.server.sendToolListChanged();
    return change.list === 'prompts' ? this.server.sendPromptListChanged() : this.server.sendResourceListChanged();
  }

  #connection(era: Era, transport: TransportKind): Connection {
    return {
      era,
      transport,
      negotiated: () => ({
        protocolVersion: this.server.getNegotiatedProtocolVersion(),
        client: this.server.getClientVersion(),
        capabilities: this.server.getClientCapabilities(),
      }),
    };
  }
}
