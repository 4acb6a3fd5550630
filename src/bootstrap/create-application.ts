import { randomUUID } from 'node:crypto';
import { Container, type ContainerOptions } from '../container/container';
import type { OverrideOptions } from '../container/overrides';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '../contracts/app-tokens';
import type { LoggerService } from '../contracts/logger';
import type { FlowStore } from '../contracts/flow-store';
import type { ModuleImport, ModuleMetadata } from '../contracts/provider';
import type { InjectionToken } from '../contracts/type';
import { fieldsOf } from '../decorators/metadata';
import { EngineRegistry } from '../engine/engine-registry';
import { throwIfAny, type SetupProblem } from '../errors/setup-error';
import { ElicitationForms } from '../invocation/ask/elicitation-form';
import { MemoryFlowStore } from '../invocation/ask/memory-flow-store';
import { Inquiries } from '../invocation/ask/questions';
import { Rounds } from '../invocation/ask/rounds';
import { StateSeal } from '../invocation/ask/state-seal';
import { GlobalEnhancers } from '../invocation/global-enhancers';
import type { OperationRequest } from '../invocation/operation-context';
import { RunningCalls } from '../invocation/running-calls';
import { OperationInvoker, type OperationInvokerOptions } from '../invocation/operation-invoker';
import { McpEndpoint, MODERN_REVISION } from '../protocol/mcp-endpoint';
import { ApplicationLogger } from './application-logger';
import { identityOf, limitsOf, policyOf, problemsOfOptions, stateKeyOf, type McpApplicationOptions } from './application-options';
import { createCatalogues } from './catalogue';
import { unguardedEntries, unmetEntries, warnOfUnmet } from './check-protection';
import { collectFunctions } from './collect-functions';
import { collectGlobals } from './collect-globals';
import { collectProvided, type Provided } from './collect-provided';
import { createAuditor } from './create-auditor';
import { exposeEngines } from './expose-engines';
import { frameworkProviders } from './framework-providers';
import { McpApplication } from './mcp-application';
import { HandlerRegistration } from './register-handlers';

/** Stand-ins for tests. */
export interface TestDoubles {
  readonly overrides: OverrideOptions;
  /** Called with the keys of overrides that matched nothing, and every token there is; throws. */
  readonly refuse: (unused: readonly unknown[], tokens: readonly InjectionToken[]) => void;
}

/** What `McpFactory.create` does, with stand-ins for the tests that ask for them. */
export async function createApplication(
  root: ModuleImport | ModuleMetadata,
  options: McpApplicationOptions,
  doubles?: TestDoubles,
): Promise<McpApplication> {
  throwIfAny(problemsOfOptions(options));
  const logger = new ApplicationLogger(options.logger);
  const limits = limitsOf(options);
  const policy = policyOf(options, process.env);
  const running = new RunningCalls();
  const globals = new GlobalEnhancers();
  const catalogues = createCatalogues({
    limits,
    invoke: (operation, raw) => invoker.invoke(operation, raw, inProcess()),
    serve: (...object) => container.serve(...object),
  });
  const engines = new EngineRegistry();
  const registration = new HandlerRegistration(catalogues);
  const scanOptions = { logger, hookTimeoutMs: limits.hookMs, globals: frameworkProviders({ catalogues, engines, policy }) };
  const container = await scan(root, scanOptions, doubles);
  const provided: Provided = {};
  const auditor = createAuditor(options, logger, () => provided.sink);
  const operations = { limits, logger, running, globals, policy, auditor, ...asking(options, () => provided.store) };
  const invoker = new OperationInvoker({ ...operations, openScope: (context) => container.openScope(context) });
  throwIfAny([...container.problems, ...registration.add(container.discover())]);
  await buildAll(container, logger);
  const late = [...registration.add(container.discover()), ...collectGlobals(container, globals)];
  const { problems: wrong, ...found } = collectProvided(container, logger);
  const served = { container, engines, tools: catalogues.tools.registry, logger };
  await closeIfAny(container, [...late, ...wrong, ...exposeEngines(served), ...collectFunctions(served)]);
  const unmet = unmetEntries(catalogues, policy);
  await (options.unmetRequirements === 'refuse' ? closeIfAny(container, unmet) : warnOfUnmet(unmet, logger));
  Object.assign(provided, found);
  const identity = identityOf(options);
  const endpoint = new McpEndpoint({ identity, limits, logger, catalogues, invoker, auditor, acceptsBatches: options.batch === 'accept' });
  const problems = (): readonly SetupProblem[] => unguardedEntries(catalogues, invoker);
  const { verifier } = found;
  const parts = { identity, limits, logger, policy, container, catalogues, engines, running, globals, endpoint, problems, verifier };
  return new McpApplication({ ...parts, invoker, hasStateKey: stateKeyOf(options) !== undefined });
}

/** Reads the modules, with a test's stand-ins in their places. */
async function scan(root: ModuleImport | ModuleMetadata, options: ContainerOptions, doubles: TestDoubles | undefined): Promise<Container> {
  const container = await Container.scan(root, {
    ...options,
    enhancerTokens: [APP_GUARD, APP_PIPE, APP_INTERCEPTOR, APP_FILTER],
    ...(doubles === undefined ? {} : { overrides: doubles.overrides }),
  });
  if (container.unusedOverrides.length > 0) doubles?.refuse(container.unusedOverrides, container.tokens);
  return container;
}

/** Builds every singleton; what failed is logged with its cause, and thrown. */
async function buildAll(container: Container, logger: LoggerService): Promise<void> {
  const problems = await container.build();
  for (const { problem, cause } of problems) if (cause !== undefined) logger.error(problem, cause);
  throwIfAny(problems);
}

/** What lets handlers ask their clients. */
function asking(
  options: McpApplicationOptions,
  provided: () => FlowStore | undefined,
): Pick<OperationInvokerOptions, 'inquiries' | 'rounds'> {
  const limits = limitsOf(options);
  const inMemory = new MemoryFlowStore(limits.flows, limits.flowMs);
  const store = (): FlowStore => provided() ?? inMemory;
  const inquiries = new Inquiries(new ElicitationForms({ fieldsOf, maxDepth: limits.depth, maxElements: limits.elements }));
  const seal = new StateSeal(stateKeyOf(options), limits.flowMs);
  return { inquiries, rounds: new Rounds({ inquiries, seal, limits, store }) };
}

/** What instances brought to light; the instances end before it is thrown. */
async function closeIfAny(container: Container, problems: readonly SetupProblem[]): Promise<void> {
  if (problems.length > 0) await container.close();
  throwIfAny(problems);
}

/** A call through `app.tools.call` has no client; it is served as the newest revision. */
export function inProcess(): OperationRequest {
  return { requestId: randomUUID(), era: 'modern', protocolVersion: MODERN_REVISION, transport: 'memory' };
}
