import { ServerResponse } from 'node:http';
import { ErrorCode } from '../../errors/mcp-error';
import { errorAnswer, type MessageId } from '../../protocol/json-rpc';
import { REFUSED } from './answers';

// What the SDK sends with its event streams.
const EVENT_HEADERS = Object.freeze({
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
});

const KEEP_ALIVE_MS = 15_000;

/** How much may wait for a client that does not read its event stream. */
export interface UnreadBound {
  readonly bytes: number;
  readonly onExceeded: () => void;
}

/** The answer to a call that takes long. */
interface LateAnswer {
  status: number;
  /** The body of an answer that is no event stream itself; undefined while there is none. */
  body: Buffer[] | undefined;
}

/**
 * A response whose event streams are bounded, and which can become one when an answer takes long. The SDK writes into it as into any other:
 * it never asks that writing wait, so that what a client does not read is counted in one place.
 */
export class StreamingResponse extends ServerResponse {
  #bound: UnreadBound | undefined;
  #isEvents = false;
  #silence: NodeJS.Timeout | undefined;
  #late: LateAnswer | undefined;
  #id: MessageId | null = null;

  boundUnread(bound: UnreadBound): void {
    this.#bound = bound;
  }

  /** Becomes an event stream if nothing has been sent by then. The answer to the request with this id is then its last event. */
  becomeEventsAfter(silentMs: number, id: MessageId): void {
    this.#id = id;
    this.#silence = setTimeout(() => this.#becomeEvents(), silentMs).unref();
    this.once('close', () => clearTimeout(this.#silence));
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const isEvents = isEventStream(rest.at(-1));
    if (this.#late === undefined) {
      clearTimeout(this.#silence);
      this.#isEvents = isEvents;
      return super.writeHead(status, ...(rest as []));
    }
    clearInterval(this.#silence);
    this.#late.status = status;
    // A stream of the SDK's has its own comments, and its events go out as they are.
    if (!isEvents) this.#late.body = [];
    return this;
  }

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    const body = this.#late?.body;
    if (body !== undefined) return (body.push(bytesOf(chunk)), true);
    if (!this.#isEvents) return super.write(chunk, ...(rest as []));
    if (this.#bound !== undefined && this.writableLength > this.#bound.bytes) {
      this.#bound.onExceeded();
      this.destroy();
      return false;
    }
    super.write(chunk, ...(rest as []));
    return true;
  }

  override end(...given: unknown[]): this {
    if (this.#late?.body === undefined) return super.end(...(given as []));
    const [chunk] = given;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.#late.body.push(bytesOf(chunk));
    return super.end(eventOf(this.#answerOf(this.#late, this.#late.body)));
  }

  #becomeEvents(): void {
    if (this.headersSent || this.destroyed) return;
    this.writeHead(200, this.hasHeader('Connection') ? EVENT_HEADERS : { ...EVENT_HEADERS, Connection: 'keep-alive' });
    this.#late = { status: 200, body: undefined };
    this.write(': running\n\n');
    // Cleared like the clock of the silence before it, and with it.
    this.#silence = setInterval(() => this.write(': keepalive\n\n'), KEEP_ALIVE_MS).unref();
  }

  /** An answer of HTTP's own cannot be given any more once the head has gone out, so it is told in JSON-RPC. */
  #answerOf({ status }: LateAnswer, body: readonly Buffer[]): string {
    if (status === 403) return JSON.stringify(errorAnswer(this.#id, REFUSED, 'Forbidden'));
    if (body.length === 0) return JSON.stringify(errorAnswer(this.#id, ErrorCode.InternalError, 'No answer'));
    return Buffer.concat(body).toString();
  }
}

function isEventStream(headers: unknown): boolean {
  if (typeof headers !== 'object' || headers === null) return false;
  return Object.entries(headers).some(([name, value]) => /^content-type$/i.test(name) && String(value).startsWith('text/event-stream'));
}

function bytesOf(chunk: unknown): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk as Uint8Array);
}

/** JSON has no line breaks of its own, so it is one line of data. */
function eventOf(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}
