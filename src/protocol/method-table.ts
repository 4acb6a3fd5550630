import type { ToolEntry } from '../contracts/tool';
import type { CompiledTool } from '../invocation/compile-tool';
import type { OperationRequest } from '../invocation/operation-context';
import type { OperationInvoker } from '../invocation/operation-invoker';
import { ErrorCode, McpError } from '../errors/mcp-error';
import { ToolNotFoundError } from '../errors/registry-errors';
import type { ToolRegistry } from '../registry/tool-registry';
import type { ToolList } from './tool-list';

/** The params of a request whose shape has been checked. */
export type Params = Readonly<Record<string, unknown>>;

/** Answers one method: a plain function from params and call to the result, the same in both eras. */
export type Method = (params: Params, call: OperationRequest) => unknown;

/** What the methods work with. */
export interface MethodDeps {
  readonly tools: ToolRegistry;
  readonly toolList: ToolList;
  readonly invoker: OperationInvoker;
  readonly compiled: (entry: ToolEntry) => CompiledTool;
}

/** The MCP methods Perch answers itself; the SDK answers the handshake, `server/discover`, `ping` and subscriptions. */
export function methodTable({ tools, toolList, invoker, compiled }: MethodDeps): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    [
      'tools/list',
      (params) => {
        // Everything fits on the first page, so no cursor was ever handed out.
        if (params['cursor'] !== undefined) throw new McpError(ErrorCode.InvalidParams, 'Invalid params: unknown cursor');
        return toolList.result();
      },
    ],
    [
      'tools/call',
      (params, call) => {
        const name = String(params['name']);
        const entry = tools.get(name);
        // The specification wants -32602 for an unknown tool; -32601 would say that tools/call itself is missing.
        if (entry === undefined) throw new ToolNotFoundError(name);
        return invoker.invoke(compiled(entry), params['arguments'], call);
      },
    ],
  ]);
}
