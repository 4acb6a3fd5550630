import type { LoggerService, LogLevel } from '../contracts/logger';
import { McpSetupError, type SetupProblem } from '../errors/setup-error';
import { SILENT } from './silent-logger';
import { safeLogger } from './safe-logger';
import { StderrLogger } from './stderr-logger';

/** A logger as authors pass it; `false` is silent. What a logger lacks or throws loses its line and nothing else. */
export type LoggerOption = (Pick<LoggerService, 'log' | 'error' | 'warn'> & Partial<LoggerService>) | false;

/** The logger of one application: every part of it keeps this one, and what stands behind it can be replaced. */
export class ApplicationLogger implements LoggerService {
  #current: LoggerService;

  constructor(logger: LoggerOption | undefined) {
    this.#current = behind(logger ?? new StderrLogger());
  }

  /** True while nobody reads what is logged. */
  get isSilent(): boolean {
    return this.#current === SILENT;
  }

  /** Throws an `McpSetupError` for a value that is no logger. */
  replace(logger: LoggerOption): void {
    const problem = problemOfLogger(logger);
    if (problem !== undefined) throw new McpSetupError([{ ...problem, where: 'app.useLogger' }]);
    this.#current = behind(logger);
  }

  readonly log = this.#at('log');
  readonly error = this.#at('error');
  readonly warn = this.#at('warn');
  readonly debug = this.#at('debug');
  readonly verbose = this.#at('verbose');
  readonly fatal = this.#at('fatal');

  #at(level: LogLevel): LoggerService['log'] {
    return (message, ...details) => this.#current[level](message, ...details);
  }
}

/** Plain JavaScript can pass anything, and what has no methods at all would swallow every line. */
export function problemOfLogger(logger: unknown): SetupProblem | undefined {
  if (logger === false || (typeof logger === 'object' && logger !== null && !Array.isArray(logger))) return undefined;
  return {
    code: 'MCP_OPTION_INVALID',
    problem: 'The logger is neither an object nor false',
    where: 'McpFactory.create',
    fix: 'Pass an object with the methods log, error and warn, or false for no log. PERCH_LOG_LEVEL chooses a level.',
  };
}

function behind(logger: LoggerOption): LoggerService {
  return logger === false ? SILENT : safeLogger(logger);
}
