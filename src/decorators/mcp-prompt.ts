import type { McpContext } from '../contracts/mcp-context';
import type { PromptAnswer, PromptDescription } from '../contracts/prompt';
import type { InputOf, SchemaSource } from '../contracts/schema-source';
import { declareHandler } from './declare-handler';
import { mustBeKnown } from './known-options';

/** The options of {@link McpPrompt}. */
export interface McpPromptOptions<A extends SchemaSource | undefined = undefined> extends Omit<PromptDescription, 'args'> {
  readonly args?: A;
}

type Handler<A> = (args: InputOf<A>, context: McpContext) => PromptAnswer | Promise<PromptAnswer>;

/** Fits a class with a matching `get`, or a matching method that is not static. */
export interface McpPromptDecorator<A> {
  <T extends abstract new (...args: never[]) => { readonly get: Handler<A> }>(target: T): void;
  <T extends object, M extends Handler<A>>(
    target: T extends Function ? never : T,
    method: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}

const OPTIONS: Readonly<Record<keyof McpPromptOptions, true>> = Object.freeze({
  name: true,
  title: true,
  description: true,
  args: true,
  icons: true,
  meta: true,
});

/**
 * Makes a class with `get(args, context)`, or one method of an `@Injectable()` class, an MCP prompt.
 *
 * The properties of `args` are published as the prompt's arguments, with their titles and descriptions. Arguments travel as strings and
 * are checked like a tool's; wrong ones are answered -32602. A string answer becomes one message of the user, a list is taken as the
 * messages, and a value with `messages` goes through as it is. A thrown `McpError` is answered as it is, a `ToolError` as -32603 with
 * its text, and anything else as `Internal error (ref …)`. Who is not admitted by a guard gets the answer of an unknown prompt.
 *
 * Throws a `TypeError` at decoration when it stands on anything but a class or an instance method, and for an option that there is not.
 */
export function McpPrompt<const A extends SchemaSource | undefined = undefined>(options: McpPromptOptions<A>): McpPromptDecorator<A> {
  const word = `@McpPrompt({ name: "${options.name}" })`;
  mustBeKnown(word, options, OPTIONS);
  return declareHandler({
    word,
    classMethod: 'get',
    declare: (place) => ({ kind: 'prompt', ...place, options: Object.freeze({ ...options }) }),
  });
}
