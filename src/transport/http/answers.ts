import type { ServerResponse } from 'node:http';
import { errorAnswer, type ErrorAnswer } from '../../protocol/json-rpc';

/** The SDK's code for refusals that belong to HTTP and not to JSON-RPC. */
export const REFUSED = -32000;

/** Answers with a JSON-RPC error as the whole body. Never HTML, whoever asks. */
export function sendError(response: ServerResponse, status: number, answer: ErrorAnswer): void {
  sendJson(response, status, answer);
}

/** Answers with JSON as the whole body. */
export function sendJson(response: ServerResponse, status: number, value: object): void {
  if (response.headersSent) return void response.end();
  const body = JSON.stringify(value);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

/** Refuses a request for a reason of HTTP. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  sendError(response, status, errorAnswer(null, REFUSED, message));
}
