import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import type { Enhancers } from '../contracts/enhancers';
import type { McpContext } from '../contracts/mcp-context';
import type { RequestScope } from '../contracts/provider';
import type { ToolEntry, ToolResult } from '../contracts/tool';
import { answerError } from './answer-error';
import { compilePipeline, type Pipeline } from './compile-pipeline';
import type { CompiledTool } from './compile-tool';
import type { GlobalEnhancers } from './global-enhancers';
import { OperationContext, type OperationRequest } from './operation-context';
import type { RunningCall, RunningCalls } from './running-calls';
import { ToolExecutionContext } from './tool-execution-context';
import { toToolResult } from './to-tool-result';

/** What an invoker works with. */
export interface ToolInvokerOptions {
  readonly limits: Limits;
  readonly logger: LoggerService;
  readonly running: RunningCalls;
  readonly globals: GlobalEnhancers;
  /** Begins the request scope of one operation. */
  readonly openScope: (context: McpContext) => RequestScope;
  /** What was compiled for an entry when it was registered. */
  readonly compiled: (entry: ToolEntry) => CompiledTool;
}

/** A pipeline and the version of the global enhancers it was compiled with. */
interface CompiledPipeline {
  readonly version: number;
  readonly run: Pipeline;
  /** True when the handler's instance, or one of its enhancers', lives for one call only. */
  readonly needsScope: boolean;
}

/** Runs one tool call from raw arguments to a result. Every call goes through here, from every transport and in process. */
export class ToolInvoker {
  readonly #pipelines = new WeakMap<ToolEntry, CompiledPipeline>();

  constructor(private readonly options: ToolInvokerOptions) {}

  /**
   * Resolves with the result to send, failed results included. Rejects only with an `McpError`, for the protocol to answer with that
   * code: arguments that are no object, or one that was thrown on the way.
   */
  async invoke(entry: ToolEntry, raw: unknown, request: OperationRequest): Promise<ToolResult> {
    const { limits, logger, running } = this.options;
    const tool = this.options.compiled(entry);
    const pipeline = this.#pipelineOf(entry, tool);
    const call = running.begin({ timeoutMs: entry.timeoutMs ?? limits.callTimeoutMs, upstream: request.signal });
    const context = new OperationContext(request, call.signal);
    const scope = pipeline.needsScope ? this.options.openScope(context) : undefined;
    try {
      const execution = new ToolExecutionContext(entry, raw, context);
      return await Promise.race([answer(pipeline.run({ execution, scope }), tool), call.cutOff]);
    } catch (error) {
      return answerError(error, `Tool "${entry.name}"`, logger);
    } finally {
      endAfterAnswer(call, scope);
    }
  }

  #pipelineOf(entry: ToolEntry, { core }: CompiledTool): CompiledPipeline {
    const { globals, logger } = this.options;
    const known = this.#pipelines.get(entry);
    if (known?.version === globals.version) return known;
    const enhancers = globals.before(entry.target?.enhancers);
    const needsScope = entry.target?.provider.isRequestScoped === true || needScope(enhancers);
    const compiled = { version: globals.version, run: compilePipeline(core, enhancers, logger), needsScope };
    this.#pipelines.set(entry, compiled);
    return compiled;
  }
}

function needScope({ guards, pipes, interceptors, filters }: Enhancers): boolean {
  return [...guards, ...pipes, ...interceptors, ...filters].some(({ isRequestScoped }) => isRequestScoped);
}

async function answer(running: unknown, { output }: CompiledTool): Promise<ToolResult> {
  return toToolResult(await running, output);
}

/** Request-scoped instances end after the answer has left; until then the call counts as running, so that a shutdown waits. */
function endAfterAnswer(call: RunningCall, scope: RequestScope | undefined): void {
  if (scope === undefined) return call.end();
  setImmediate(() => void scope.close().finally(() => call.end()));
}
