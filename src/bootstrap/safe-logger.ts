import type { LoggerService, LogLevel } from '../contracts/logger';

/**
 * The author's logger, made harmless: a method that throws or is missing loses its line and nothing else. Without this a broken logger
 * would turn answers into errors, with its own text in them.
 */
export function safeLogger(logger: Partial<LoggerService>): LoggerService {
  const at =
    (level: LogLevel): LoggerService['log'] =>
    (message, ...details) => {
      try {
        logger[level]?.(message, ...details);
      } catch {
        // There is nowhere left to say so.
      }
    };
  return { log: at('log'), error: at('error'), warn: at('warn'), debug: at('debug'), verbose: at('verbose'), fatal: at('fatal') };
}
