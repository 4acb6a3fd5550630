import type { ServerContext } from '@modelcontextprotocol/server';
import type { ClientInfo, Era, TransportKind } from '../contracts/mcp-context';
import type { OperationRequest } from '../invocation/operation-context';

/** The connection a request came in on, as far as handlers may know it. */
export interface Connection {
  readonly era: Era;
  readonly transport: TransportKind;
  /** What the handshake of a legacy connection agreed on; undefined before it. */
  readonly negotiated: () => { readonly protocolVersion: string | undefined; readonly client: ClientInfo | undefined };
}

// Specification 2026-07-28: the keys of the per-request envelope.
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';

/** Describes one request to the invoker, from the SDK's context of it. */
export function servedCall(context: ServerContext, connection: Connection): OperationRequest {
  const { id, signal, _meta } = context.mcpReq;
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  const negotiated = connection.negotiated();
  return {
    requestId: id,
    era: connection.era,
    protocolVersion: revisionOf(context) ?? negotiated.protocolVersion ?? '',
    transport: connection.transport,
    client: connection.era === 'modern' ? (envelope?.[CLIENT_KEY] as ClientInfo | undefined) : negotiated.client,
    session: context.sessionId,
    meta: _meta,
    signal,
  };
}

/** The revision that a modern request names in its envelope. */
export function revisionOf(context: ServerContext): string | undefined {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  const revision = envelope?.[VERSION_KEY];
  return typeof revision === 'string' ? revision : undefined;
}
