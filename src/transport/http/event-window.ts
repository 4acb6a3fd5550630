import { Queue } from './queue';
import type { ReplayBudget, Share } from './replay-budget';

/** An event that was sent and may have to be sent again. */
export interface KeptEvent<Stream> {
  readonly stream: Stream;
  /** Its place in the stream. */
  readonly number: number;
  /** What was sent, and not the object it was made from, which its author may change later. */
  readonly text: string;
  /** True for what a client can miss: it is dropped before all else. */
  readonly isSpare: boolean;
}

interface Held<Stream> {
  readonly event: KeptEvent<Stream>;
  readonly bytes: number;
  readonly at: number;
}

// Roughly what an event takes besides its text.
const OVERHEAD_BYTES = 200;

/** The latest events of one session, bounded in number and age, and in bytes together with all other sessions. */
export class EventWindow<Stream> implements Share {
  readonly #spare = new Queue<Held<Stream>>();
  readonly #needed = new Queue<Held<Stream>>();
  #bytes = 0;

  constructor(
    private readonly budget: ReplayBudget,
    private readonly onDrop: (event: KeptEvent<Stream>) => void,
  ) {
    budget.join(this);
  }

  get size(): number {
    return this.#spare.size + this.#needed.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** One that is too large is dropped again at once. */
  keep(event: KeptEvent<Stream>): void {
    this.expire();
    const bytes = Buffer.byteLength(event.text) + OVERHEAD_BYTES;
    (event.isSpare ? this.#spare : this.#needed).push({ event, bytes, at: performance.now() });
    this.#bytes += bytes;
    this.budget.take(bytes);
    while (this.size > this.budget.limits.replayEvents) this.dropOldest();
  }

  /** What is kept of a stream behind this place, in order. */
  after(stream: Stream, number: number): KeptEvent<Stream>[] {
    const held = [...this.#spare, ...this.#needed].map(({ event }) => event);
    return held.filter((event) => event.stream === stream && event.number > number).sort((one, other) => one.number - other.number);
  }

  dropOldest(): void {
    this.#drop(this.#spare.shift() ?? this.#needed.shift());
  }

  expire(): void {
    const oldest = performance.now() - this.budget.limits.replayMs;
    for (const queue of [this.#spare, this.#needed]) while ((queue.first?.at ?? Infinity) < oldest) this.#drop(queue.shift());
  }

  /** Drops everything and gives its share back. */
  close(): void {
    while (this.size > 0) this.dropOldest();
    this.budget.leave(this);
  }

  #drop(held: Held<Stream> | undefined): void {
    if (held === undefined) return;
    this.#bytes -= held.bytes;
    this.budget.give(held.bytes);
    this.onDrop(held.event);
  }
}
