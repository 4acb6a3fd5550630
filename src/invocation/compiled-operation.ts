import type { ExecutionContext, Operation } from '../contracts/execution-context';
import type { LoggerService } from '../contracts/logger';
import type { McpContext } from '../contracts/mcp-context';
import type { HandlerTarget } from '../contracts/tool';
import type { Core } from './compile-pipeline';

/** One operation of one entry, decided when the entry was registered, so that a request only runs it. */
export interface CompiledOperation<R> {
  readonly operation: Operation;
  /** The key of the entry: a name, a URI or the pattern of a template. */
  readonly name: string;
  /** What a client asked for, where that is not the key. */
  readonly nameOf?: ((raw: unknown) => string) | undefined;
  /** How the log names it, such as `Tool "greet"`. */
  readonly label: string;
  readonly core: Core;
  /** The provider and method that serve it; absent for a plain object that was registered at run time. */
  readonly target: HandlerTarget | undefined;
  /** Milliseconds; default is `limits.callTimeoutMs`. */
  readonly timeoutMs: number | undefined;
  /** What guards, interceptors and filters are told. */
  readonly describe: (raw: unknown, context: McpContext) => ExecutionContext;
  /** What guards are told of the entry in a list: there are no arguments. */
  readonly describeEntry: (context: McpContext) => ExecutionContext;
  /** Turns what the handler returned into what is sent. */
  readonly toResult: (value: unknown, raw: unknown) => R | Promise<R>;
  /** Turns what was thrown into what is sent, or throws the `McpError` that the request is answered with. */
  readonly answerError: (error: unknown, logger: LoggerService, raw: unknown) => R;
}
