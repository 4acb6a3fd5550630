import type { EngineCall } from './engine';
import type { Enhancers } from './enhancers';
import type { McpContext } from './mcp-context';
import type { ProviderReference } from './provider';
import type { SchemaSource } from './schema-source';
import type { Security } from './security';
import type { Type } from './type';

/** A picture for a client's user interface (specification: Icons). */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** Hints for clients about what a tool does. Clients must not trust them, and Perch decides nothing by them. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What clients are shown of a tool, and how its arguments and results are checked. */
export interface ToolDescription {
  /** 1 to 128 characters of `A-Z a-z 0-9 _ - .` (specification: Tool Names). Case counts. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Without it the tool takes no arguments, and any argument is refused. */
  readonly input?: SchemaSource | undefined;
  /** With it, a plain object that the handler returns is checked and becomes `structuredContent`. */
  readonly output?: SchemaSource | undefined;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  /** Published as the tool's `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Milliseconds one call may take; default is the application's `limits.callTimeoutMs`. */
  readonly timeoutMs?: number;
}

/** A tool registered at run time. */
export interface ToolDefinition extends ToolDescription {
  /** Runs the tool. Receives the checked input; what it returns and throws is treated as for a decorated tool. */
  execute(input: any, context: McpContext): unknown;
  /** Set by `toTool()`: what an application runs in place of `execute`. */
  readonly engine?: EngineCall;
}

/** Which method of which provider serves a decorated tool. */
export interface HandlerTarget {
  readonly class: Type;
  readonly method: PropertyKey;
  readonly provider: ProviderReference;
  /** Those of the class, then those of the method. */
  readonly enhancers: Enhancers;
  /** Likewise. */
  readonly security: Security;
}

/** A tool as its registry keeps it: the description, frozen, and what runs it. */
export interface ToolEntry extends ToolDescription {
  /** Runs a tool that no provider owns. Absent on decorated tools. */
  readonly execute?: ToolDefinition['execute'];
  /** The method that serves the tool, and what its class declares. Absent on plain objects, and on what is registered without an application. */
  readonly target?: HandlerTarget;
  /** How an engine is called; absent on tools that are none. */
  readonly engine?: EngineCall;
}

/** What a class with `@McpTool` implements. */
export interface ToolHandler<I = object, O = unknown> {
  /** Called once for each `tools/call` that was admitted and whose arguments are valid. */
  readonly execute: (input: I, context: McpContext) => O | Promise<O>;
}

/** A block of content that a tool answers with (specification: Tool Result). */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A complete tool result, passed through as it is. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}
