import type { Container } from '../container/container';
import type { ServerIdentity } from '../contracts/identity';
import type { Limits } from '../contracts/limits';
import type { TokenVerifier } from '../contracts/token-verifier';
import type { SetupProblem } from '../errors/setup-error';
import type { EngineRegistry } from '../engine/engine-registry';
import type { GlobalEnhancers } from '../invocation/global-enhancers';
import type { OperationInvoker } from '../invocation/operation-invoker';
import type { RunningCalls } from '../invocation/running-calls';
import type { McpEndpoint } from '../protocol/mcp-endpoint';
import type { Catalogues } from '../protocol/catalogues';
import type { Policy } from '../policy/policy';
import type { ApplicationLogger } from './application-logger';

/** What the factory has put together. */
export interface ApplicationParts {
  readonly identity: ServerIdentity;
  readonly limits: Limits;
  readonly logger: ApplicationLogger;
  readonly policy: Policy;
  readonly container: Container;
  readonly catalogues: Catalogues;
  readonly engines: EngineRegistry;
  readonly running: RunningCalls;
  readonly globals: GlobalEnhancers;
  readonly endpoint: McpEndpoint;
  readonly invoker: OperationInvoker;
  /** What can be known only once every global guard is in place. */
  readonly problems: () => readonly SetupProblem[];
  readonly verifier: TokenVerifier | undefined;
  /** False when the state of open questions is sealed with a key of this process alone. */
  readonly hasStateKey: boolean;
}
