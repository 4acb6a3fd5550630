import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from './answers';
import { pathOf } from './request-path';

const LIVE = '/health/live';
const READY = '/health/ready';

/** Says whether work should be sent here. */
export type AskReady = () => boolean | Promise<boolean>;

/**
 * True for a path that tells whether the server is up. It is asked by address and not by name, and by probes that have no token, so the
 * checks of `Host` and of tokens do not stand before it; that of `Origin` does.
 */
export function isHealthPath(path: string): boolean {
  return path === LIVE || path === READY;
}

/** Answers a health path: up or down, and not a word more, since nobody is asked who they are. */
export async function serveHealth(request: IncomingMessage, response: ServerResponse, isReady: AskReady): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return refuse(response, 405, 'Method not allowed');
  }
  const isUp = pathOf(request) === LIVE || (await isReady());
  const body = JSON.stringify({ status: isUp ? 'up' : 'down' });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-store' };
  // Node leaves the body of an answer to HEAD out by itself.
  response.writeHead(isUp ? 200 : 503, headers).end(body);
}
