import type { MessageId } from '../protocol/json-rpc';

/** These stay open until the client or the server ends them, so nobody waits for their answer. */
const STREAMS: ReadonlySet<string> = new Set(['subscriptions/listen']);

/** The requests of one stream that have come in and not been answered. */
export class OpenRequests {
  readonly #open = new Map<MessageId, string>();
  readonly #waiting: (() => void)[] = [];

  /** False when a request with this id is open already: two answers with one id could not be told apart. */
  begin(id: MessageId, method: string): boolean {
    if (this.#open.has(id)) return false;
    this.#open.set(id, method);
    return true;
  }

  /** An answer was sent, or the client cancelled and expects none. */
  end(id: MessageId): void {
    if (this.#open.delete(id)) this.#wake();
  }

  async whenAnswered(): Promise<void> {
    if (this.#isQuiet()) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #isQuiet(): boolean {
    return [...this.#open.values()].every((method) => STREAMS.has(method));
  }

  #wake(): void {
    if (!this.#isQuiet()) return;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
