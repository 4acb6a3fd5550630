import type { ServerIdentity } from '../contracts/identity';
import type { JsonSchema } from '../contracts/schema-source';
import type { ToolAnnotations, ToolDefinition, ToolResult } from '../contracts/tool';
import { fieldsOf } from '../decorators/metadata';
import { compileTool } from '../invocation/compile-tool';
import { createListings, type ListedEntries } from '../protocol/listings';
import { ToolRegistry } from '../registry/tool-registry';
import { identityOf, limitsOf, type McpApplicationOptions } from './application-options';
import { inProcess } from './create-application';
import { internalsOf, type McpApplication } from './mcp-application';
import { createFromTools, mustBeAskable, type BesideTools } from './serve';

/** A tool as clients are shown it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
}

/** Tools to list and to call, for a program that speaks to its clients itself. */
export interface ToolDispatch {
  /** What a server of these tools would say of itself. */
  readonly serverInfo: ServerIdentity;
  /** The tools that a call can reach, in the order they were given. */
  listTools(): Promise<readonly ListedTool[]>;
  /**
   * Calls a tool through the whole pipeline. A failed tool is a result with `isError`; an unknown one rejects with `ToolNotFoundError`, and
   * what a handler throws as `McpError` rejects as it is. `formatToolError` words what is rejected.
   */
  callTool(name: string, args?: unknown): Promise<ToolResult>;
  /** Runs the end hooks of what stands beside the tools. */
  close(): Promise<void>;
}

/** The options of {@link buildToolDispatch}: those of `McpFactory.create`, none of which is needed. */
export interface ToolDispatchOptions extends Partial<McpApplicationOptions>, BesideTools {}

/**
 * Makes a list of tools callable in process, with no transport. Throws at once for tools that cannot be served: an `McpSetupError`, or a
 * `DuplicateRegistrationError` for a name that is taken. What stands beside them is built at the first call, which rejects if it cannot be.
 */
export function buildToolDispatch(tools: readonly ToolDefinition[], given: ToolDispatchOptions = {}): ToolDispatch {
  mustBeAskable(tools, given, 'buildToolDispatch');
  const { imports, providers, name = 'tools', version = '0.0.0', ...more } = given;
  const options = { name, version, ...more };
  checkTools(tools, options);
  let started: Promise<Started> | undefined;
  const start = (): Promise<Started> => (started ??= begin(createFromTools(tools, { imports, providers }, options)));
  return Object.freeze({
    serverInfo: identityOf(options),
    listTools: async () => (await start()).list(),
    callTool: async (tool: string, args?: unknown) => (await (await start()).app.tools.call(tool, args)) as ToolResult,
    close: async () => (await started)?.app.close(),
  });
}

interface Started {
  readonly app: McpApplication;
  readonly list: () => Promise<readonly ListedTool[]>;
}

async function begin(creating: Promise<McpApplication>): Promise<Started> {
  const app = await creating;
  await app.init();
  const { catalogues, invoker } = internalsOf(app).parts;
  const { entries } = createListings(catalogues, invoker, async () => []).get('tools/list') as { readonly entries: ListedEntries };
  return { app, list: async () => (await entries.after(0, catalogues.tools.registry.list().length, inProcess())).items as never };
}

/** The application checks them again; this is for whoever made the mistake, who stands here. */
function checkTools(tools: readonly ToolDefinition[], options: McpApplicationOptions): void {
  const { depth, elements } = limitsOf(options);
  const registry = new ToolRegistry({ admit: (entry) => void compileTool(entry, { fieldsOf, maxDepth: depth, maxElements: elements }) });
  for (const tool of tools) registry.register(tool);
}
