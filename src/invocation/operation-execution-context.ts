import type { ExecutionContext, McpArgumentsHost, Operation } from '../contracts/execution-context';
import type { McpContext } from '../contracts/mcp-context';
import { NO_SECURITY } from '../contracts/security';
import type { HandlerTarget } from '../contracts/tool';
import type { Type } from '../contracts/type';

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** A plain object that is registered at run time has no class to name. */
class Registered {}

/** What an operation is, whoever asks for it. */
export interface DescribedOperation {
  readonly operation: Operation;
  readonly name: string;
  /** The key of the entry; default the name. */
  readonly entry?: string;
  readonly target: HandlerTarget | undefined;
  /** What runs where no class has the method. */
  readonly execute: Handler | undefined;
}

/** One running operation, as its guards, interceptors and filters see it. */
export class OperationExecutionContext implements ExecutionContext {
  constructor(
    private readonly described: DescribedOperation,
    private readonly raw: unknown,
    private readonly context: McpContext,
  ) {}

  getType(): 'mcp' {
    return 'mcp';
  }

  getClass(): Type {
    return this.described.target?.class ?? Registered;
  }

  getHandler(): Handler {
    const { target, execute } = this.described;
    const method = (target?.class.prototype as Partial<Record<PropertyKey, Handler>> | undefined)?.[target?.method ?? ''];
    // What an engine or a definition runs may be a property of the instance.
    return (method ?? execute) as Handler;
  }

  getArgs(): readonly [unknown, McpContext] {
    return [this.raw, this.context];
  }

  getArgByIndex(index: number): unknown {
    return this.getArgs()[index];
  }

  switchToMcp(): McpArgumentsHost {
    const { operation, name, entry = name } = this.described;
    const security = this.described.target?.security ?? NO_SECURITY;
    return { operation, name, entry, arguments: this.raw, context: this.context, security };
  }
}

/** The same entry as it stands in a list: no arguments, and the name it is registered under. */
export function asListed(entry: Omit<DescribedOperation, 'operation'>): (context: McpContext) => ExecutionContext {
  const described = { ...entry, operation: 'list' as const };
  return (context) => new OperationExecutionContext(described, undefined, context);
}
