import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpEndpoint } from '../../protocol/mcp-endpoint';
import type { PerchServer } from '../../protocol/perch-server';
import { carry, identifiedAs } from '../../protocol/served-call';
import { batchNotAccepted, problemOfBatch } from '../check-batch';
import { refuse, sendError, sendJson } from './answers';
import type { SessionTransport } from './session-transport';

/** A batch's request and response, and the session it came in for. */
export interface BatchExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly endpoint: McpEndpoint;
  readonly transport: SessionTransport;
  readonly server: PerchServer;
}

/** Answers a batch with one JSON array when all of it is done, or with 202 where nothing is to be answered. */
export async function answerBatch(batch: readonly unknown[], exchange: BatchExchange): Promise<void> {
  const { request, response, endpoint, transport, server } = exchange;
  const revision = server.server.getNegotiatedProtocolVersion();
  const named = request.headers['mcp-protocol-version'];
  if (named !== undefined && named !== revision) return refuse(response, 400, 'Bad request: the session has another protocol version');
  const problem = problemOfBatch(batch, endpoint.limits) ?? (endpoint.acceptsBatches(revision) ? undefined : batchNotAccepted());
  if (problem !== undefined) return sendError(response, 400, problem);
  const principal = identifiedAs(request);
  const answers = await transport.answerBatch(batch, {
    limits: endpoint.limits,
    authInfo: principal === undefined ? undefined : carry(principal),
  });
  // The specification wants calls to outlive the connection of a legacy client, so only now is there nobody left to tell.
  if (response.destroyed) return;
  if (transport.sessionId !== undefined) response.setHeader('Mcp-Session-Id', transport.sessionId);
  if (answers.length === 0) return void response.writeHead(202).end();
  sendJson(response, 200, answers);
}
