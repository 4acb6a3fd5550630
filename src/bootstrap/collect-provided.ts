import type { Container } from '../container/container';
import { AuditSink } from '../contracts/audit';
import { FLOW_STORE, type FlowStore } from '../contracts/flow-store';
import type { LoggerService } from '../contracts/logger';
import type { TokenVerifier } from '../contracts/token-verifier';
import type { SetupProblem } from '../errors/setup-error';
import { collectSole } from './collect-sole';
import { collectVerifier } from './collect-verifier';

/** What modules may provide in the place of the framework's own; empty until everything is built. */
export interface Provided {
  readonly store?: FlowStore | undefined;
  readonly sink?: AuditSink | undefined;
  readonly verifier?: TokenVerifier | undefined;
}

/** Finds it, once everything is built, with what is wrong with it. */
export function collectProvided(container: Container, logger: LoggerService): Provided & { readonly problems: readonly SetupProblem[] } {
  const { verifier, problems } = collectVerifier(container);
  const store = collectSole(container, { token: FLOW_STORE, word: 'flow store' }, logger);
  const sink = collectSole(container, { token: AuditSink, word: 'audit sink' }, logger);
  return {
    store: store.instance as FlowStore | undefined,
    sink: sink.instance as AuditSink | undefined,
    verifier,
    problems: [...problems, ...store.problems, ...sink.problems],
  };
}
