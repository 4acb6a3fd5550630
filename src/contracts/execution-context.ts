import type { McpContext } from './mcp-context';
import type { Security } from './security';
import type { Type } from './type';

/** What a client can ask for. */
export type Operation = 'list' | 'call' | 'read' | 'get' | 'complete' | 'subscribe';

/** The MCP side of an {@link ExecutionContext}. */
export interface McpArgumentsHost {
  readonly operation: Operation;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  /** The key of the entry that answers: the name or, for a template, its pattern. */
  readonly entry: string;
  /** The arguments as the client sent them, not yet checked: guards run before validation. */
  readonly arguments: unknown;
  readonly context: McpContext;
  /** What `@Scopes()`, `@Roles()`, `@RateLimit()` and `@Requires()` on the class and the method demand. */
  readonly security: Security;
}

/** What guards, interceptors and filters know of the operation they stand before, as in NestJS. */
export interface ExecutionContext {
  /** Always `'mcp'`. */
  getType(): 'mcp';
  /** The class whose method will run. For a tool registered at run time, the class of the registered object. */
  getClass(): Type;
  /** The method that will run. */
  getHandler(): (...args: never[]) => unknown;
  /** What the method is called with: the arguments as sent, and the context. */
  getArgs(): readonly [unknown, McpContext];
  getArgByIndex(index: number): unknown;
  switchToMcp(): McpArgumentsHost;
}
