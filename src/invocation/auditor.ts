import { randomUUID } from 'node:crypto';
import type { AuditOutcome, AuditRecord, AuditSink } from '../contracts/audit';
import type { Operation } from '../contracts/execution-context';
import type { LoggerService } from '../contracts/logger';
import { frozenCopy } from './frozen-copy';
import type { OperationRequest } from './operation-context';

/** What is recorded, and where it goes. */
export interface AuditorOptions {
  /** Asked for at each record, since a module may provide it. */
  readonly sink: () => Pick<AuditSink, 'write'>;
  /** Whether operations that went well are recorded too. */
  readonly successes: () => boolean;
  /** Whether records hold what was sent. */
  readonly withArguments: boolean;
  readonly logger: LoggerService;
}

/** One operation, for its record. */
export interface AuditedOperation {
  readonly operation: Operation | undefined;
  readonly name: string | undefined;
  readonly request: Pick<OperationRequest, 'transport' | 'principal'>;
  /** What {@link Auditor.keep} made of what was sent. */
  readonly sent?: unknown;
  /** Of `performance.now()`. */
  readonly startedAt: number;
}

/** How it ended. */
export interface AuditedEnd {
  readonly outcome: AuditOutcome;
  readonly reason?: string | undefined;
  readonly ref?: string | undefined;
}

const LONGEST_NAME = 200;

/** Records how operations ended: every refusal and failure, and what went well where that is wanted. */
export class Auditor {
  constructor(private readonly options: AuditorOptions) {}

  /** What a record will hold of what was sent: a copy, since a handler may change what it is given, and nothing unless it was asked for. */
  keep(raw: unknown): unknown {
    if (!this.options.withArguments) return undefined;
    try {
      return frozenCopy(raw);
    } catch {
      // Deeper than the stack: only a program in process can pass that.
      return undefined;
    }
  }

  record(audited: AuditedOperation, end: AuditedEnd): void {
    if (end.outcome === 'ok' && !this.options.successes()) return;
    const { sink, logger } = this.options;
    try {
      const written = sink().write(this.#recordOf(audited, end));
      if (written instanceof Promise) written.catch((error: unknown) => logger.error('The audit sink failed', error));
    } catch (error) {
      logger.error('The audit sink failed', error);
    }
  }

  #recordOf({ operation, name, request, sent, startedAt }: AuditedOperation, { outcome, reason, ref }: AuditedEnd): AuditRecord {
    const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
    return Object.freeze({
      time: new Date().toISOString(),
      transport: request.transport,
      ...(request.principal === undefined ? {} : { principal: request.principal.id }),
      ...(operation === undefined ? {} : { operation }),
      ...(name === undefined ? {} : { name: name.slice(0, LONGEST_NAME) }),
      outcome,
      durationMs,
      ref: ref ?? randomUUID().slice(0, 8),
      ...(reason === undefined ? {} : { reason }),
      ...(sent === undefined ? {} : { arguments: sent }),
    });
  }
}
