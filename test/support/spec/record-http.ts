import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { nameWire, type Recorder } from './line';

/**
 * Records what the MCP servers of this process hear and say over HTTP. They are told from what else a test serves by their answer to an
 * expectation that nobody can meet, which few servers care for. The result ends the recording.
 */
export function recordHttp(record: Recorder): () => void {
  const prototype = http.Server.prototype as { emit?: (event: string, ...args: any[]) => boolean };
  const { emit } = prototype;
  prototype.emit = function (this: http.Server, event, ...args) {
    if (this.listenerCount('checkExpectation') > 0) recordEvent(event, args, record);
    return emit!.call(this, event, ...args);
  };
  return () => {
    delete prototype.emit;
  };
}

function recordEvent(event: string, args: readonly unknown[], record: Recorder): void {
  if (event === 'request' || event.startsWith('check')) recordExchange(args[0] as IncomingMessage, args[1] as ServerResponse, record);
  if (event === 'clientError') recordRefusal(args[1] as Duplex, record);
}

function recordExchange(request: IncomingMessage, response: ServerResponse, record: Recorder): void {
  // Probes and the documents of OAuth are no part of the protocol.
  if (/^\/(?:health|\.well-known)\//.test(request.url ?? '')) return;
  const asked: Buffer[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, ...rest) => {
    if (chunk !== null) asked.push(chunk);
    return push(chunk, ...rest);
  };
  const ownWire = nameWire('HTTP');
  const revision = request.headers['mcp-protocol-version'] as string | undefined;
  const wireOf = (): string => headerOf(response, 'mcp-session-id') ?? (request.headers['mcp-session-id'] as string | undefined) ?? ownWire;
  const said = new AnswerReader((text) => record({ wire: wireOf(), from: 'server', text, revision }));
  // The session may be named by the answer, and the answer may come on another stream.
  const heard = (): void => {
    if (asked.length > 0) record({ wire: wireOf(), from: 'client', text: Buffer.concat(asked.splice(0)).toString() });
  };
  const isStream = (): boolean => headerOf(response, 'content-type')?.startsWith('text/event-stream') ?? false;
  // Recorded before it is sent: whoever receives it may look at the record at once.
  const { write, end } = response;
  response.write = ((chunk: unknown, ...rest: never[]) => {
    heard();
    said.take(chunk, isStream());
    return write.call(response, chunk as never, ...(rest as [never]));
  }) as typeof write;
  response.end = ((chunk: unknown, ...rest: never[]) => {
    heard();
    said.take(chunk, isStream());
    if (!isStream() && !isStepUp(response)) said.end();
    return end.call(response, chunk as never, ...(rest as [never]));
  }) as typeof end;
}

/** Node's own reader refused the request, so nothing of it is known. */
function recordRefusal(socket: Duplex, record: Recorder): void {
  const { end } = socket;
  socket.end = ((text: unknown, ...rest: never[]) => {
    const body = typeof text === 'string' ? text.split('\r\n\r\n')[1] : undefined;
    if (body !== undefined) record({ wire: nameWire('HTTP'), from: 'server', text: body });
    return (end as (...args: unknown[]) => Duplex).call(socket, text, ...rest);
  }) as typeof end;
}

/** A challenge for scopes has a body of OAuth, and no message (RFC 6750, 3.1). */
function isStepUp(response: ServerResponse): boolean {
  return response.statusCode === 403 && headerOf(response, 'www-authenticate')?.startsWith('Bearer error="insufficient_scope"') === true;
}

/** What `writeHead` was given is only in the text of the head. */
function headerOf(response: ServerResponse, name: string): string | undefined {
  const { _header: head } = response as unknown as { _header: string | null };
  const inText = new RegExp(`^${name}: *(.+?)\\r?$`, 'im').exec(head ?? '')?.[1];
  return inText ?? (response.getHeader(name) as string | undefined);
}

/** Reads the messages in an answer: its whole body, or the events of its stream. */
class AnswerReader {
  readonly #decoder = new StringDecoder('utf8');
  #text = '';

  constructor(private readonly onMessage: (text: string) => void) {}

  take(chunk: unknown, isStream: boolean): void {
    if (typeof chunk === 'string') this.#text += chunk;
    else if (chunk instanceof Uint8Array) this.#text += this.#decoder.write(Buffer.from(chunk));
    if (!isStream) return;
    const events = this.#text.split(/\r?\n\r?\n/);
    this.#text = events.pop() ?? '';
    for (const event of events) this.#takeEvent(event);
  }

  end(): void {
    if (this.#text !== '') this.onMessage(this.#text);
  }

  #takeEvent(event: string): void {
    const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trimStart()] : []));
    // An event without data primes the client for a resumption.
    if (data.join('') !== '') this.onMessage(data.join('\n'));
  }
}
