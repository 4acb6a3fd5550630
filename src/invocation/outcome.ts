import { ErrorCode, McpError } from '../errors/mcp-error';
import type { AuditedEnd } from './auditor';
import { referenceOf } from './answer-error';
import { HiddenEntry, isDenial } from './denial';
import { InvalidInput } from './invalid-input';

/** How an operation that threw ended, for the audit. */
export function outcomeOf(error: unknown, signal: AbortSignal): AuditedEnd {
  if (error instanceof HiddenEntry) return { outcome: 'hidden' };
  if (isDenial(error)) return { outcome: 'denied' };
  if (signal.aborted) return { outcome: (signal.reason as Error | undefined)?.message === 'Timed out' ? 'timed-out' : 'cancelled' };
  if (error instanceof InvalidInput) return { outcome: 'invalid' };
  if (error instanceof McpError && error.code === ErrorCode.InvalidParams) return { outcome: 'invalid' };
  return { outcome: 'failed', ref: referenceOf(error) };
}
