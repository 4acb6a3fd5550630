import type { McpContext } from './mcp-context';
import type { Completer, CompleterTargets } from './resource';
import type { SchemaSource } from './schema-source';
import type { ContentBlock, HandlerTarget, Icon } from './tool';

/** What clients are shown of a prompt, and how its arguments are checked. */
export interface PromptDescription {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Without it the prompt takes no arguments. Arguments travel as strings, so every property accepts one. */
  readonly args?: SchemaSource | undefined;
  readonly icons?: readonly Icon[];
  /** Published as the prompt's `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** A complete prompt, passed through as it is. */
export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What a prompt may be made of: the text of one user message, messages, or everything. */
export type PromptAnswer = string | readonly PromptMessage[] | PromptResult;

/** What a class with `@McpPrompt` implements. */
export interface PromptHandler<A = object> {
  /** Called once for each `prompts/get` that was admitted and whose arguments are valid. */
  readonly get: (args: A, context: McpContext) => PromptAnswer | Promise<PromptAnswer>;
}

/** A prompt registered at run time. */
export interface PromptDefinition extends PromptDescription {
  /** Makes the prompt. Receives the checked arguments. */
  get(args: any, context: McpContext): PromptAnswer | Promise<PromptAnswer>;
  /** By argument. */
  readonly complete?: Readonly<Record<string, Completer>>;
}

/** A prompt as its registry keeps it: the description, frozen, and what serves it. */
export interface PromptEntry extends PromptDescription {
  readonly get?: PromptDefinition['get'];
  readonly complete?: PromptDefinition['complete'];
  /** The method that serves the prompt, and what its class declares. Absent on plain objects, and without an application. */
  readonly target?: HandlerTarget;
  readonly completers?: CompleterTargets;
}
