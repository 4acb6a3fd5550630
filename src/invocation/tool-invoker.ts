import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import type { McpContext } from '../contracts/mcp-context';
import type { RequestScope } from '../contracts/provider';
import type { ToolEntry, ToolResult } from '../contracts/tool';
import { ErrorCode, McpError } from '../errors/mcp-error';
import { ToolError } from '../errors/tool-error';
import { answerError } from './answer-error';
import type { CompiledTool } from './compile-tool';
import { OperationContext, type OperationRequest } from './operation-context';
import type { RunningCall, RunningCalls } from './running-calls';
import { toToolResult } from './to-tool-result';

/** What an invoker works with. */
export interface ToolInvokerOptions {
  readonly limits: Limits;
  readonly logger: LoggerService;
  readonly running: RunningCalls;
  /** Begins the request scope of one operation. */
  readonly openScope: (context: McpContext) => RequestScope;
  /** What was compiled for an entry when it was registered. */
  readonly compiled: (entry: ToolEntry) => CompiledTool;
}

/** Runs one tool call from raw arguments to a result. Every call goes through here, from every transport and in process. */
export class ToolInvoker {
  constructor(private readonly options: ToolInvokerOptions) {}

  /**
   * Resolves with the result to send, failed results included. Rejects only with an `McpError`, for the protocol to answer with that
   * code: arguments that are no object, or one the handler threw.
   */
  async invoke(entry: ToolEntry, raw: unknown, request: OperationRequest): Promise<ToolResult> {
    const { limits, logger, running } = this.options;
    const tool = this.options.compiled(entry);
    const call = running.begin({ timeoutMs: entry.timeoutMs ?? limits.callTimeoutMs, upstream: request.signal });
    const context = new OperationContext(request, call.signal);
    const scope = tool.needsScope ? this.options.openScope(context) : undefined;
    try {
      return await Promise.race([run(tool, raw, { context, scope }), call.cutOff]);
    } catch (error) {
      return answerError(error, `Tool "${entry.name}"`, logger);
    } finally {
      endAfterAnswer(call, scope);
    }
  }
}

interface Operation {
  readonly context: McpContext;
  readonly scope: RequestScope | undefined;
}

async function run(tool: CompiledTool, raw: unknown, { context, scope }: Operation): Promise<ToolResult> {
  const bound = await tool.binder.bind(readArguments(raw));
  if (bound.problems !== undefined) throw new ToolError(bound.problems.join('\n'));
  return toToolResult(await tool.run(bound.value, context, scope), tool.output);
}

/** Request-scoped instances end after the answer has left; until then the call counts as running, so that a shutdown waits. */
function endAfterAnswer(call: RunningCall, scope: RequestScope | undefined): void {
  if (scope === undefined) return call.end();
  setImmediate(() => void scope.close().finally(() => call.end()));
}

/** The specification makes `arguments` an optional object; anything else is a malformed request, not a failed tool. */
function readArguments(raw: unknown): object {
  if (raw === undefined) return {};
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return raw;
  throw new McpError(ErrorCode.InvalidParams, 'Invalid params: "arguments" must be an object');
}
