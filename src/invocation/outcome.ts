import { ErrorCode, McpError } from '../errors/mcp-error';
import type { AuditedEnd } from './auditor';
import { referenceOf } from './answer-error';
import { isFromGuard, isHidden } from './denial';
import { InvalidInput } from './invalid-input';

/** How an operation that threw ended, for the audit. */
export function outcomeOf(error: unknown, signal: AbortSignal): AuditedEnd {
  if (isHidden(error)) return { outcome: 'hidden' };
  if (isFromGuard(error)) return { outcome: 'denied' };
  if (signal.aborted) return { outcome: (signal.reason as Error | undefined)?.message === 'Timed out' ? 'timed-out' : 'cancelled' };
  const ref = referenceOf(error);
  // What was logged as unexpected may be anything, and is not asked what it is.
  if (ref !== undefined) return { outcome: 'failed', ref };
  if (error instanceof InvalidInput) return { outcome: 'invalid' };
  if (error instanceof McpError && error.code === ErrorCode.InvalidParams) return { outcome: 'invalid' };
  return { outcome: 'failed' };
}
