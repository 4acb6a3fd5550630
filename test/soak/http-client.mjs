import { Buffer } from 'node:buffer';
import { Agent, request } from 'node:http';
import { ENVELOPE } from './line-client.mjs';

export const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A client over HTTP with connections of its own, that stay open. */
export class HttpClient {
  #agent;
  #session;
  #id = 0;

  constructor(url, { maxSockets = Infinity } = {}) {
    this.url = url;
    // Gives up an idle connection before the server does, which would be a race for the next request.
    this.#agent = new Agent({ keepAlive: true, maxSockets, timeout: 3_000 });
  }

  /** Begins a legacy session. */
  async initialize() {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1.0.0' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'init', method: 'initialize', params });
    const answer = await this.send({ headers: JSON_HEADERS, body });
    if (answer.headers['mcp-session-id'] === undefined) throw new Error(`initialize was answered ${answer.status}: ${answer.text}`);
    this.#session = { ...JSON_HEADERS, 'mcp-session-id': answer.headers['mcp-session-id'], 'mcp-protocol-version': '2025-11-25' };
    await this.send({ headers: this.#session, body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }) });
    return answer;
  }

  get sessionHeaders() {
    return this.#session;
  }

  /** One request of the legacy era; resolves with the JSON-RPC answer. */
  async ask(method, params, id = (this.#id += 1)) {
    const answer = await this.send({ headers: this.#session, body: JSON.stringify({ jsonrpc: '2.0', id, method, params }) });
    return only(answer);
  }

  /** One request of the modern era. */
  async modern(method, params = {}, id = (this.#id += 1)) {
    return only(await this.send(modernQuestion(method, params, id)));
  }

  /** One exchange, as it came back. Rejects when the connection ends without an answer, or half of one. */
  send({ method = 'POST', headers = {}, body, onRequest }) {
    return new Promise((resolve, reject) => {
      // Node frames the body of a POST only by itself.
      const framed = body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) };
      const outgoing = request(this.url, { method, headers: framed, agent: this.#agent }, (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        incoming.on('error', reject);
        incoming.on('close', () => {
          if (!incoming.complete) return reject(new Error('half an answer'));
          resolve({ status: incoming.statusCode, headers: incoming.headers, text });
        });
      });
      outgoing.on('error', reject);
      onRequest?.(outgoing);
      outgoing.end(body);
    });
  }

  end() {
    this.#agent.destroy();
  }
}

/** A modern request with the headers that repeat its body. */
export function modernQuestion(method, params, id) {
  const subject = params.name ?? params.uri;
  const name = subject === undefined ? {} : { 'mcp-name': subject };
  return {
    headers: { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: ENVELOPE } }),
  };
}

/** The messages in an answer, whether it came as JSON or as a stream of events. */
export function messagesIn({ text, headers }) {
  if (text === '') return [];
  if (!headers['content-type']?.startsWith('text/event-stream')) return [JSON.parse(text)];
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)));
}

function only(answer) {
  const messages = messagesIn(answer).filter(({ method }) => method === undefined);
  if (messages.length !== 1) throw new Error(`${messages.length} answers: ${answer.status} ${answer.text.slice(0, 200)}`);
  return { ...messages[0], status: answer.status };
}
