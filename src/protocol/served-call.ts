import type { ServerContext } from '@modelcontextprotocol/server';
import type { ClientCapabilities, ClientChannel, RoundInput } from '../contracts/client-channel';
import type { ClientInfo, Era, TransportKind } from '../contracts/mcp-context';
import type { Principal } from '../contracts/principal';
import type { OperationRequest } from '../invocation/operation-context';

/** The connection a request came in on, as far as handlers may know it. */
export interface Connection {
  readonly era: Era;
  readonly transport: TransportKind;
  /** Whom everybody on this connection is taken for; over HTTP each request says it anew. */
  readonly principal?: Principal | undefined;
  /** What the client of a single request says it speaks, where there is no handshake. */
  readonly protocolVersion?: string | undefined;
  /** True where each request is answered alone, so that nothing leads back to the client. */
  readonly isStateless?: boolean | undefined;
  /** What it came in through, if that can be shut alone. */
  readonly door?: object | undefined;
  /** What the handshake of a legacy connection agreed on; undefined before it. */
  readonly negotiated: () => {
    readonly protocolVersion: string | undefined;
    readonly client: ClientInfo | undefined;
    readonly capabilities: unknown;
  };
}

const NO_SESSION = 'The client cannot be asked: the server was started with sessions: false, so nothing leads back to it';

// Specification 2026-07-28: the keys of the per-request envelope.
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';

/** Describes one request to the invoker, from the SDK's context of it. */
export function servedCall(context: ServerContext, connection: Connection): OperationRequest {
  const { id, signal, _meta } = context.mcpReq;
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  const negotiated = connection.negotiated();
  return {
    requestId: id,
    era: connection.era,
    protocolVersion: revisionOf(context) ?? negotiated.protocolVersion ?? connection.protocolVersion ?? '',
    transport: connection.transport,
    client: connection.era === 'modern' ? (envelope?.[CLIENT_KEY] as ClientInfo | undefined) : negotiated.client,
    session: context.sessionId,
    principal: principalOf(context.http?.authInfo) ?? connection.principal,
    meta: _meta,
    signal,
    door: connection.door,
    channel: channelOf(context, connection),
    round: connection.era === 'modern' ? roundOf(context) : undefined,
  };
}

/** What the SDK carries for us from the door to the request. */
export type CarriedAuth = NonNullable<NonNullable<ServerContext['http']>['authInfo']>;

/** Puts a principal into what the SDK carries. The token itself is left behind. */
export function carry(principal: Principal): CarriedAuth {
  return { token: '', clientId: principal.id, scopes: [...principal.scopes], extra: { principal } };
}

/**
 * Puts a principal onto a request of Node's, from where the SDK takes it in both eras. `resourceMetadataUrl` is where the SDK's challenges
 * send a caller who needs another token.
 */
export function identify(request: object, principal: Principal, resourceMetadataUrl?: string): void {
  (request as { auth?: CarriedAuth }).auth = {
    ...carry(principal),
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
  };
}

/** The principal of a request of Node's, if one was put there. */
export function identifiedAs(request: object): Principal | undefined {
  return principalOf((request as { readonly auth?: CarriedAuth }).auth);
}

/** The principal that {@link carry} put there. */
export function principalOf(carried: CarriedAuth | undefined): Principal | undefined {
  return carried?.extra?.['principal'] as Principal | undefined;
}

function channelOf(context: ServerContext, connection: Connection): ClientChannel {
  const { mcpReq, http } = context;
  const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
  return {
    capabilities: (connection.era === 'modern' ? envelope?.[CAPABILITIES_KEY] : connection.negotiated().capabilities) as
      ClientCapabilities | undefined,
    cannotAsk: connection.isStateless === true ? NO_SESSION : undefined,
    // A client that has gone is told nothing, and its handler has nothing to handle.
    notify: (method, params) => mcpReq.notify({ method, params }).catch(() => undefined),
    log: (level, data, logger) => mcpReq.log(level, data, logger).catch(() => undefined),
    request: (method, params, { timeoutMs, signal }) =>
      mcpReq.send({ method, params } as Parameters<typeof mcpReq.send>[0], { timeout: timeoutMs, signal } as never),
    closeStream: http?.closeSSE,
  };
}

function roundOf({ mcpReq }: ServerContext): RoundInput {
  const state: unknown = mcpReq.requestState();
  return { responses: mcpReq.inputResponses ?? {}, state: typeof state === 'string' ? state : undefined };
}

/** The revision that a modern request names in its envelope. */
export function revisionOf(context: ServerContext): string | undefined {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  const revision = envelope?.[VERSION_KEY];
  return typeof revision === 'string' ? revision : undefined;
}
