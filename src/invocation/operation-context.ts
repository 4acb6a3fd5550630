import { McpContext, type ClientInfo, type Era, type TransportKind } from '../contracts/mcp-context';

/** What the protocol knows of a request when it hands it over. */
export interface OperationRequest {
  readonly requestId: string | number;
  readonly era: Era;
  readonly protocolVersion: string;
  readonly transport: TransportKind;
  readonly client?: ClientInfo | undefined;
  readonly session?: string | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Aborts when the client cancels or its connection ends. */
  readonly signal?: AbortSignal | undefined;
}

const NO_META = Object.freeze({});

/** The context of one running operation. Frozen, so that nothing a handler does to it reaches another. */
export class OperationContext extends McpContext {
  readonly requestId: string | number;
  readonly era: Era;
  readonly protocolVersion: string;
  readonly transport: TransportKind;
  readonly client: ClientInfo | undefined;
  readonly session: string | undefined;
  readonly meta: Readonly<Record<string, unknown>>;

  constructor(
    request: OperationRequest,
    readonly signal: AbortSignal,
  ) {
    super();
    this.requestId = request.requestId;
    this.era = request.era;
    this.protocolVersion = request.protocolVersion;
    this.transport = request.transport;
    this.client = request.client;
    this.session = request.session;
    this.meta = request.meta ?? NO_META;
    Object.freeze(this);
  }
}
