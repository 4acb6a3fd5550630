import type { PromptEntry, PromptResult } from '../contracts/prompt';
import { isRawJsonSchema, isStandardSchema, type JsonSchema } from '../contracts/schema-source';
import { isClass } from '../contracts/type';
import { ErrorCode, McpError } from '../errors/mcp-error';
import { PromptNotFoundError } from '../errors/registry-errors';
import { throwIfAny, type SetupProblem } from '../errors/setup-error';
import { compileInput, type CompiledInput, type InputBinder } from '../schema/input-schema';
import type { SchemaOptions } from '../schema/schema-place';
import { compileCompleters, type CompletionOf } from './compile-completers';
import type { Core } from './compile-pipeline';
import type { CompiledOperation } from './compiled-operation';
import { protocolOperation } from './protocol-operation';
import { toPromptResult } from './to-prompt-result';

/** An argument as `prompts/list` shows it (specification: Prompt). */
export interface ListedArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

/** A prompt, compiled: what clients are shown, and what a request runs. */
export interface CompiledPrompt {
  readonly arguments: readonly ListedArgument[];
  readonly get: CompiledOperation<PromptResult>;
  readonly completion: CompletionOf;
}

/** Compiles a prompt. Throws an `McpSetupError` with every problem of its arguments. */
export function compilePrompt(entry: PromptEntry, options: SchemaOptions): CompiledPrompt {
  const { name, args, target, completers, complete } = entry;
  const owner = target === undefined ? `prompt "${name}"` : `${target.class.name}.${String(target.method)}`;
  const input = compileInput(args, { owner, role: 'input' }, options);
  throwIfAny(input.problems ?? []);
  const { schema, binder } = input as CompiledInput;
  throwIfAny(problemsOfArguments(entry, schema, owner));
  const label = `Prompt "${name}"`;
  const notFound = (): never => {
    throw new PromptNotFoundError(name);
  };
  return Object.freeze({
    arguments: Object.freeze(listArguments(schema)),
    get: protocolOperation({
      operation: 'get',
      name,
      label,
      target,
      run: entry.get,
      bind: bindWith(binder),
      metadata: { type: 'input', metatype: isClass(args) ? args : undefined },
      toResult: toPromptResult,
      denied: notFound,
    }),
    completion: compileCompleters({ name, label, target, completers, complete, notFound }),
  } satisfies CompiledPrompt);
}

function bindWith(binder: InputBinder): Core['bind'] {
  return async (raw) => {
    const bound = await binder.bind(raw);
    if (bound.problems !== undefined) throw new McpError(ErrorCode.InvalidParams, `Invalid params: ${bound.problems.join('; ')}`);
    return bound.value;
  };
}

type Property = Readonly<Record<string, unknown>>;

function propertiesOf(schema: JsonSchema): readonly (readonly [string, Property])[] {
  return Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Property>>);
}

function listArguments(schema: JsonSchema): ListedArgument[] {
  const required = (schema['required'] ?? []) as readonly string[];
  return propertiesOf(schema).map(([name, { title, description }]) => ({
    name,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    required: required.includes(name),
  }));
}

/** What a class or a raw schema says of its types is all there is; a Standard Schema may convert what its JSON Schema calls a number. */
function problemsOfArguments({ name, args }: PromptEntry, schema: JsonSchema, owner: string): SetupProblem[] {
  if (isStandardSchema(args) && !isRawJsonSchema(args)) return [];
  return propertiesOf(schema)
    .filter(([, property]) => !mayBeString(property))
    .map(([argument, { type }]) => ({
      code: 'MCP_PROMPT_ARGUMENT',
      problem: `The argument "${argument}" of the prompt "${name}" is of type ${String(type)}, and arguments of prompts travel as strings.`,
      where: owner,
      fix: 'Take a string, with a check such as @IsNumberString() or @Matches(), and convert it in get().\nOr use a Standard Schema that converts, such as z.coerce.number().',
    }));
}

function mayBeString({ type, enum: values }: Property): boolean {
  if (Array.isArray(values) && !values.some((each) => typeof each === 'string')) return false;
  return type === undefined || (Array.isArray(type) ? type : [type]).includes('string');
}
