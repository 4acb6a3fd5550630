import { inspect } from 'node:util';
import type { LoggerService, LogLevel } from '../contracts/logger';
import { toStderr } from '../transport/to-stderr';

const LEVELS: readonly LogLevel[] = ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'];

/** Writes to stderr at every level, since stdout may carry the protocol. A message is one line; what is inspected may take more. */
export class StderrLogger implements LoggerService {
  readonly #lowest: number;

  /** @param level the least important level that is written; `log` by default, or what `PERCH_LOG_LEVEL` names. */
  constructor(level: LogLevel = levelFrom(process.env['PERCH_LOG_LEVEL'])) {
    this.#lowest = LEVELS.indexOf(level);
  }

  log(message: string, ...details: unknown[]): void {
    this.#write('log', message, details);
  }

  error(message: string, ...details: unknown[]): void {
    this.#write('error', message, details);
  }

  warn(message: string, ...details: unknown[]): void {
    this.#write('warn', message, details);
  }

  debug(message: string, ...details: unknown[]): void {
    this.#write('debug', message, details);
  }

  verbose(message: string, ...details: unknown[]): void {
    this.#write('verbose', message, details);
  }

  fatal(message: string, ...details: unknown[]): void {
    this.#write('fatal', message, details);
  }

  #write(level: LogLevel, message: string, details: readonly unknown[]): void {
    if (LEVELS.indexOf(level) < this.#lowest) return;
    const line = [`[perch] ${new Date().toISOString()} ${level.toUpperCase()} ${message}`, ...details.map(describe)].join('\n');
    toStderr(`${line}\n`);
  }
}

/** Thrown values can have getters that throw; a log line must come out all the same. */
function describe(detail: unknown): string {
  try {
    return typeof detail === 'string' ? detail : inspect(detail, { depth: 4 });
  } catch {
    return '(a value that cannot be inspected)';
  }
}

function levelFrom(name: string | undefined): LogLevel {
  return LEVELS.find((level) => level === name) ?? 'log';
}
