import type { LoggerService } from '../contracts/logger';
import type { UnhandledRejections } from './listen-options';
import { SILENT } from './silent-logger';
import { StderrLogger } from './stderr-logger';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** How many errors are logged once the end has begun: what fails again and again must not fill a disk meanwhile. */
const LOGGED_AT_END = 20;

/** An application that ends with its process. */
export interface Ending {
  /** Closes it, once, and resolves with the exit code it asks for. */
  readonly close: (signal?: NodeJS.Signals) => Promise<number>;
  readonly logger: LoggerService;
  readonly unhandledRejections: UnhandledRejections;
}

/** The applications of this process that want to end with it. The process is one, whatever lives in it. */
const applications = new Set<Ending>();
/** Those that are being closed, since the process is about to end; undefined until then. */
let closing: readonly Ending[] | undefined;
let uncaught = 0;

/**
 * Closes an application on the first SIGTERM or SIGINT, and on an error that nobody catches, which is logged in full. The process exits once
 * every application that asked for this is closed: with the highest code of them, and with 1 after an error. A second signal exits at
 * once; further errors are logged. Returns the way to stop listening.
 */
export function endWithProcess(ending: Ending): () => void {
  if (applications.size === 0 && closing === undefined) listenToProcess('on');
  applications.add(ending);
  return () => {
    if (applications.delete(ending) && applications.size === 0 && closing === undefined) listenToProcess('off');
  };
}

/** Exits with this code, or with 1 where an error was not caught meanwhile. */
export function exitProcess(code: number): never {
  process.exit(uncaught > 0 ? Math.max(code, 1) : code);
}

function listenToProcess(how: 'on' | 'off'): void {
  for (const signal of SIGNALS) process[how](signal, onSignal);
  process[how]('uncaughtException', onException);
  process[how]('unhandledRejection', onRejection);
}

function onSignal(signal: NodeJS.Signals): void {
  if (closing !== undefined) process.exit(1);
  end(signal);
}

function onException(error: unknown): void {
  fail('An error was not caught', error);
}

/** Nobody can say whose rejection it is, so it is only logged where every application wants that. */
function onRejection(reason: unknown): void {
  const all = closing ?? [...applications];
  if (!all.every(({ unhandledRejections }) => unhandledRejections === 'log')) return fail('A rejection was not handled', reason);
  for (const { logger } of all) logger.error('A rejection was not handled.', reason);
}

function fail(what: string, cause: unknown): void {
  uncaught += 1;
  if (uncaught <= LOGGED_AT_END)
    for (const logger of loggers()) logger.error(closing === undefined ? `${what}. Shutting down.` : `${what}.`, cause);
  if (closing === undefined) end();
}

/** An application without a log does not make the cause of the end disappear. */
function loggers(): Iterable<LoggerService> {
  const spoken = (closing ?? [...applications]).map(({ logger }) => logger).filter((logger) => logger !== SILENT);
  return spoken.length > 0 ? new Set(spoken) : [new StderrLogger('error')];
}

function end(signal?: NodeJS.Signals): void {
  closing = [...applications];
  const closed = closing.map(({ close }) => close(signal).catch(() => 1));
  void Promise.all(closed).then((codes) => exitProcess(Math.max(0, ...codes)));
}
