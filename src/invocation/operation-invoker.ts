import type { Enhancers } from '../contracts/enhancers';
import type { ExecutionContext } from '../contracts/execution-context';
import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import type { McpContext } from '../contracts/mcp-context';
import type { RequestScope } from '../contracts/provider';
import type { HandlerTarget } from '../contracts/tool';
import { compilePipeline, type Core, type Pipeline } from './compile-pipeline';
import type { GlobalEnhancers } from './global-enhancers';
import { OperationContext, type OperationRequest } from './operation-context';
import type { RunningCall, RunningCalls } from './running-calls';

/** One operation of one entry, decided when the entry was registered, so that a request only runs it. */
export interface CompiledOperation<R> {
  /** How the log names it, such as `Tool "greet"`. */
  readonly label: string;
  readonly core: Core;
  /** The provider and method that serve it; absent for what was registered at run time. */
  readonly target: HandlerTarget | undefined;
  /** Milliseconds; default is `limits.callTimeoutMs`. */
  readonly timeoutMs: number | undefined;
  /** What guards, interceptors and filters are told. */
  readonly describe: (raw: unknown, context: McpContext) => ExecutionContext;
  /** Turns what the handler returned into what is sent. */
  readonly toResult: (value: unknown) => R | Promise<R>;
  /** Turns what was thrown into what is sent, or throws the `McpError` that the request is answered with. */
  readonly answerError: (error: unknown, logger: LoggerService) => R;
}

/** What an invoker works with. */
export interface OperationInvokerOptions {
  readonly limits: Limits;
  readonly logger: LoggerService;
  readonly running: RunningCalls;
  readonly globals: GlobalEnhancers;
  /** Begins the request scope of one operation. */
  readonly openScope: (context: McpContext) => RequestScope;
}

/** A pipeline and the version of the global enhancers it was compiled with. */
interface CompiledPipeline {
  readonly version: number;
  readonly run: Pipeline;
  /** True when the handler's instance, or one of its enhancers', lives for one operation only. */
  readonly needsScope: boolean;
}

/** Runs one operation from raw arguments to a result. Every one goes through here, from every transport and in process. */
export class OperationInvoker {
  readonly #pipelines = new WeakMap<CompiledOperation<unknown>, CompiledPipeline>();

  constructor(private readonly options: OperationInvokerOptions) {}

  /** Resolves with the result to send. Rejects only with an `McpError`, for the protocol to answer with that code. */
  async invoke<R>(operation: CompiledOperation<R>, raw: unknown, request: OperationRequest): Promise<R> {
    const { limits, logger, running } = this.options;
    const pipeline = this.#pipelineOf(operation);
    const call = running.begin({ timeoutMs: operation.timeoutMs ?? limits.callTimeoutMs, upstream: request.signal });
    const context = new OperationContext(request, call.signal);
    const scope = pipeline.needsScope ? this.options.openScope(context) : undefined;
    try {
      const execution = operation.describe(raw, context);
      return await Promise.race([answer(pipeline.run({ execution, scope }), operation), call.cutOff]);
    } catch (error) {
      return operation.answerError(error, logger);
    } finally {
      endAfterAnswer(call, scope);
    }
  }

  #pipelineOf(operation: CompiledOperation<unknown>): CompiledPipeline {
    const { globals, logger } = this.options;
    const known = this.#pipelines.get(operation);
    if (known?.version === globals.version) return known;
    const enhancers = globals.before(operation.target?.enhancers);
    const needsScope = operation.target?.provider.isRequestScoped === true || needScope(enhancers);
    const compiled = { version: globals.version, run: compilePipeline(operation.core, enhancers, logger), needsScope };
    this.#pipelines.set(operation, compiled);
    return compiled;
  }
}

function needScope({ guards, pipes, interceptors, filters }: Enhancers): boolean {
  return [...guards, ...pipes, ...interceptors, ...filters].some(({ isRequestScoped }) => isRequestScoped);
}

async function answer<R>(running: unknown, operation: CompiledOperation<R>): Promise<R> {
  return operation.toResult(await running);
}

/** Request-scoped instances end after the answer has left; until then the call counts as running, so that a shutdown waits. */
function endAfterAnswer(call: RunningCall, scope: RequestScope | undefined): void {
  if (scope === undefined) return call.end();
  setImmediate(() => void scope.close().finally(() => call.end()));
}
