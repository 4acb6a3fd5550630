/** The six levels, least important first. */
export type LogLevel = 'verbose' | 'debug' | 'log' | 'warn' | 'error' | 'fatal';

/** Where Perch writes what an operator should know. Implementations write anywhere but stdout, which may carry the protocol. */
export interface LoggerService {
  log(message: string, ...details: unknown[]): void;
  error(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  debug(message: string, ...details: unknown[]): void;
  verbose(message: string, ...details: unknown[]): void;
  fatal(message: string, ...details: unknown[]): void;
}
