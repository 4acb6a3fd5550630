import type { LoggerService } from '../contracts/logger';
import type { PolicyQuestions } from '../contracts/policy-questions';
import type { TransportHandle } from '../contracts/transport';
import type { Catalogues } from '../protocol/catalogues';

/** How many tools the log names at the start. */
const NAMED = 10;

const OWN_KEY =
  'Open questions are sealed with a key of this process. Set PERCH_STATE_KEY if other processes, or this one after a restart, are to go on with them.';

/** What is told of a started application. */
export interface Announced {
  readonly logger: LoggerService;
  readonly policy: PolicyQuestions;
  readonly catalogues: Catalogues;
  readonly hasStateKey: boolean;
}

/** Tells the operator where an application serves what, and what protects it. */
export function announce({ logger, policy, catalogues, hasStateKey }: Announced, handles: readonly TransportHandle[]): void {
  const names = catalogues.tools.registry.list().map(({ name }) => name);
  const more = names.length > NAMED ? `, and ${String(names.length - NAMED)} more` : '';
  for (const { mode, url, socketPath } of handles) {
    logger.log(`Serving MCP on ${url ?? (socketPath === undefined ? mode : `${socketPath} (${mode})`)}`);
  }
  if (!policy.enforced) logger.log('No policy is in force, so handlers may touch everything; PERCH_PERM_ENFORCE switches one on.');
  if (!hasStateKey && handles.some(({ mode }) => mode === 'http')) logger.log(OWN_KEY);
  if (names.length > 0) logger.log(`Tools: ${names.slice(0, NAMED).join(', ')}${more}`);
  else logger.warn('There are no tools. A class with @McpTool is served when a module has it in its providers.');
}
