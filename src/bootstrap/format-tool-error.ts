import type { LoggerService } from '../contracts/logger';
import type { McpError } from '../errors/mcp-error';
import { thrownMessage } from '../errors/thrown-message';
import { logged } from '../invocation/answer-error';
import { StderrLogger } from './stderr-logger';

/** What {@link formatToolError} is told besides the error. */
export interface ToolErrorOptions {
  /** The tool that failed, for the log. */
  readonly tool: string;
  /** Where an error that nobody meant to happen is logged in full. Default: stderr. */
  readonly logger?: LoggerService;
  /** True shows what else was thrown in its own words, and an object with its fields; never a stack or a cause. Default false. */
  readonly exposeErrors?: boolean;
}

/**
 * Words a tool's error for whoever called it, as an application would. A `ToolError` gives its text. An `McpError` gives the JSON of its
 * code, message and data. Anything else gives `Internal error (ref …)`, with the same reference in the log.
 */
export function formatToolError(error: unknown, { tool, logger = new StderrLogger(), exposeErrors = false }: ToolErrorOptions): string {
  const { kind, message } = logged(error, `Tool "${tool}"`, logger);
  if (kind === 'tool') return message;
  if (kind === 'protocol') {
    const { code, data } = error as McpError;
    return jsonOf({ code, message, data }) ?? JSON.stringify({ code, message });
  }
  return (exposeErrors ? ownWords(error) : undefined) ?? message;
}

/** An error with fields of its own gives them all, beside its message; other objects give their JSON. */
function ownWords(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return thrownMessage(thrown);
  const fields = fieldsOf(thrown);
  if (fields === undefined) return undefined;
  const message = thrown instanceof Error ? thrownMessage(thrown) : undefined;
  if (Object.keys(fields).length === 0) return message;
  return jsonOf({ ...(message === undefined ? {} : { message }), ...fields });
}

const HIDDEN: ReadonlySet<string> = new Set(['stack', 'cause']);

/** Undefined for what will not be looked at. */
function fieldsOf(thrown: object): Readonly<Record<string, unknown>> | undefined {
  try {
    return Object.fromEntries(Object.entries(thrown).filter(([key]) => !HIDDEN.has(key)));
  } catch {
    return undefined;
  }
}

/** Undefined for what has a cycle, a BigInt, or a `toJSON` that throws. */
function jsonOf(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
