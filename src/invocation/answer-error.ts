import { randomUUID } from 'node:crypto';
import type { LoggerService } from '../contracts/logger';
import type { ToolResult } from '../contracts/tool';
import { ErrorCode, McpError } from '../errors/mcp-error';
import { printable } from '../errors/registry-errors';
import { ToolError } from '../errors/tool-error';

/**
 * Answers what a tool call threw. A `ToolError` becomes a failed result with its text; an `McpError` is thrown on, for the protocol to
 * encode; anything else is a bug, logged in full and answered with nothing but a reference to that log line.
 */
export function answerToolError(error: unknown, operation: string, logger: LoggerService): ToolResult {
  const { kind, message } = logged(error, operation, logger);
  if (kind === 'protocol') throw error;
  return failed(message);
}

/**
 * The same for what has no result to fail with, such as a read: everything becomes an `McpError`, a `ToolError` -32603 with its text.
 * A guard's denial is for the caller to word.
 */
export function asProtocolError(error: unknown, operation: string, logger: LoggerService): McpError {
  const { kind, message } = logged(error, operation, logger);
  return kind === 'protocol' ? (error as McpError) : new McpError(ErrorCode.InternalError, message);
}

/** Logs an error, and says what its caller may be told. */
export function logged(
  error: unknown,
  operation: string,
  logger: LoggerService,
): { readonly kind: ReturnType<typeof kindOf>; readonly message: string } {
  const kind = kindOf(error);
  if (kind === 'unexpected') return { kind, message: `Internal error (ref ${logUnexpected(error, operation, logger)})` };
  const { message } = error as Error;
  logger.debug(`${operation} failed: ${printable(message)}`);
  return { kind, message };
}

const references = new WeakMap<object, string>();

/** The last thrown value that no weak map can hold, such as a string. */
let lastValue: { readonly thrown: unknown; readonly reference: string } | undefined;

/** The reference under which an error stands in the log; undefined for one that was not logged in full. To be asked right after it was. */
export function referenceOf(error: unknown): string | undefined {
  if (isObject(error)) return references.get(error);
  return lastValue !== undefined && Object.is(lastValue.thrown, error) ? lastValue.reference : undefined;
}

/** Logs an error nobody meant to happen, and returns the reference under which it stands in the log. */
export function logUnexpected(error: unknown, operation: string, logger: LoggerService): string {
  const reference = randomUUID().slice(0, 8);
  if (isObject(error)) references.set(error, reference);
  else lastValue = { thrown: error, reference };
  logger.error(`${operation} failed unexpectedly (ref ${reference})`, error);
  return reference;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function failed(message: string): ToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}

/** Thrown values can be anything, proxies with throwing traps included; what cannot be examined is unexpected. */
function kindOf(error: unknown): 'tool' | 'protocol' | 'unexpected' {
  try {
    if (error instanceof ToolError && typeof error.message === 'string') return 'tool';
    if (error instanceof McpError && Number.isSafeInteger(error.code) && typeof error.message === 'string') return 'protocol';
  } catch {
    return 'unexpected';
  }
  return 'unexpected';
}
