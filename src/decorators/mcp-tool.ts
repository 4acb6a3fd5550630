import type { McpContext } from '../contracts/mcp-context';
import type { InputOf, OutputOf, SchemaSource } from '../contracts/schema-source';
import type { ToolDescription, ToolResult } from '../contracts/tool';
import { declareHandler } from './declare-handler';
import { mustBeKnown } from './known-options';

/** The options of {@link McpTool}. */
export interface McpToolOptions<
  I extends SchemaSource | undefined = undefined,
  O extends SchemaSource | undefined = undefined,
> extends Omit<ToolDescription, 'input' | 'output' | 'description'> {
  /** What the tool does, for the model that chooses it. */
  readonly description: string;
  readonly input?: I;
  readonly output?: O;
}

type Answer<O> = [O] extends [undefined] ? unknown : OutputOf<O> | ToolResult | Promise<OutputOf<O> | ToolResult>;
type Handler<I, O> = (input: InputOf<I>, context: McpContext) => Answer<O>;

/** Fits a class with a matching `execute`, or a matching method that is not static. */
export interface McpToolDecorator<I, O> {
  <T extends abstract new (...args: never[]) => { readonly execute: Handler<I, O> }>(target: T): void;
  <T extends object, M extends Handler<I, O>>(
    target: T extends Function ? never : T,
    method: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}

const OPTIONS: Readonly<Record<keyof McpToolOptions, true>> = Object.freeze({
  name: true,
  title: true,
  description: true,
  input: true,
  output: true,
  annotations: true,
  icons: true,
  meta: true,
  timeoutMs: true,
});

/**
 * Makes a class with `execute(input, context)`, or one method of an `@Injectable()` class, an MCP tool.
 *
 * `input` is published as the tool's `inputSchema` and checked before the method is entered; the method receives an instance of a
 * DTO class, or a Standard Schema's output. A string answer becomes a text block, a value with `content` goes through as it is,
 * `undefined` is empty content, anything else is sent as JSON; with `output`, a plain object is checked and becomes
 * `structuredContent`. A thrown `ToolError` is answered with its text and `isError: true`, an `McpError` as that JSON-RPC error, and
 * anything else as `Internal error (ref …)`, with the same reference in the log.
 *
 * Throws a `TypeError` at decoration when it stands on anything but a class or an instance method, and for an option that there is not.
 */
export function McpTool<const I extends SchemaSource | undefined = undefined, const O extends SchemaSource | undefined = undefined>(
  options: McpToolOptions<I, O>,
): McpToolDecorator<I, O> {
  const word = `@McpTool({ name: "${options.name}" })`;
  mustBeKnown(word, options, OPTIONS);
  return declareHandler({
    word,
    classMethod: 'execute',
    declare: (place) => ({ kind: 'tool', ...place, options: Object.freeze({ ...options }) }),
  });
}
