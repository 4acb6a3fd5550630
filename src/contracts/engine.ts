import type { McpContext } from './mcp-context';
import type { PolicyQuestions } from './policy-questions';

/** What an engine is called with, besides whatever the base context of its application holds. */
export interface EngineContext<Input = Record<string, unknown>> {
  readonly request: {
    /** The engine's id. */
    readonly strategy: string;
    /** What the client sent, unchanged; an instance of the input class where one is declared. */
    readonly input: Input;
  };
  /** What the engine works with, from the base context. */
  readonly provider?: unknown;
  /** Aborts when the client cancels, the call times out or the server shuts down. Absent outside of an application. */
  readonly signal?: AbortSignal;
  /** Tells the client how far the work is. Absent outside of an application. */
  readonly progress?: McpContext['progress'];
  /** What the operator lets this process touch. Absent outside of an application. */
  readonly policy?: PolicyQuestions;
}

/** A class written for some other purpose that can be presented as a tool: nothing of it has to know of MCP. */
export interface Engine {
  /** Unique in its registry, and the tool's name unless `toolName` maps it. */
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  /** What the provider in the context must be capable of; see `MissingCapabilityError`. */
  readonly requiredCapabilities?: readonly string[];
  /** Does the work. Its result is sent as JSON; what it throws is a failed tool result with the error's message. */
  execute(context: never): unknown;
}

/** An engine whose class may leave the rest to `@Engine()`. */
export type EngineLike = Partial<Omit<Engine, 'execute'>> & Pick<Engine, 'execute'>;

/** What makes a tool an engine's. Made by `toTool()`. */
export interface EngineCall {
  /** The engine itself: what its class declares stands before its calls in an application. */
  readonly instance: EngineLike;
  /** Calls the engine with checked input. Rejects with what it throws. */
  readonly run: (input: unknown, context: McpContext | undefined) => unknown;
  /** Whether clients are told the message of what it throws. */
  readonly exposeErrors: boolean;
}
