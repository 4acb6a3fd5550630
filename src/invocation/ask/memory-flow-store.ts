import type { FlowStore, RoundOutcome } from '../../contracts/flow-store';

interface Round {
  readonly ended: Promise<RoundOutcome | undefined>;
  readonly end: (outcome: RoundOutcome | undefined) => void;
}

interface Flow {
  readonly rounds: Map<number, Round>;
  readonly effects: Record<string, unknown>;
  touched: number;
}

/** Remembers flows in this process: at most so many, each at most so long after it was last touched; the oldest are forgotten first. */
export class MemoryFlowStore implements FlowStore {
  /** In the order in which they were last touched. */
  readonly #flows = new Map<string, Flow>();

  constructor(
    private readonly most: number,
    private readonly lifetimeMs: number,
  ) {}

  get size(): number {
    return this.#flows.size;
  }

  claim(flow: string, round: number): Promise<boolean> {
    const { rounds } = this.#touch(flow);
    if (rounds.has(round)) return Promise.resolve(false);
    rounds.set(round, newRound());
    return Promise.resolve(true);
  }

  settle(flow: string, round: number, outcome: RoundOutcome): Promise<void> {
    this.#touch(flow).rounds.get(round)?.end(outcome);
    return Promise.resolve();
  }

  release(flow: string, round: number): Promise<void> {
    const { rounds } = this.#touch(flow);
    const released = rounds.get(round);
    rounds.delete(round);
    released?.end(undefined);
    return Promise.resolve();
  }

  async outcome(flow: string, round: number): Promise<RoundOutcome | undefined> {
    return this.#touch(flow).rounds.get(round)?.ended;
  }

  effects(flow: string): Promise<Readonly<Record<string, unknown>>> {
    return Promise.resolve({ ...this.#touch(flow).effects });
  }

  keepEffect(flow: string, key: string, value: unknown): Promise<void> {
    this.#touch(flow).effects[key] = value;
    return Promise.resolve();
  }

  #touch(id: string): Flow {
    const flow = this.#flows.get(id) ?? {
      rounds: new Map<number, Round>(),
      effects: Object.create(null) as Record<string, unknown>,
      touched: 0,
    };
    flow.touched = performance.now();
    this.#flows.delete(id);
    this.#flows.set(id, flow);
    this.#forget();
    return flow;
  }

  #forget(): void {
    const oldest = performance.now() - this.lifetimeMs;
    for (const [id, { touched }] of this.#flows) {
      if (touched >= oldest && this.#flows.size <= this.most) return;
      this.#flows.delete(id);
    }
  }
}

function newRound(): Round {
  let end: Round['end'] = () => undefined;
  const ended = new Promise<RoundOutcome | undefined>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}
