import type { AuditSink } from '../contracts/audit';
import type { LoggerService } from '../contracts/logger';
import { Auditor } from '../invocation/auditor';
import { auditOf, type McpApplicationOptions } from './application-options';
import { NO_AUDIT, StderrAudit } from './stderr-audit';

/** The audit of an application: to the sink that a module provides, else to stderr, which `logger: false` silences with the rest. */
export function createAuditor(options: McpApplicationOptions, logger: LoggerService, provided: () => AuditSink | undefined): Auditor {
  const { successes, arguments: withArguments = false } = auditOf(options);
  const stderr = options.logger === false ? NO_AUDIT : new StderrAudit();
  return new Auditor({
    sink: () => provided() ?? stderr,
    successes: () => successes ?? provided() !== undefined,
    withArguments,
    logger,
  });
}
