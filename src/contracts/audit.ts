import type { Operation } from './execution-context';
import type { TransportKind } from './mcp-context';

/**
 * How an operation ended: `ok`; `denied` by a guard, a scope or the policy; `hidden` or `unknown`, which its caller cannot tell apart;
 * `invalid` arguments; `failed`; `timed-out`; `cancelled`; or `refused` before it was known what is asked.
 */
export type AuditOutcome = 'ok' | 'denied' | 'hidden' | 'unknown' | 'invalid' | 'failed' | 'timed-out' | 'cancelled' | 'refused';

/** One line of the audit. */
export interface AuditRecord {
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly transport: TransportKind;
  /** The id of the principal; absent for a caller nobody verified. */
  readonly principal?: string;
  /** Absent where the request was refused before it was read. */
  readonly operation?: Operation;
  /** The name or URI that was asked for, at most 200 characters of it. */
  readonly name?: string;
  readonly outcome: AuditOutcome;
  /** Milliseconds. */
  readonly durationMs: number;
  /** Tells one record from another; the one that the caller was answered with, where an error has one. */
  readonly ref: string;
  /** Why, in the framework's words; never what a caller or an author wrote. */
  readonly reason?: string;
  /** What was sent, where the options ask for it. */
  readonly arguments?: unknown;
}

/**
 * Where the audit goes. Provide one under this token to get every record, also those of operations that went well; without one,
 * refusals and failures are written to stderr as JSON lines. What `write` throws is logged, and stops nothing.
 */
export abstract class AuditSink {
  abstract write(record: AuditRecord): void | Promise<void>;
}
