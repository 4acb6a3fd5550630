import type { AuditRecord, AuditSink } from '../contracts/audit';

/** Writes each record as one line of JSON to stderr, since stdout may carry the protocol. */
export class StderrAudit implements AuditSink {
  write(record: AuditRecord): void {
    process.stderr.write(`${JSON.stringify(record)}\n`);
  }
}

/** For an application without a log. */
export const NO_AUDIT: Pick<AuditSink, 'write'> = { write: () => undefined };
