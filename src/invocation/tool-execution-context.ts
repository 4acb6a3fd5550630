import type { ExecutionContext, McpArgumentsHost } from '../contracts/execution-context';
import type { McpContext } from '../contracts/mcp-context';
import type { ToolEntry } from '../contracts/tool';
import type { Type } from '../contracts/type';

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** A tool registered at run time has no class of its own to name. */
class RegisteredTool {}

/** One tool call, as its guards, interceptors and filters see it. */
export class ToolExecutionContext implements ExecutionContext {
  constructor(
    private readonly entry: ToolEntry,
    private readonly raw: unknown,
    private readonly context: McpContext,
  ) {}

  getType(): 'mcp' {
    return 'mcp';
  }

  getClass(): Type {
    return this.entry.target?.class ?? RegisteredTool;
  }

  getHandler(): Handler {
    const { target, execute } = this.entry;
    if (target === undefined) return execute as Handler;
    return (target.class.prototype as Record<PropertyKey, Handler>)[target.method] as Handler;
  }

  getArgs(): readonly [unknown, McpContext] {
    return [this.raw, this.context];
  }

  getArgByIndex(index: number): unknown {
    return this.getArgs()[index];
  }

  switchToMcp(): McpArgumentsHost {
    return { operation: 'call', name: this.entry.name, arguments: this.raw, context: this.context };
  }
}
