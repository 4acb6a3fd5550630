import type { McpContext } from '../contracts/mcp-context';
import {
  isRawJsonSchema,
  isStandardSchema,
  jsonSchema,
  type InputOf,
  type JsonSchema,
  type OutputOf,
  type SchemaSource,
} from '../contracts/schema-source';
import type { ToolDefinition, ToolDescription, ToolResult } from '../contracts/tool';
import { isClass } from '../contracts/type';
import { mustBeKnown } from './known-options';

/** What `inputSchema` and `outputSchema` take: a DTO class, a Standard Schema, or a JSON Schema 2020-12 as it stands. */
export type FunctionSchema = SchemaSource | JsonSchema;

type Args<I> = [I] extends [undefined] ? object : I extends SchemaSource ? InputOf<I> : Record<string, unknown>;
type Given<O> = [O] extends [undefined] ? unknown : O extends SchemaSource ? OutputOf<O> | ToolResult : Record<string, unknown>;
type Answer<O> = [O] extends [undefined] ? unknown : Given<O> | Promise<Given<O>>;

/** A JSON Schema says nothing to the compiler, so its handler may name the type of its arguments itself. */
type Handler<I, O> = [I] extends [SchemaSource | undefined]
  ? (args: Args<I>, ctx: McpContext) => Answer<O>
  : { named(args: Record<string, unknown>, ctx: McpContext): Answer<O> }['named'];

/** The options of {@link defineTool}. */
export interface FunctionTool<
  I extends FunctionSchema | undefined = undefined,
  O extends FunctionSchema | undefined = undefined,
> extends Omit<ToolDescription, 'input' | 'output' | 'description'> {
  /** What the tool does, for the model that chooses it. */
  readonly description: string;
  /** Without it the tool takes no arguments, and any argument is refused. */
  readonly inputSchema?: I;
  /** With it, a plain object that the handler returns is checked and becomes `structuredContent`. */
  readonly outputSchema?: O;
  /** Runs the tool. Receives the checked arguments; what it returns and throws is treated as for a decorated tool. */
  readonly handler: Handler<I, O>;
}

const OPTIONS = Object.freeze({
  name: true,
  title: true,
  description: true,
  inputSchema: true,
  outputSchema: true,
  annotations: true,
  icons: true,
  meta: true,
  timeoutMs: true,
  handler: true,
} as const satisfies Record<keyof FunctionTool, true>);

const DEFINED = Symbol.for('perch-mcp:defined-tool');

/**
 * Makes a tool of a function, for authors who want no classes. What it returns stands in `serve(tools)`, in `buildToolDispatch(tools)`, in
 * `app.tools.register(tool)`, and in a module as the value of a provider or what its factory returns, which can inject what the handler
 * needs: `{ provide: 'search', useFactory: (index: Index) => defineTool({ … }), inject: [Index] }`.
 *
 * Throws a `TypeError` when `handler` is no function, and for an option that does not exist; names and schemas are checked where the tool is taken in.
 */
export function defineTool<const I extends FunctionSchema | undefined = undefined, const O extends FunctionSchema | undefined = undefined>(
  options: FunctionTool<I, O>,
): ToolDefinition {
  if (typeof options !== 'object' || (options as unknown) === null)
    throw new TypeError('defineTool() takes one object: { name, description, handler }.');
  mustBeKnown('defineTool()', options, OPTIONS);
  const { inputSchema, outputSchema, handler, ...described } = options;
  if (typeof handler !== 'function')
    throw new TypeError(`defineTool({ name: "${options.name}" }) has no handler. Give it handler(args, ctx).`);
  const run = handler as ToolDefinition['execute'];
  const tool: ToolDefinition = {
    ...described,
    ...(inputSchema === undefined ? {} : { input: toSource(inputSchema) }),
    ...(outputSchema === undefined ? {} : { output: toSource(outputSchema) }),
    execute: (args, ctx) => run(args, ctx),
  };
  return Object.freeze(Object.defineProperty(tool, DEFINED, { value: tool }));
}

/** A value that a module can provide to have this tool served. */
export function asProvided(tool: ToolDefinition): object {
  return { [DEFINED]: tool };
}

/** The tool that a provided value stands for; undefined for any other value, also for one that will not be looked at. */
export function providedTool(value: unknown): ToolDefinition | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return (value as { readonly [DEFINED]?: ToolDefinition })[DEFINED];
  } catch {
    return undefined;
  }
}

/** What is no schema at all is left for where schemas are checked. */
function toSource(schema: FunctionSchema): SchemaSource {
  const isSource = isClass(schema) || isStandardSchema(schema) || isRawJsonSchema(schema) || typeof schema !== 'object';
  return isSource ? schema : jsonSchema(schema);
}
