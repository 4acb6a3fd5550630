import { ToolError } from '../errors/tool-error';

/** One call that has begun and not ended. */
export interface RunningCall {
  /** Aborts for the client's reasons, the deadline's and the server's. */
  readonly signal: AbortSignal;
  /** Rejects when the call must be answered now: its time is up, or the server is going away. */
  readonly cutOff: Promise<never>;
  /** Stops the clock, for instance while the client is asked; the result starts it again. Pauses may overlap. */
  pauseClock(): () => void;
  /** Runs `work` once the call has ended and its answer has left; until that is done the call still counts as running. */
  whenEnded(work: () => Promise<void>): void;
  /** Ends the bookkeeping. Call it exactly once, whatever happened. */
  end(): void;
}

/** What a call is begun with. */
export interface CallLimits {
  readonly timeoutMs: number;
  /** Aborts when the client cancels. */
  readonly upstream?: AbortSignal | undefined;
  /** What it came in through, if that can be shut alone. */
  readonly door?: object | undefined;
}

/** Every call that runs, so that a shutdown can wait for them and then cut off the rest. */
export class RunningCalls {
  readonly #cuts = new Map<(reason: ToolError) => void, object | undefined>();
  readonly #waiting: (() => void)[] = [];

  get size(): number {
    return this.#cuts.size;
  }

  begin({ timeoutMs, upstream, door }: CallLimits): RunningCall {
    const controller = new AbortController();
    const { promise: cutOff, reject } = withRejection();
    const cut = (reason: ToolError): void => {
      controller.abort(reason);
      reject(reason);
    };
    const clock = new Clock(timeoutMs, () => cut(new ToolError('Timed out')));
    const onAbort = (): void => controller.abort(upstream?.reason);
    if (upstream?.aborted) onAbort();
    upstream?.addEventListener('abort', onAbort, { once: true });
    this.#cuts.set(cut, door);
    const forget = (): void => {
      this.#cuts.delete(cut);
      if (this.#cuts.size > 0) return;
      for (const wake of this.#waiting.splice(0)) wake();
    };
    const afterwards: (() => Promise<void>)[] = [];
    return {
      signal: controller.signal,
      cutOff,
      pauseClock: () => clock.pause(),
      whenEnded: (work) => void afterwards.push(work),
      end: () => {
        clock.stop();
        upstream?.removeEventListener('abort', onAbort);
        if (afterwards.length === 0) return forget();
        setImmediate(() => void Promise.allSettled(afterwards.map((work) => work())).then(forget));
      },
    };
  }

  /** Resolves when nothing runs. */
  async whenIdle(): Promise<void> {
    if (this.#cuts.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Aborts and answers everything that still runs, or came in through this door; returns how many calls that were. */
  cutOffAll(door?: object): number {
    const cuts = [...this.#cuts].filter(([, through]) => door === undefined || through === door);
    for (const [cut] of cuts) cut(new ToolError('Shutting down'));
    return cuts.length;
  }
}

/** Counts down, and stands still while it is paused. */
class Clock {
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #pauses = 0;

  constructor(
    private leftMs: number,
    private readonly onEnd: () => void,
  ) {
    this.#start();
  }

  pause(): () => void {
    if (this.#pauses === 0) {
      clearTimeout(this.#timer);
      this.leftMs -= performance.now() - this.#startedAt;
    }
    this.#pauses += 1;
    let isPaused = true;
    return () => {
      if (!isPaused) return;
      isPaused = false;
      this.#pauses -= 1;
      if (this.#pauses === 0) this.#start();
    };
  }

  /** For good: a pause that ends later starts nothing. */
  stop(): void {
    this.#pauses += 1;
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.onEnd, Math.max(0, this.leftMs));
  }
}

function withRejection(): { promise: Promise<never>; reject: (reason: Error) => void } {
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<never>((_resolve, rejectPromise) => {
    reject = rejectPromise;
  });
  // A call that ends first leaves nobody waiting, and an unhandled rejection would end the process.
  promise.catch(() => undefined);
  return { promise, reject };
}
