import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** How a server is kept running. */
export interface SupervisorOptions {
  /** The program and its arguments, for Node. */
  readonly command: readonly string[];
  /** Answers 200 while the server is ready. */
  readonly readyUrl: string;
  /** How often it is asked, and how long an answer may take. */
  readonly everyMs: number;
  /** How long it may take to be ready for the first time. */
  readonly startMs: number;
  /** How often in a row it may be down before it is started again. */
  readonly down: number;
  /** How many restarts within `withinMs` are too many. */
  readonly restarts: number;
  readonly withinMs: number;
  /** How long the server may take to end; longer than its own `limits.graceMs`. */
  readonly graceMs: number;
}

/** Runs one server at a time, and starts it again when it has died or stays down. */
export class Supervisor {
  readonly #ended = new AbortController();
  #server: ChildProcess | undefined;
  #restarts: number[] = [];

  constructor(private readonly options: SupervisorOptions) {}

  /** Passes a signal on; the server is then not started again. */
  end(signal: NodeJS.Signals): void {
    this.#ended.abort();
    if (this.#server !== undefined) this.#stop(this.#server, signal);
  }

  /** Resolves with the exit code once the server has ended for good. */
  async run(): Promise<number> {
    for (;;) {
      const { code, wasDown } = await this.#serve();
      if (this.#ended.signal.aborted || (code === 0 && !wasDown)) return code;
      if (this.#isTooOften()) {
        say(`gives up after ${String(this.options.restarts)} restarts`);
        return 1;
      }
      await delay(this.options.everyMs, undefined, { signal: this.#ended.signal }).catch(() => undefined);
      if (this.#ended.signal.aborted) return code;
    }
  }

  async #serve(): Promise<{ code: number; wasDown: boolean }> {
    // The pipe is stdin to the server, so that it ends by itself should this process be killed. A process group of its own keeps a Ctrl-C in
    // the terminal from reaching it twice: a second signal ends it at once.
    const server = spawn(process.execPath, this.options.command, { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
    const exit = once(server, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    const gone = new AbortController();
    this.#server = server;
    say(`started ${String(server.pid)}`);
    const watched = this.#whenDown(server, gone.signal);
    const [code, signal] = await exit;
    gone.abort();
    say(`${String(server.pid)} ended with ${String(code ?? signal)}`);
    return { code: code ?? 1, wasDown: await watched };
  }

  /** Asks until the server has gone, or has been down for too long and is ended. */
  async #whenDown(server: ChildProcess, gone: AbortSignal): Promise<boolean> {
    const { everyMs, startMs, down } = this.options;
    const startUntil = performance.now() + startMs;
    let [hasBeenReady, times] = [false, 0];
    while (times < down && (hasBeenReady || performance.now() < startUntil)) {
      await delay(everyMs, undefined, { signal: gone }).catch(() => undefined);
      const isReady = await this.#isReady(gone);
      if (gone.aborted || this.#ended.signal.aborted) return false;
      times = isReady ? 0 : times + Number(hasBeenReady);
      if (isReady && !hasBeenReady) say(`${String(server.pid)} is ready`);
      hasBeenReady ||= isReady;
    }
    say(`${String(server.pid)} stays down`);
    this.#stop(server, 'SIGTERM');
    return true;
  }

  /** Asks it to end, and ends it when it does not. */
  #stop(server: ChildProcess, signal: NodeJS.Signals): void {
    server.kill(signal);
    setTimeout(() => server.kill('SIGKILL'), this.options.graceMs).unref();
  }

  async #isReady(gone: AbortSignal): Promise<boolean> {
    try {
      const answer = await fetch(this.options.readyUrl, { signal: AbortSignal.any([gone, AbortSignal.timeout(this.options.everyMs)]) });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }

  #isTooOften(): boolean {
    const now = performance.now();
    this.#restarts = [...this.#restarts.filter((at) => now - at < this.options.withinMs), now];
    return this.#restarts.length > this.options.restarts;
  }
}

function say(text: string): void {
  process.stderr.write(`supervisor: ${text}\n`);
}
