import type {
  ArgumentMetadata,
  CanActivate,
  Enhancers,
  ExceptionFilter,
  FilterReference,
  Interceptor,
  PipeTransform,
} from '../contracts/enhancers';
import type { ExecutionContext } from '../contracts/execution-context';
import type { LoggerService } from '../contracts/logger';
import type { ProviderReference, RequestScope } from '../contracts/provider';
import { McpError } from '../errors/mcp-error';
import { ToolError } from '../errors/tool-error';
import { logUnexpected } from './answer-error';
import { denial, HiddenEntry, isFromGuard, wordedDenial } from './denial';
import { isSeen, type Protection } from './protection';
import type { Requirements } from './requirements';
import { hasScopes } from './visibility';

/** One running operation. */
export interface Step {
  readonly execution: ExecutionContext;
  readonly scope: RequestScope | undefined;
  /** Told of a denial that a filter is about to answer: the operation was denied, whatever its caller is told. */
  readonly onDenied?: () => void;
  /** Called once the caller may know of the entry. */
  readonly onSeen?: () => void;
}

/** What the pipeline stands around, already compiled for one handler. */
export interface Core {
  /** Checks the raw arguments and gives the input. */
  readonly bind: (raw: unknown) => unknown;
  readonly handle: (input: unknown, step: Step) => unknown;
  /** What pipes are told of the input; undefined where there is none, and pipes do not run. */
  readonly metadata: ArgumentMetadata | undefined;
  /** Marks what a filter answered in the handler's place, where the two are sent in different ways. */
  readonly fromFilter?: ((answer: unknown) => unknown) | undefined;
}

/** Runs an operation up to the handler's own result. */
export type Pipeline = (step: Step) => unknown;

/** What stands around a handler. */
export interface Surroundings {
  readonly enhancers: Enhancers;
  readonly protection: Protection;
  readonly logger: LoggerService;
}

/**
 * Compiles the order of one operation: whether its caller may know of the entry, scopes, guards, interceptors, validation, pipes, what the
 * policy must allow, handler, interceptors reversed, and filters on whatever one of them throws from the guards on. What an operation has
 * none of costs it nothing.
 */
export function compilePipeline(core: Core, { enhancers, protection, logger }: Surroundings): Pipeline {
  const handled = withInterceptors(withPipes(withRequirements(core, protection.requirements), enhancers.pipes), enhancers.interceptors);
  const guarded = withGuards(handled, enhancers.guards, logger);
  // The nearest to the handler is asked first: method, class, global.
  const filtered = withFilters(guarded, [...enhancers.filters].reverse(), core.fromFilter);
  return withVisibility(withScopes(filtered, protection), protection);
}

/** Asked first and of all guards together: which of them would deny must not tell a hidden entry from one that does not exist. */
function withVisibility(inner: Pipeline, protection: Protection): Pipeline {
  if (!protection.visibility.dependsOnCaller) return inner;
  return async (step) => {
    if (!(await isSeen(protection, step.execution.switchToMcp().context, step.scope))) throw new HiddenEntry();
    step.onSeen?.();
    mustBeOpen(step);
    return inner(step);
  };
}

function withScopes(inner: Pipeline, { security, unguarded }: Protection): Pipeline {
  if (security.scopes.length === 0 && unguarded.length === 0) return inner;
  return (step) => {
    const { principal } = step.execution.switchToMcp().context;
    if (unguarded.length > 0 || !hasScopes(security.scopes, principal)) throw denial(new ToolError('Forbidden'));
    return inner(step);
  };
}

function withRequirements(core: Core, requirements: Requirements | undefined): Core {
  if (requirements === undefined) return core;
  const { handle } = core;
  return {
    ...core,
    handle: (input, step) => {
      requirements(input);
      return handle(input, step);
    },
  };
}

function withPipes({ bind, handle, metadata }: Core, pipes: readonly ProviderReference[]): Pipeline {
  if (metadata === undefined) return async (step) => handle(await bind(step.execution.getArgByIndex(0)), step);
  return async (step) => {
    let input = await bind(step.execution.getArgByIndex(0));
    for (const pipe of pipes) {
      mustBeOpen(step);
      input = await (await instanceOf<PipeTransform>(pipe, step)).transform(input, metadata);
    }
    mustBeOpen(step);
    return handle(input, step);
  };
}

function withInterceptors(inner: Pipeline, interceptors: readonly ProviderReference[]): Pipeline {
  return interceptors.reduceRight<Pipeline>(
    (next, interceptor) => async (step) => {
      mustBeOpen(step);
      return (await instanceOf<Interceptor>(interceptor, step)).intercept(step.execution, () => tended(next, step));
    },
    inner,
  );
}

/** An interceptor may go on twice and wait once; what it does not wait for must not end the process. */
function tended(next: Pipeline, step: Step): Promise<unknown> {
  const running = (async () => next(step))();
  running.catch(() => undefined);
  return running;
}

/** Nothing begins once the call was answered, timed out or was cancelled: its caller may be doing it again already. */
function mustBeOpen({ execution }: Step): void {
  execution.switchToMcp().context.signal.throwIfAborted();
}

function withGuards(inner: Pipeline, guards: readonly ProviderReference[], logger: LoggerService): Pipeline {
  if (guards.length === 0) return inner;
  return async (step) => {
    for (const guard of guards) await mustAdmit(guard, step, logger);
    mustBeOpen(step);
    return inner(step);
  };
}

/** Only `true` admits. An error that nobody meant to happen denies like a `false`, and its text stays in the log. */
async function mustAdmit(guard: ProviderReference, step: Step, logger: LoggerService): Promise<void> {
  mustBeOpen(step);
  let admitted: unknown;
  try {
    admitted = await (await instanceOf<CanActivate>(guard, step)).canActivate(step.execution);
  } catch (error) {
    if (error instanceof ToolError) throw denial(error);
    if (error instanceof McpError) throw wordedDenial(error);
    logUnexpected(error, `Guard ${guard.name}`, logger);
  }
  if (admitted !== true) throw denial(new ToolError('Forbidden'));
}

function withFilters(inner: Pipeline, filters: readonly FilterReference[], mark: Core['fromFilter']): Pipeline {
  if (filters.length === 0) return inner;
  return async (step) => {
    try {
      return await inner(step);
    } catch (error) {
      const filter = filters.find(({ catches }) => catches.length === 0 || catches.some((type) => error instanceof type));
      if (filter === undefined) throw error;
      if (isFromGuard(error)) step.onDenied?.();
      const answer: unknown = await (await instanceOf<ExceptionFilter>(filter, step)).catch(error, step.execution);
      return mark === undefined ? answer : mark(answer);
    }
  };
}

/** An enhancer of request scope is shared by everything in its operation. */
function instanceOf<T>(reference: ProviderReference, { scope }: Step): T | Promise<T> {
  return reference.get(reference.isRequestScoped ? scope : undefined) as T | Promise<T>;
}
