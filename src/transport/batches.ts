import type { MessageId } from '../protocol/json-rpc';
import { stillRunning } from './open-requests';

/** An answer to one element of a batch. */
export interface ElementAnswer {
  readonly id?: MessageId | null | undefined;
}

/** Who is told of a batch. */
export interface BatchOptions {
  /** Called once, with the answers in the order of the requests; with none if no element wants one. */
  readonly write: (answers: readonly ElementAnswer[]) => void;
  /** Called whenever an element has been answered. */
  readonly onRoom?: () => void;
}

/** The batches of one connection that have not been answered, and the ids that are taken by them until then. */
export class Batches {
  readonly #byId = new Map<MessageId, Batch>();

  /** @param isRunning whether a request of the connection runs under an id, in a batch or alone. */
  constructor(private readonly isRunning: (id: MessageId) => boolean) {}

  begin(options: BatchOptions): Batch {
    return new Batch({ taken: this.#byId, isRunning: this.isRunning, ...options });
  }

  has(id: MessageId): boolean {
    return this.#byId.has(id);
  }

  /** Takes the answer to an element. False if its request stands in no batch. */
  settle(id: MessageId, answer: ElementAnswer): boolean {
    const batch = this.#byId.get(id);
    batch?.settle(id, answer);
    return batch !== undefined;
  }

  /** Leaves out an element that will not be answered. False if its request stands in no batch. */
  forget(id: MessageId): boolean {
    const batch = this.#byId.get(id);
    batch?.forget(id);
    return batch !== undefined;
  }
}

/** What a batch knows of its connection. */
interface BatchPlace extends BatchOptions {
  readonly taken: Map<MessageId, Batch>;
  readonly isRunning: (id: MessageId) => boolean;
}

/** The answers to one batch, until the last of them is there (JSON-RPC 2.0, 6: Batch). */
export class Batch {
  /** In the order of the elements; undefined until answered. What has no id of its own stands under a symbol. */
  readonly #places = new Map<MessageId | symbol, ElementAnswer | undefined>();
  #waiting = 0;
  #isComplete = false;
  #isWritten = false;

  constructor(private readonly options: BatchPlace) {}

  /** How many elements have begun and not been answered. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Keeps a place for the answer to a request. */
  expect(id: MessageId): void {
    this.#places.set(id, undefined);
    this.options.taken.set(id, this);
    this.#waiting += 1;
  }

  /** Adds an answer that is there already. Two under one id could not be told apart. */
  add(answer: ElementAnswer): void {
    const { id } = answer;
    if (id === undefined || id === null) return void this.#places.set(Symbol('no id'), answer);
    if (this.options.taken.has(id) || this.options.isRunning(id)) return this.add(stillRunning());
    this.#places.set(id, answer);
    this.options.taken.set(id, this);
  }

  settle(id: MessageId, answer: ElementAnswer): void {
    if (!this.#isWaitingFor(id)) return;
    this.#places.set(id, answer);
    this.#ended();
  }

  forget(id: MessageId): void {
    if (!this.#isWaitingFor(id)) return;
    this.#places.delete(id);
    this.options.taken.delete(id);
    this.#ended();
  }

  /** Says that no more elements will come. */
  complete(): void {
    this.#isComplete = true;
    this.#writeIfDone();
  }

  #isWaitingFor(id: MessageId): boolean {
    return this.#places.has(id) && this.#places.get(id) === undefined;
  }

  #ended(): void {
    this.#waiting -= 1;
    this.options.onRoom?.();
    this.#writeIfDone();
  }

  #writeIfDone(): void {
    if (!this.#isComplete || this.#isWritten || this.#waiting > 0) return;
    this.#isWritten = true;
    for (const key of this.#places.keys()) if (typeof key !== 'symbol') this.options.taken.delete(key);
    this.options.write([...this.#places.values()].filter((answer) => answer !== undefined));
  }
}
