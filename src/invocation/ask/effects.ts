/** The results of `once` in one call. Each effect runs at most once, also when it is asked for twice at the same time. */
export class Effects {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #known: Map<string, unknown>;

  constructor(
    known: Readonly<Record<string, unknown>>,
    /** Told of each result as soon as it is there, before anyone gets it. */
    private readonly keep: (key: string, value: unknown) => Promise<void>,
  ) {
    this.#known = new Map(Object.entries(known));
  }

  get known(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(this.#known);
  }

  /** The value is what JSON makes of it, in the first round as in the later ones. */
  run(key: string, effect: () => unknown): Promise<unknown> {
    if (this.#known.has(key)) return Promise.resolve(this.#known.get(key));
    const running = this.#running.get(key) ?? this.#start(key, effect);
    this.#running.set(key, running);
    return running;
  }

  async settled(): Promise<void> {
    if (this.#running.size > 0) await Promise.allSettled([...this.#running.values()]);
  }

  async #start(key: string, effect: () => unknown): Promise<unknown> {
    try {
      const value = toJson(await effect());
      this.#known.set(key, value);
      await this.keep(key, value);
      return value;
    } finally {
      this.#running.delete(key);
    }
  }
}

function toJson(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? null : JSON.parse(text);
}
