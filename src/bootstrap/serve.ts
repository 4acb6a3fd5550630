import { McpSetupError } from '../errors/setup-error';
import { problemOfOptions } from './settings/unknown-options';
import type { ModuleImport, Provider } from '../contracts/provider';
import type { ToolDefinition } from '../contracts/tool';
import { asProvided } from '../decorators/define-tool';
import { APPLICATION_OPTIONS, type McpApplicationOptions } from './application-options';
import { invalid } from './choose-verifier';
import type { ListenOptions } from './listen-options';
import type { McpApplication } from './mcp-application';
import { McpFactory } from './mcp-factory';
import type { DoorOptions } from './settings/door-options';

/** What stands beside tools that are functions: guards under `APP_GUARD`, a `TokenVerifier`, an `AuditSink`, whole modules. */
export interface BesideTools {
  readonly imports?: readonly ModuleImport[];
  readonly providers?: readonly Provider[];
}

/** The options of {@link serve}: those of `McpFactory.create` and of `app.listen` together. */
export interface ServeOptions extends McpApplicationOptions, ListenOptions, BesideTools {
  /** The same as `mode`. Both are refused unless they say the same; `transports` names several. */
  readonly transport?: NonNullable<DoorOptions['mode']>;
}

/**
 * Serves tools without a class: builds a module of them and goes through `McpFactory`, so guards, policy, audit and limits hold as for
 * decorated ones. stdio, unless options, flags or environment say otherwise. Resolves with the listening application; rejects with an
 * `McpSetupError` that lists every problem, and then nothing is left open.
 */
export async function serve(tools: readonly ToolDefinition[], options: ServeOptions): Promise<McpApplication> {
  mustBeAskable(tools, options, 'serve');
  const { imports, providers, transport, ...rest } = options;
  if (transport !== undefined && rest.mode !== undefined && transport !== rest.mode)
    throw invalid(`"transport" is ${transport} and "mode" is ${rest.mode}`, 'Keep one of the two.');
  const [forCreate, forListen] = split(rest);
  const app = await createFromTools(tools, { imports, providers }, forCreate);
  try {
    return await app.listen(transport === undefined ? forListen : { ...forListen, mode: transport });
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** An application of one module: these tools, and what stands beside them. */
export function createFromTools(
  tools: readonly ToolDefinition[],
  { imports = [], providers = [] }: { readonly [K in keyof BesideTools]: BesideTools[K] | undefined },
  options: McpApplicationOptions,
): Promise<McpApplication> {
  const provided = tools.map((tool): Provider => ({ provide: Symbol(`tool ${tool.name}`), useValue: asProvided(tool) }));
  return McpFactory.create({ imports, providers: [...providers, ...provided] }, options);
}

/** Plain JavaScript can pass anything. Throws an `McpSetupError` for tools that are no list of objects, and options that are no object. */
export function mustBeAskable(tools: unknown, options: unknown, where: string): void {
  const isList = Array.isArray(tools) && tools.every((tool) => typeof tool === 'object' && tool !== null);
  const problem = problemOfOptions(options, where);
  if (problem !== undefined) throw new McpSetupError([problem]);
  if (isList) return;
  const text = 'The tools are not a list of tools';
  throw new McpSetupError([{ code: 'MCP_OPTION_INVALID', problem: text, where, fix: 'Pass a list of what defineTool({ … }) returns.' }]);
}

function split(options: McpApplicationOptions & ListenOptions): readonly [McpApplicationOptions, ListenOptions] {
  const entries = Object.entries(options);
  const those = (isForCreate: boolean): unknown =>
    Object.fromEntries(entries.filter(([key]) => APPLICATION_OPTIONS.includes(key) === isForCreate));
  return [those(true) as McpApplicationOptions, those(false) as ListenOptions];
}
