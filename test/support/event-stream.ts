import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { HttpQuestion } from './wire';

/** One server-sent event as it came. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly retry: string | undefined;
  readonly data: string;
}

/** A response that is read event by event while it is still open. */
export class EventStream {
  readonly #events: ServerEvent[] = [];
  readonly #waiting: ((event: ServerEvent | undefined) => void)[] = [];
  /** Resolves when the server has ended the response, or the connection has. */
  readonly ended: Promise<void>;
  #hasEnded = false;
  #text = '';

  private constructor(private readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
    response.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      response.once('close', () => {
        this.#hasEnded = true;
        for (const wake of this.#waiting.splice(0)) wake(undefined);
        resolve();
      });
    });
  }

  /** Sends a request; resolves with the head of its response. */
  static async open(url: string, { method = 'GET', headers = {}, body }: HttpQuestion): Promise<EventStream> {
    const outgoing = httpRequest(url, { method, headers, agent: false });
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    outgoing.on('error', () => undefined);
    return new EventStream(response);
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers;
  }

  /** The next event, or undefined when the stream ends before there is one. */
  async next(): Promise<ServerEvent | undefined> {
    const event = this.#events.shift();
    if (event !== undefined || this.#hasEnded) return event;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Everything up to the end. */
  async rest(): Promise<ServerEvent[]> {
    await this.ended;
    return this.#events.splice(0);
  }

  /** Cuts the connection, as a network does. */
  drop(): void {
    this.response.destroy();
  }

  #read(chunk: string): void {
    const blocks = (this.#text + chunk).split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) continue;
      const event = { id: field(block, 'id'), retry: field(block, 'retry'), data: field(block, 'data') ?? '' };
      const wake = this.#waiting.shift();
      if (wake === undefined) this.#events.push(event);
      else wake(event);
    }
  }
}

function field(block: string, name: string): string | undefined {
  return new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
}
