import type { McpContext } from '../contracts/mcp-context';
import type { JsonSchema } from '../contracts/schema-source';
import type { HandlerTarget, ToolEntry } from '../contracts/tool';
import { isClass } from '../contracts/type';
import { ErrorCode, McpError } from '../errors/mcp-error';
import { throwIfAny } from '../errors/setup-error';
import { ToolError } from '../errors/tool-error';
import { compileInput, type CompiledInput, type InputBinder } from '../schema/input-schema';
import { compileOutput, type CompiledOutput, type OutputChecker } from '../schema/output-schema';
import type { SchemaOptions } from '../schema/schema-place';
import type { Core } from './compile-pipeline';

/** Calls the handler with checked input. */
type Handle = Core['handle'];

/** Everything about a tool that was decided when it was registered, so that a call only runs it. */
export interface CompiledTool {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
  readonly output: OutputChecker | undefined;
  readonly core: Core;
}

/** Compiles a tool. Throws an `McpSetupError` with every problem of its input and output. */
export function compileTool(entry: ToolEntry, options: SchemaOptions): CompiledTool {
  const owner = ownerOf(entry);
  const input = compileInput(entry.input, { owner, role: 'input' }, options);
  const output = entry.output === undefined ? undefined : compileOutput(entry.output, { owner, role: 'output' }, options);
  throwIfAny([...(input.problems ?? []), ...(output?.problems ?? [])]);
  const { schema: inputSchema, binder } = input as CompiledInput;
  const { schema: outputSchema, checker } = (output ?? {}) as Partial<CompiledOutput>;
  const metatype = isClass(entry.input) ? entry.input : undefined;
  const core: Core = { bind: bindWith(binder), handle: handleOf(entry), metadata: { type: 'input', metatype } };
  return Object.freeze({ inputSchema, outputSchema, output: checker, core });
}

function bindWith(binder: InputBinder): Core['bind'] {
  return async (raw) => {
    const bound = await binder.bind(readArguments(raw));
    if (bound.problems !== undefined) throw new ToolError(bound.problems.join('\n'));
    return bound.value;
  };
}

/** The specification makes `arguments` an optional object; anything else is a malformed request, not a failed tool. */
function readArguments(raw: unknown): object {
  if (raw === undefined) return {};
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return raw;
  throw new McpError(ErrorCode.InvalidParams, 'Invalid params: "arguments" must be an object');
}

function ownerOf({ name, target }: ToolEntry): string {
  return target === undefined ? `tool "${name}"` : `${target.class.name}.${String(target.method)}`;
}

function handleOf({ name, target, execute }: ToolEntry): Handle {
  if (execute !== undefined) return (input, { execution }) => execute(input, execution.switchToMcp().context);
  if (target === undefined) throw new TypeError(`Tool "${name}" has nothing to run: give it execute(input, context).`);
  return target.provider.isRequestScoped ? handleScoped(target) : handleSingleton(target);
}

function handleSingleton({ provider, method }: HandlerTarget): Handle {
  return (input, { execution }) => callMethod(provider.get(), method, [input, execution.switchToMcp().context]);
}

function handleScoped({ provider, method }: HandlerTarget): Handle {
  return async (input, { execution, scope }) => callMethod(await provider.get(scope), method, [input, execution.switchToMcp().context]);
}

/** Looked up at the call, so that a proxy or a subclass's method is what runs. */
function callMethod(instance: unknown, method: PropertyKey, [input, context]: readonly [unknown, McpContext]): unknown {
  return (instance as Record<PropertyKey, (input: unknown, context: McpContext) => unknown>)[method]?.(input, context);
}
