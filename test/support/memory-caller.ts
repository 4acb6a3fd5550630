import { INITIALIZE } from './wire';
import type { RpcAnswer } from './app';

/** What a connection in memory gives its client. */
type Wire = Awaited<ReturnType<typeof import('../../src/bootstrap/mcp-application').connectInMemory>>['client'];

/** A legacy client in memory that sends what it is told to, message by message. */
export class MemoryCaller {
  static async open(wire: Wire): Promise<MemoryCaller> {
    const caller = new MemoryCaller(wire);
    await caller.ask(INITIALIZE.method, INITIALIZE.params);
    caller.notify('notifications/initialized');
    return caller;
  }

  readonly #waiting = new Map<unknown, (answer: RpcAnswer) => void>();
  /** Everything that came, as JSON. */
  readonly received: string[] = [];
  #id = 0;

  private constructor(private readonly wire: Wire) {
    wire.onmessage = (message) => {
      this.received.push(JSON.stringify(message));
      this.#waiting.get((message as { id?: unknown }).id)?.(message as unknown as RpcAnswer);
    };
  }

  ask(method: string, params?: Record<string, unknown>, id: string | number = (this.#id += 1)): Promise<RpcAnswer> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      void this.wire.send({ jsonrpc: '2.0', id, method, params } as never);
    });
  }

  notify(method: string, params?: Record<string, unknown>): void {
    void this.wire.send({ jsonrpc: '2.0', method, params } as never);
  }
}
