type Step = () => void;

/** How a backlog is worked off. */
export interface BacklogOptions {
  /** Asked before each step; false leaves it and what is behind it for later. */
  readonly mayGoOn: () => boolean;
  /** Called whenever everything has been done and more may come. */
  readonly onIdle: () => void;
}

/** What has come in and not been looked at, in its order. A step may put others in front of the rest, itself included. */
export class Backlog {
  #steps: Step[] = [];
  #next = 0;
  #isRunning = false;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly options: BacklogOptions) {}

  get isEmpty(): boolean {
    return this.#next === this.#steps.length;
  }

  /** Adds a step at the end, and does what may be done. */
  add(step: Step): void {
    this.#steps.push(step);
    this.goOn();
  }

  addInFront(steps: readonly Step[]): void {
    this.#steps = [...steps, ...this.#steps.slice(this.#next)];
    this.#next = 0;
  }

  /** Does what may be done now. A step that calls this changes nothing: the rest comes after it anyway. */
  goOn(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (!this.isEmpty && this.options.mayGoOn()) this.#takeStep()?.();
    } finally {
      this.#isRunning = false;
    }
    if (this.isEmpty) this.#emptied();
  }

  async whenEmpty(): Promise<void> {
    if (!this.isEmpty) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #takeStep(): Step | undefined {
    const step = this.#steps[this.#next];
    this.#next += 1;
    return step;
  }

  #emptied(): void {
    this.#steps = [];
    this.#next = 0;
    for (const wake of this.#waiting.splice(0)) wake();
    if (this.options.mayGoOn()) this.options.onIdle();
  }
}
