import type { ApplicationLogger } from './application-logger';
import type { UnhandledRejections } from './listen-options';
import { StderrLogger } from './stderr-logger';

/** How many errors are logged once the end has begun: what fails again and again must not fill a disk meanwhile. */
const LOGGED_AT_END = 20;

/** An application that ends with its process. */
export interface Ending {
  /** Closes it, once, and resolves with the exit code it asks for. */
  readonly close: (signal?: NodeJS.Signals) => Promise<number>;
  readonly logger: ApplicationLogger;
  readonly signals: readonly NodeJS.Signals[];
  /** Left out where errors that nobody catches are the program's own business. */
  readonly unhandledRejections?: UnhandledRejections;
}

type Listener = (value: never) => void;

/** The applications of this process that want to end with it. The process is one, whatever lives in it. */
const applications = new Set<Ending>();
/** Those that are being closed, since the process is about to end; undefined until then. */
let closing: readonly Ending[] | undefined;
/** True once a signal or an error has begun the end: the next signal means "at once". */
let isUrgent = false;
let uncaught = 0;
const followed = new Map<string, Listener>();

/**
 * Closes an application on the first of its signals and, if it asks for that, on an error that nobody catches, which is logged in full. The
 * process exits once every application that ends with it is closed: with the highest code of them, and with 1 after an error. A second
 * signal exits at once; further errors are logged. Returns the way to stop listening.
 */
export function endWithProcess(ending: Ending): () => void {
  applications.add(ending);
  followProcess();
  return () => {
    applications.delete(ending);
    followProcess();
  };
}

/** Ends the process, since the client that it ran for has gone: after this application, and every other that ends with the process. */
export function endProcessAfter(closed: Promise<number>): void {
  if (closing === undefined) end({ closed });
}

/** Listens to what the applications want to end with, and to nothing else. Once the end has begun, it stays so. */
function followProcess(): void {
  if (closing !== undefined) return;
  const wanted = new Map<string, Listener>();
  for (const { signals, unhandledRejections } of applications) {
    for (const signal of signals) wanted.set(signal, onSignal);
    if (unhandledRejections !== undefined) wanted.set('uncaughtException', onException).set('unhandledRejection', onRejection);
  }
  for (const [event, listener] of followed) if (!wanted.has(event)) process.off(event, listener as never);
  for (const [event, listener] of wanted) if (!followed.has(event)) process.on(event, listener as never);
  followed.clear();
  for (const [event, listener] of wanted) followed.set(event, listener);
}

function onSignal(signal: NodeJS.Signals): void {
  if (isUrgent) process.exit(1);
  isUrgent = true;
  if (closing === undefined) end({ signal });
}

function onException(error: unknown): void {
  fail('An error was not caught', error);
}

/** Nobody can say whose rejection it is, so it is only logged where every application wants that. */
function onRejection(reason: unknown): void {
  const all = (closing ?? [...applications]).filter(({ unhandledRejections }) => unhandledRejections !== undefined);
  if (!all.every(({ unhandledRejections }) => unhandledRejections === 'log')) return fail('A rejection was not handled', reason);
  for (const { logger } of all) logger.error('A rejection was not handled.', reason);
}

function fail(what: string, cause: unknown): void {
  uncaught += 1;
  if (uncaught <= LOGGED_AT_END)
    for (const logger of loggers()) logger.error(closing === undefined ? `${what}. Shutting down.` : `${what}.`, cause);
  isUrgent = true;
  if (closing === undefined) end({});
}

/** An application without a log does not make the cause of the end disappear. */
function loggers(): Iterable<Pick<ApplicationLogger, 'error'>> {
  const spoken = (closing ?? [...applications]).map(({ logger }) => logger).filter(({ isSilent }) => !isSilent);
  return spoken.length > 0 ? new Set(spoken) : [new StderrLogger('error')];
}

function end({ signal, closed }: { readonly signal?: NodeJS.Signals; readonly closed?: Promise<number> }): void {
  closing = [...applications];
  const ended = [...(closed === undefined ? [] : [closed]), ...closing.map(({ close }) => close(signal))];
  void Promise.all(ended.map((each) => each.catch(() => 1))).then((codes) => {
    process.exit(Math.max(uncaught > 0 ? 1 : 0, ...codes));
  });
}
