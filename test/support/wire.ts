import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** The envelope that every modern request carries. */
export const ENVELOPE = Object.freeze({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1.0.0' },
});

export const JSON_HEADERS = Object.freeze({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });

/** What came back over HTTP. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What is sent over HTTP, header by header. */
export interface HttpQuestion {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** One HTTP request with exactly these headers, through node:http, which adds no more than Host, Connection and a length. */
export async function ask(url: string, { method = 'POST', path, headers = {}, body }: HttpQuestion): Promise<HttpAnswer> {
  const target = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: target.hostname, port: target.port, path: path ?? target.pathname, method, headers, agent: false },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Sends exactly these bytes over a connection of its own, and resolves with everything that came back until it ended. */
export async function askRaw(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    // A server that refuses may end the connection before it has taken everything.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.write(bytes);
  });
}

/** A modern request with the headers that repeat its body. */
export function modern(method: string, params: Record<string, unknown> = {}, id: string | number = 1): HttpQuestion {
  const subject = params['name'] ?? params['uri'];
  const name = typeof subject === 'string' ? { 'mcp-name': headerOf(subject) } : {};
  return {
    headers: { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: ENVELOPE } }),
  };
}

/** A name as a header can carry it: as it is, or in the base64 form of the specification. */
function headerOf(text: string): string {
  return /^[!-~]([ -~]*[!-~])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** The first message of a legacy client. */
export const INITIALIZE = Object.freeze({
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'wire', version: '1.0.0' } },
});

/** Opens a legacy session over HTTP and returns the headers that belong to it. */
export async function openSession(url: string): Promise<Record<string, string>> {
  const answer = await ask(url, { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) });
  const session = answer.headers['mcp-session-id'];
  if (typeof session !== 'string') throw new Error(`initialize was answered ${String(answer.status)}: ${answer.text}`);
  const headers = { ...JSON_HEADERS, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
  await ask(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }) });
  return headers;
}

/** The JSON-RPC message in an answer, whether it came as JSON or as the last event of a stream. */
export function messageOf({ text, headers }: HttpAnswer): Record<string, unknown> {
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  const data = isStream ? (text.match(/^data: [^\n]+$/gm)?.at(-1) ?? '').slice('data: '.length) : text;
  return JSON.parse(data) as Record<string, unknown>;
}
