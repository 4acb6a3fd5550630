type Step = () => void;

/** How many steps that were done are kept at most before their places are given back. */
const KEPT = 1024;

/** How a backlog is worked off. */
export interface BacklogOptions {
  /** Asked before each step; false leaves it and what is behind it for later. */
  readonly mayGoOn: () => boolean;
  /** Called whenever everything has been done and more may come. */
  readonly onIdle: () => void;
  /** Called whenever something has to be left for later. */
  readonly onWaiting?: () => void;
}

/** What has come in and not been looked at, in its order. A step may put others in front of the rest, itself included. */
export class Backlog {
  #steps: (Step | undefined)[] = [];
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
    if (steps.length > this.#next) {
      this.#steps = [...steps, ...this.#steps.slice(this.#next)];
      this.#next = 0;
      return;
    }
    // A step that waits goes back to its own place: copying the rest each time would cost its square.
    this.#next -= steps.length;
    for (const [index, step] of steps.entries()) this.#steps[this.#next + index] = step;
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
    else this.options.onWaiting?.();
  }

  async whenEmpty(): Promise<void> {
    if (!this.isEmpty) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #takeStep(): Step | undefined {
    const step = this.#steps[this.#next];
    this.#steps[this.#next] = undefined;
    this.#next += 1;
    if (this.#next < KEPT || 2 * this.#next < this.#steps.length) return step;
    this.#steps = this.#steps.slice(this.#next);
    this.#next = 0;
    return step;
  }

  #emptied(): void {
    this.#steps = [];
    this.#next = 0;
    for (const wake of this.#waiting.splice(0)) wake();
    if (this.options.mayGoOn()) this.options.onIdle();
  }
}
