import type { JsonSchema } from '../contracts/schema-source';
import type { ToolEntry, ToolResult } from '../contracts/tool';
import { isClass } from '../contracts/type';
import { ErrorCode, McpError } from '../errors/mcp-error';
import { ToolNotFoundError } from '../errors/registry-errors';
import { throwIfAny } from '../errors/setup-error';
import { compileInput, type CompiledInput, type InputBinder } from '../schema/input-schema';
import { compileOutput, type CompiledOutput, type OutputChecker } from '../schema/output-schema';
import type { SchemaOptions } from '../schema/schema-place';
import { answerToolError } from './answer-error';
import { callFunction, callTarget, type Handle } from './call-handler';
import { compileEngine, type CompiledHandler } from './compile-engine';
import type { Core } from './compile-pipeline';
import { isHidden } from './denial';
import { InvalidInput } from './invalid-input';
import { asListed, OperationExecutionContext } from './operation-execution-context';
import type { CompiledOperation } from './compiled-operation';
import { toToolResult } from './to-tool-result';

/** A tool, compiled: what clients are shown, and what a call runs. */
export interface CompiledTool extends CompiledOperation<ToolResult> {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
}

/** Compiles a tool. Throws an `McpSetupError` with every problem of its input and output. */
export function compileTool(entry: ToolEntry, options: SchemaOptions): CompiledTool {
  const owner = ownerOf(entry);
  const input = compileInput(entry.input, { owner, role: 'input' }, options);
  const output = entry.output === undefined ? undefined : compileOutput(entry.output, { owner, role: 'output' }, options);
  throwIfAny([...(input.problems ?? []), ...(output?.problems ?? [])]);
  const { schema: inputSchema, binder } = input as CompiledInput;
  const { schema: outputSchema, checker } = (output ?? {}) as Partial<CompiledOutput>;
  return Object.freeze({ inputSchema, outputSchema, ...operationOf(entry, binder, checker) });
}

function operationOf(entry: ToolEntry, binder: InputBinder, output: OutputChecker | undefined): CompiledOperation<ToolResult> {
  const { name, target, timeoutMs, engine } = entry;
  const label = `Tool "${name}"`;
  const described = { operation: 'call' as const, name, target, execute: entry.execute };
  const metatype = isClass(entry.input) ? entry.input : undefined;
  const { handle, fromFilter, toResult, answerError } =
    engine === undefined ? compileHandler(entry, label, output) : compileEngine(engine, label, output);
  return {
    operation: 'call',
    name,
    label,
    target,
    timeoutMs,
    core: { bind: bindWith(binder), handle, fromFilter, metadata: { type: 'input', metatype } },
    describe: (raw, context) => new OperationExecutionContext(described, raw, context),
    describeEntry: asListed(described),
    toResult,
    answerError: (error, logger) => {
      if (isHidden(error)) throw new ToolNotFoundError(name);
      return answerError(error, logger);
    },
  };
}

function compileHandler(entry: ToolEntry, label: string, output: OutputChecker | undefined): CompiledHandler {
  return {
    handle: handleOf(entry),
    toResult: (value) => toToolResult(value, output),
    answerError: (error, logger) => answerToolError(error, label, logger),
  };
}

function bindWith(binder: InputBinder): Core['bind'] {
  return async (raw) => {
    const bound = await binder.bind(readArguments(raw));
    if (bound.problems !== undefined) throw new InvalidInput(bound.problems);
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
  if (execute !== undefined) return callFunction(execute);
  if (target === undefined) throw new TypeError(`Tool "${name}" has nothing to run: give it execute(input, context).`);
  return callTarget(target);
}
