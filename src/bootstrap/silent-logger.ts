import type { LoggerService } from '../contracts/logger';

const nothing = (): void => undefined;

/** Writes nothing. Unexpected errors are answered with a reference that then stands nowhere. */
export const SILENT: LoggerService = Object.freeze({
  log: nothing,
  error: nothing,
  warn: nothing,
  debug: nothing,
  verbose: nothing,
  fatal: nothing,
});
