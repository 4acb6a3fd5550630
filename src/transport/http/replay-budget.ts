import type { Limits } from '../../contracts/limits';

/** The limits of what is kept for replay. */
export type ReplayLimits = Pick<Limits, 'replayEvents' | 'replayMs' | 'replayBytes'>;

/** One session's share of the budget. */
export interface Share {
  readonly bytes: number;
  dropOldest(): void;
  /** Drops what is too old. */
  expire(): void;
}

/** What all sessions together may keep for replay. The one that keeps most pays, so that a loud client takes nothing from a quiet one. */
export class ReplayBudget {
  readonly #shares = new Set<Share>();
  #bytes = 0;

  constructor(readonly limits: ReplayLimits) {}

  get bytes(): number {
    return this.#bytes;
  }

  join(share: Share): void {
    this.#shares.add(share);
  }

  leave(share: Share): void {
    this.#shares.delete(share);
  }

  /** Counts what a share keeps already; that may be dropped at once. */
  take(bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.limits.replayBytes) this.#largest()?.dropOldest();
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }

  expire(): void {
    for (const share of this.#shares) share.expire();
  }

  #largest(): Share | undefined {
    let largest: Share | undefined;
    for (const share of this.#shares) if (share.bytes > (largest?.bytes ?? 0)) largest = share;
    return largest;
  }
}
