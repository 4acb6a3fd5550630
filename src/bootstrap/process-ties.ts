import { constants } from 'node:os';
import { McpSetupError } from '../errors/setup-error';
import type { ResolvedListenOptions } from './listen-options';
import { watchLoop } from './loop-watch';
import { endWithProcess, type Ending } from './process-end';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

/** What the system keeps for itself. */
const NEVER_HEARD: ReadonlySet<string> = new Set(['SIGKILL', 'SIGSTOP']);

/** What ties one application to its process, until it is closed. */
export class ProcessTies {
  readonly #followed = new Set<NodeJS.Signals>();
  #ties: (() => void)[] = [];

  constructor(private readonly ending: Pick<Ending, 'close' | 'logger'>) {}

  /** Ends the application with the process, where it has not asked to be left out of that, and watches the event loop. */
  listens({ shutdownHooks, unhandledRejections }: Pick<ResolvedListenOptions, 'shutdownHooks' | 'unhandledRejections'>): void {
    this.#ties.push(watchLoop(this.ending.logger));
    if (shutdownHooks) this.#ties.push(endWithProcess({ ...this.ending, signals: SIGNALS, unhandledRejections }));
  }

  /** Closes the application on these signals, each followed once; without any, on those of `listen`. */
  follow(asked: readonly string[]): void {
    const signals = (asked.length === 0 ? SIGNALS : asked).map(signalNamed).filter((signal) => !this.#followed.has(signal));
    if (signals.length === 0) return;
    for (const signal of signals) this.#followed.add(signal);
    this.#ties.push(endWithProcess({ ...this.ending, signals }));
  }

  cut(): void {
    for (const cut of this.#ties.splice(0)) cut();
  }
}

function signalNamed(name: string): NodeJS.Signals {
  if (Object.hasOwn(constants.signals, name) && !NEVER_HEARD.has(name)) return name as NodeJS.Signals;
  throw new McpSetupError([
    {
      code: 'MCP_OPTION_INVALID',
      problem: `"${name}" is not a signal that a process can answer`,
      where: 'app.enableShutdownHooks',
      fix: `Name signals such as ${SIGNALS.join(' and ')}, or none for these two.`,
    },
  ]);
}
