import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import type { TransportHandle } from '../contracts/transport';
import type { RunningCalls } from '../invocation/running-calls';

/** How long answers to aborted calls are given to leave, in milliseconds. */
const LAST_ANSWERS_MS = 1_000;

/** What the end of an application needs to know. */
export interface OpenDoorsOptions {
  readonly limits: Pick<Limits, 'graceMs'>;
  readonly running: RunningCalls;
  readonly logger: LoggerService;
}

/** The transports of one application, from the moment they are open to their end. */
export class OpenDoors {
  #handles: readonly TransportHandle[] = [];
  #isClosing = false;

  constructor(private readonly options: OpenDoorsOptions) {}

  get handles(): readonly TransportHandle[] {
    return this.#handles;
  }

  /** True from the moment the end has begun. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Forgets one that was closed alone. */
  remove(closed: TransportHandle): void {
    this.#handles = this.#handles.filter((handle) => handle !== closed);
  }

  add(opened: readonly TransportHandle[]): void {
    this.#handles = [...this.#handles, ...opened];
  }

  /** Aborts and answers what runs still and came in through one door that is shut alone, and lets the answers leave. */
  async cutOff(door: object, handle: TransportHandle): Promise<void> {
    if (this.options.running.cutOffAll(door) > 0) await within(LAST_ANSWERS_MS, handle.whenAnswered());
  }

  /** Takes what has been opened; an application that was closed meanwhile closes it too. */
  async keep(opened: readonly TransportHandle[]): Promise<void> {
    if (!this.#isClosing) return this.add(opened);
    await Promise.allSettled(opened.map((handle) => handle.close()));
  }

  /**
   * Takes nothing new, lets what runs finish within the grace period, answers the rest, and then runs `end`. Returns the exit code: 1 when
   * something had to be cut off.
   */
  async close(end: () => Promise<void>): Promise<number> {
    this.#isClosing = true;
    const { limits, running, logger } = this.options;
    for (const handle of this.#handles) handle.stopAccepting();
    await within(limits.graceMs, this.#whenQuiet());
    const aborted = running.cutOffAll();
    if (aborted > 0)
      logger.warn(`Calls that were aborted at the end of the grace period of ${String(limits.graceMs)} ms: ${String(aborted)}.`);
    if (aborted > 0) await within(LAST_ANSWERS_MS, this.#whenQuiet());
    await end();
    return aborted > 0 ? 1 : 0;
  }

  /** Closes every transport, once what was written has left. */
  async closeHandles(): Promise<void> {
    await within(this.options.limits.graceMs, Promise.allSettled(this.#handles.map((handle) => handle.close())));
  }

  async #whenQuiet(): Promise<void> {
    await Promise.all([this.options.running.whenIdle(), ...this.#handles.map((handle) => handle.whenAnswered())]);
  }
}

/** Waits for `work`, and no longer than that. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, deadline]);
  clearTimeout(timer);
}
