import type { AuditRecord, AuditSink } from '../contracts/audit';
import { toStderr } from '../transport/to-stderr';

/** Writes each record as one line of JSON to stderr, since stdout may carry the protocol. */
export class StderrAudit implements AuditSink {
  write(record: AuditRecord): void {
    toStderr(`${lineOf(record)}\n`);
  }
}

/** For an application without a log. */
export const NO_AUDIT: Pick<AuditSink, 'write'> = { write: () => undefined };

/** Control and formatting characters that JSON leaves as they are: a terminal would obey them, and some readers end a line at them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function lineOf(record: AuditRecord): string {
  return json(record).replace(UNSEEN, (character) => Array.from({ length: character.length }, (_, at) => escaped(character, at)).join(''));
}

/** What a program passes in process can be what JSON cannot carry; the record is kept without it. */
function json(record: AuditRecord): string {
  try {
    return JSON.stringify(record);
  } catch {
    return JSON.stringify({ ...record, arguments: undefined });
  }
}

function escaped(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
}
