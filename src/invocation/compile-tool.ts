import type { McpContext } from '../contracts/mcp-context';
import type { RequestScope } from '../contracts/provider';
import type { JsonSchema } from '../contracts/schema-source';
import type { HandlerTarget, ToolEntry } from '../contracts/tool';
import { throwIfAny } from '../errors/setup-error';
import { compileInput, type CompiledInput, type InputBinder } from '../schema/input-schema';
import { compileOutput, type CompiledOutput, type OutputChecker } from '../schema/output-schema';
import type { SchemaOptions } from '../schema/schema-place';

/** Calls the handler with checked input. */
type Run = (input: unknown, context: McpContext, scope?: RequestScope) => unknown;

/** Everything about a tool that was decided when it was registered, so that a call only runs it. */
export interface CompiledTool {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
  readonly binder: InputBinder;
  readonly output: OutputChecker | undefined;
  /** True when the handler's instance lives for one call only. */
  readonly needsScope: boolean;
  readonly run: Run;
}

/** Compiles a tool. Throws an `McpSetupError` with every problem of its input and output. */
export function compileTool(entry: ToolEntry, options: SchemaOptions): CompiledTool {
  const owner = ownerOf(entry);
  const input = compileInput(entry.input, { owner, role: 'input' }, options);
  const output = entry.output === undefined ? undefined : compileOutput(entry.output, { owner, role: 'output' }, options);
  throwIfAny([...(input.problems ?? []), ...(output?.problems ?? [])]);
  const { schema: inputSchema, binder } = input as CompiledInput;
  const { schema: outputSchema, checker } = (output ?? {}) as Partial<CompiledOutput>;
  return Object.freeze({
    inputSchema,
    outputSchema,
    binder,
    output: checker,
    needsScope: entry.target?.provider.isRequestScoped ?? false,
    run: runOf(entry),
  });
}

function ownerOf({ name, target }: ToolEntry): string {
  return target === undefined ? `tool "${name}"` : `${target.class.name}.${String(target.method)}`;
}

function runOf({ name, target, execute }: ToolEntry): Run {
  if (execute !== undefined) return (input, context) => execute(input, context);
  if (target === undefined) throw new TypeError(`Tool "${name}" has nothing to run: give it execute(input, context).`);
  return target.provider.isRequestScoped ? runScoped(target) : runSingleton(target);
}

function runSingleton({ provider, method }: HandlerTarget): Run {
  return (input, context) => callMethod(provider.get(), method, [input, context]);
}

function runScoped({ provider, method }: HandlerTarget): Run {
  return async (input, context, scope) => callMethod(await provider.get(scope), method, [input, context]);
}

/** Looked up at the call, so that a proxy or a subclass's method is what runs. */
function callMethod(instance: unknown, method: PropertyKey, [input, context]: readonly [unknown, McpContext]): unknown {
  return (instance as Record<PropertyKey, (input: unknown, context: McpContext) => unknown>)[method]?.(input, context);
}
