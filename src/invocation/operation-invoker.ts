import type { Asking } from '../contracts/asking';
import type { Enhancers } from '../contracts/enhancers';
import type { ExecutionContext, Operation } from '../contracts/execution-context';
import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import type { McpContext } from '../contracts/mcp-context';
import type { RequestScope } from '../contracts/provider';
import type { HandlerTarget } from '../contracts/tool';
import { McpError } from '../errors/mcp-error';
import { ToolError } from '../errors/tool-error';
import type { Asker } from './ask/asker';
import { LegacyAsker } from './ask/legacy-asker';
import type { Inquiries } from './ask/questions';
import type { Rounds } from './ask/rounds';
import { compilePipeline, type Core, type Pipeline } from './compile-pipeline';
import type { GlobalEnhancers } from './global-enhancers';
import { OperationContext, type OperationRequest } from './operation-context';
import type { RunningCall, RunningCalls } from './running-calls';

/** One operation of one entry, decided when the entry was registered, so that a request only runs it. */
export interface CompiledOperation<R> {
  readonly operation: Operation;
  /** The name or the URI that a client asks for it by. */
  readonly name: string;
  /** How the log names it, such as `Tool "greet"`. */
  readonly label: string;
  readonly core: Core;
  /** The provider and method that serve it; absent for a plain object that was registered at run time. */
  readonly target: HandlerTarget | undefined;
  /** Milliseconds; default is `limits.callTimeoutMs`. */
  readonly timeoutMs: number | undefined;
  /** What guards, interceptors and filters are told. */
  readonly describe: (raw: unknown, context: McpContext) => ExecutionContext;
  /** Turns what the handler returned into what is sent. */
  readonly toResult: (value: unknown, raw: unknown) => R | Promise<R>;
  /** Turns what was thrown into what is sent, or throws the `McpError` that the request is answered with. */
  readonly answerError: (error: unknown, logger: LoggerService, raw: unknown) => R;
}

/** What an invoker works with. */
export interface OperationInvokerOptions {
  readonly limits: Limits;
  readonly logger: LoggerService;
  readonly running: RunningCalls;
  readonly globals: GlobalEnhancers;
  readonly inquiries: Inquiries;
  readonly rounds: Rounds;
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

/** One request that is being served. */
interface Served<R> {
  readonly operation: CompiledOperation<R>;
  readonly raw: unknown;
  readonly request: OperationRequest;
  readonly call: RunningCall;
}

/** Runs one operation from raw arguments to a result. Every one goes through here, from every transport and in process. */
export class OperationInvoker {
  readonly #pipelines = new WeakMap<CompiledOperation<unknown>, CompiledPipeline>();

  constructor(private readonly options: OperationInvokerOptions) {}

  /** Resolves with the result to send. Rejects only with an `McpError`, for the protocol to answer with that code. */
  async invoke<R>(operation: CompiledOperation<R>, raw: unknown, request: OperationRequest): Promise<R> {
    const { limits, running } = this.options;
    const call = running.begin({ timeoutMs: operation.timeoutMs ?? limits.callTimeoutMs, upstream: request.signal });
    const served = { operation, raw, request, call };
    try {
      return await this.#serve(served);
    } finally {
      call.end();
    }
  }

  #serve<R>(served: Served<R>): Promise<R> {
    const { inquiries, rounds, limits } = this.options;
    const { operation, raw, request, call } = served;
    if (request.era === 'modern' && request.channel !== undefined) {
      const binding = { method: operation.operation, name: operation.name, arguments: raw ?? {}, principal: undefined };
      return rounds.run(request, binding, (asker) => this.#attempt(served, asker));
    }
    const { channel } = request;
    return this.#attempt(served, new LegacyAsker({ inquiries, channel, limits, signal: call.signal, pauseClock: () => call.pauseClock() }));
  }

  async #attempt<R>(served: Served<R>, asker: Asker): Promise<R> {
    const { operation, raw, call } = served;
    try {
      return await Promise.race([this.#run(served, asker), call.cutOff]);
    } catch (error) {
      // The handler was interrupted by its own question, which is no error.
      if (asker.decides && !(error instanceof McpError)) return undefined as R;
      // A client that cancelled waits for no answer, and a handler that stops for it has not failed.
      const thrown: unknown =
        call.signal.aborted && error === call.signal.reason && !(error instanceof ToolError) ? new ToolError('Cancelled') : error;
      return operation.answerError(thrown, this.options.logger, raw);
    }
  }

  /** Runs the handler, and waits for what it asked and began but did not wait for. */
  async #run<R>({ operation, raw, request, call }: Served<R>, asker: Asker): Promise<R> {
    const pipeline = this.#pipelineOf(operation);
    const context = new OperationContext(request, { signal: call.signal, asking: asker satisfies Asking });
    const scope = pipeline.needsScope ? this.options.openScope(context) : undefined;
    // Request-scoped instances end after the answer has left.
    if (scope !== undefined) call.whenEnded(() => scope.close());
    try {
      return await operation.toResult(await pipeline.run({ execution: operation.describe(raw, context), scope }), raw);
    } finally {
      await asker.settled();
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
