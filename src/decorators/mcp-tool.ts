import type { McpContext } from '../contracts/mcp-context';
import type { InputOf, OutputOf, SchemaSource } from '../contracts/schema-source';
import type { ToolDescription, ToolResult } from '../contracts/tool';
import { isClass } from '../contracts/type';
import { updateRecord } from './metadata';

/** The options of {@link McpTool}. */
export interface McpToolOptions<I extends SchemaSource | undefined = undefined, O extends SchemaSource | undefined = undefined>
  extends Omit<ToolDescription, 'input' | 'output' | 'description'> {
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
  <T extends object, M extends Handler<I, O>>(target: T extends Function ? never : T, method: string | symbol, descriptor: TypedPropertyDescriptor<M>): void;
}

/**
 * Makes a class with `execute(input, context)`, or one method of an `@Injectable()` class, an MCP tool.
 *
 * `input` is published as the tool's `inputSchema` and checked before the method is entered; the method receives an instance of a
 * DTO class, or a Standard Schema's output. A string answer becomes a text block, a value with `content` goes through as it is,
 * `undefined` is empty content, anything else is sent as JSON; with `output`, a plain object is checked and becomes
 * `structuredContent`. A thrown `ToolError` is answered with its text and `isError: true`, an `McpError` as that JSON-RPC error, and
 * anything else as `Internal error (ref …)`, with the same reference in the log.
 *
 * Throws a `TypeError` at decoration when it stands on anything but a class or an instance method.
 */
export function McpTool<const I extends SchemaSource | undefined = undefined, const O extends SchemaSource | undefined = undefined>(
  options: McpToolOptions<I, O>,
): McpToolDecorator<I, O> {
  const frozen = Object.freeze({ ...options }) as ToolDescription;
  const decorate = (target: object, method?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (method === undefined) return declareTool(target, 'execute', frozen);
    if (isClass(target)) throw misplaced(options.name, `the static method ${target.name}.${String(method)}`);
    if (typeof descriptor?.value !== 'function') throw misplaced(options.name, `${target.constructor.name}.${String(method)}, which is not a method`);
    declareTool(target.constructor, method, frozen);
  };
  return decorate;
}

function declareTool(target: object, method: PropertyKey, options: ToolDescription): void {
  updateRecord(target, (own) => ({ ...own, tools: Object.freeze([...(own.tools ?? []), Object.freeze({ method, options })]) }));
}

function misplaced(name: string, place: string): TypeError {
  return new TypeError(`@McpTool({ name: "${name}" }) stands on ${place}. Put it on a class with execute(), or on an instance method.`);
}
