import type { LoggerService } from '../contracts/logger';
import type { Change, ChangedList } from './change';
import type { PerchServer } from './perch-server';
import type { Subscriptions } from './subscriptions';

/** Tells every connected client what changed; streams of single requests are told by those who listen here. */
export class LiveServers {
  readonly #live = new Map<PerchServer, Subscriptions>();
  readonly #pending = new Set<ChangedList>();
  readonly #listeners = new Set<(change: Change) => void>();

  constructor(private readonly logger: LoggerService) {}

  /** Follows a connection until it closes. */
  follow(server: PerchServer, subscriptions: Subscriptions): void {
    this.#live.set(server, subscriptions);
    const { onclose } = server.server;
    server.server.onclose = () => {
      this.#live.delete(server);
      onclose?.();
    };
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes of one list that come together are told once; before anyone is connected there is nobody to tell. */
  listChanged(list: ChangedList): void {
    if (this.#live.size === 0 && this.#listeners.size === 0) return;
    if (this.#pending.size === 0) setImmediate(() => this.#tellPending());
    this.#pending.add(list);
  }

  #tellPending(): void {
    const lists = [...this.#pending];
    this.#pending.clear();
    for (const list of lists) this.tell({ list });
  }

  tell(change: Change): void {
    for (const [server, subscriptions] of this.#live) {
      if (!server.isConnected()) continue;
      server
        .tell(change, subscriptions)
        .catch((error: unknown) => this.logger.debug(`A client was not told of a change: ${String(error)}`));
    }
    for (const listener of this.#listeners) listener(change);
  }
}
