import { randomBytes } from 'node:crypto';
import type { EventStore } from '@modelcontextprotocol/server';
import { EventWindow, type KeptEvent } from './event-window';
import type { ReplayBudget } from './replay-budget';

type Message = Parameters<EventStore['storeEvent']>[1];
type Replay = Parameters<EventStore['replayEventsAfter']>[1];

/** One stream of the session: of a request, or the one that belongs to none. Its events are numbered from 1. */
interface EventStream {
  readonly id: string;
  latest: number;
  /** The last event that was dropped though a client must not miss it; 0 if there is none. */
  lost: number;
  kept: number;
  hasEnded: boolean;
}

interface Place {
  readonly stream: EventStream;
  readonly number: number;
}

/** What a client that comes back to a stream will find. */
export interface Resumption {
  /** Nothing more will ever come. */
  readonly isOver: boolean;
  /** The stream is that of a request, and ends with its answer. */
  readonly isOfRequest: boolean;
}

// The SDK's name for the stream that belongs to no request.
const STANDALONE = '_GET_stream';

// The protocol leaves it to the server how often it sends these (specification: Progress, Logging).
const SPARE: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message']);

/**
 * What one session was sent and may have to be sent again. The oldest is dropped first, progress and log messages before all else; a client
 * that would miss anything but those cannot come back to the stream. An event id means nothing in another session.
 */
export class SessionEvents implements EventStore {
  readonly #name = randomBytes(9).toString('base64url');
  readonly #streams = new Map<string, EventStream>();
  readonly #window: EventWindow<EventStream>;
  readonly #withheld = new WeakSet<object>();
  #isClosed = false;

  constructor(budget: ReplayBudget) {
    this.#window = new EventWindow(budget, (event) => this.#dropped(event));
  }

  get size(): number {
    return this.#window.size;
  }

  /** How many streams are known: those that go on, and those of which something is kept. */
  get streams(): number {
    return this.#streams.size;
  }

  /** Lets this answer end its stream without being kept, because nobody waits for it. */
  withhold(answer: object): void {
    this.#withheld.add(answer);
  }

  /** Says what follows an event; undefined for an id of another session, of no event, or of one after which something was lost. */
  resumption(eventId: string): Resumption | undefined {
    // Only here: what a client has been promised is not too old a moment later.
    this.#window.expire();
    const place = this.#find(eventId);
    if (place === undefined) return undefined;
    const { stream, number } = place;
    const isOver = stream.hasEnded && this.#window.after(stream, number).length === 0;
    return { isOver, isOfRequest: stream.id !== STANDALONE };
  }

  storeEvent(streamId: string, message: Message): Promise<string> {
    // An event without an id is sent without one.
    if (this.#isClosed) return Promise.resolve('');
    const stream = this.#stream(streamId);
    stream.hasEnded ||= 'id' in message && !('method' in message);
    stream.latest += 1;
    if (!this.#withheld.has(message)) this.#keep(stream, message);
    this.#forgetIfDone(stream);
    return Promise.resolve(this.#idOf(stream, stream.latest));
  }

  async replayEventsAfter(lastEventId: string, { send }: Replay): Promise<string> {
    const place = this.#find(lastEventId);
    if (place === undefined) throw new Error('What followed this event is gone');
    const { stream } = place;
    let { number } = place;
    // The SDK writes to the new connection only after this, so what is stored meanwhile has to be sent from here as well.
    for (let events = this.#window.after(stream, number); events.length > 0; events = this.#window.after(stream, number)) {
      for (const event of events) {
        number = event.number;
        await send(this.#idOf(stream, number), JSON.parse(event.text) as Message);
      }
    }
    return stream.id;
  }

  /** Forgets everything, for good. */
  close(): void {
    this.#isClosed = true;
    this.#window.close();
    this.#streams.clear();
  }

  #stream(id: string): EventStream {
    const known = this.#streams.get(id);
    if (known !== undefined) return known;
    const stream: EventStream = { id, latest: 0, lost: 0, kept: 0, hasEnded: false };
    this.#streams.set(id, stream);
    return stream;
  }

  #keep(stream: EventStream, message: Message): void {
    // The first event of a stream, which only carries an id, is no message at all.
    const isSpare = 'method' in message ? SPARE.has(message.method) : !('id' in message);
    const text = JSON.stringify(message);
    stream.kept += 1;
    this.#window.keep({ stream, number: stream.latest, text, isSpare });
  }

  #dropped({ stream, number, isSpare }: KeptEvent<EventStream>): void {
    stream.kept -= 1;
    if (!isSpare) stream.lost = number;
    this.#forgetIfDone(stream);
  }

  #forgetIfDone(stream: EventStream): void {
    if (stream.hasEnded && stream.kept === 0) this.#streams.delete(stream.id);
  }

  #idOf({ id }: EventStream, number: number): string {
    return `${String(number)}.${this.#name}.${id}`;
  }

  #find(eventId: string): Place | undefined {
    const [, number, name, id = ''] = /^([1-9]\d{0,14})\.([\w-]{12})\.([\w-]{1,40})$/.exec(eventId) ?? [];
    const stream = this.#streams.get(id);
    if (stream === undefined || name !== this.#name) return undefined;
    const place = { stream, number: Number(number) };
    return place.number > stream.latest || place.number < stream.lost ? undefined : place;
  }
}
