import type { EngineCall, EngineLike } from '../contracts/engine';
import { jsonSchema } from '../contracts/schema-source';
import type { ToolDefinition, ToolDescription, ToolResult } from '../contracts/tool';
import { McpError } from '../errors/mcp-error';
import { thrownMessage } from '../errors/thrown-message';
import { ToolError } from '../errors/tool-error';
import { engineRun, type BaseContext } from './engine-call';
import { engineFacts, type EngineFacts } from './engine-facts';

/** How engines become tools. */
export interface EngineToolOptions {
  /** What every call of an engine gets beside its request: shared, never changed. `context.provider` is what capabilities are asked of. */
  readonly context?: BaseContext;
  /** Names the tool; default is the engine's id. Needed for an id that MCP does not allow as a tool name. */
  readonly toolName?: (engine: EngineFacts) => string;
  /** Whether clients are told the message of what an engine throws. Default true. */
  readonly exposeErrors?: boolean;
}

/** The key in a tool's `_meta` that holds the version of its engine. */
export const ENGINE_VERSION = 'perch-mcp/engine-version';

const ANY_OBJECT = jsonSchema({ type: 'object', additionalProperties: true });

/**
 * Presents an engine as a tool, to register in any `ToolRegistry`. Reads the engine and does not run it. Throws `InvalidEngineError` for
 * what is no engine.
 */
export function toTool(engine: EngineLike, options: EngineToolOptions = {}): ToolDefinition {
  return describeTool(engine, engineFacts(engine), options);
}

/** The same for an engine whose facts are known. */
export function describeTool(engine: EngineLike, facts: EngineFacts, options: EngineToolOptions): ToolDefinition {
  const run = engineRun(engine, facts, options.context);
  const call: EngineCall = { instance: engine, run, exposeErrors: options.exposeErrors ?? true };
  return { ...describe(facts, options), engine: call, execute: (input, context) => present(call, facts, [input, context]) };
}

function describe(facts: EngineFacts, { toolName }: EngineToolOptions): ToolDescription {
  const { id, name, description, version, input = ANY_OBJECT, output, annotations, timeoutMs } = facts;
  return {
    name: toolName === undefined ? id : toolName(facts),
    ...(name === undefined ? {} : { title: name }),
    ...(description === undefined ? {} : { description }),
    input,
    ...(output === undefined ? {} : { output }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(version === undefined ? {} : { meta: { [ENGINE_VERSION]: version } }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** The answer of a registry that stands alone; an application makes its own, with checks and filters around it. */
async function present(call: EngineCall, facts: EngineFacts, [input, context]: Parameters<ToolDefinition['execute']>): Promise<ToolResult> {
  let result: unknown;
  try {
    result = await call.run(input, context);
  } catch (error) {
    if (error instanceof McpError) throw error;
    const isShown = call.exposeErrors || error instanceof ToolError;
    return failed((isShown ? thrownMessage(error) : undefined) ?? HIDDEN);
  }
  try {
    // `undefined` and functions have no JSON text.
    const json = (JSON.stringify(result) as string | undefined) ?? 'null';
    const answer = { content: [{ type: 'text', text: json }] };
    return facts.output === undefined ? answer : { ...answer, structuredContent: JSON.parse(json) as unknown };
  } catch {
    // What cannot be written as JSON is no error of the engine's own words.
    return failed(HIDDEN);
  }
}

const HIDDEN = 'Internal error';

function failed(message: string): ToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}
