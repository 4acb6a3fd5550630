import { DiscoveryService } from '../container/discovery-service';
import type { ToolDefinition } from '../contracts/tool';
import { providedTool } from '../decorators/define-tool';
import { DuplicateRegistrationError } from '../errors/registry-errors';
import { McpSetupError, type SetupProblem } from '../errors/setup-error';
import type { ToolRegistry } from '../registry/tool-registry';
import type { EngineParts } from './expose-engines';

/** Registers the tools that modules provide as functions, once everything is built; returns what keeps one from being served. */
export function collectFunctions({ container, tools }: Pick<EngineParts, 'container' | 'tools'>): readonly SetupProblem[] {
  const found = new Map<ToolDefinition, string>();
  for (const { instance, moduleName } of container.get(DiscoveryService).getProviders()) {
    const tool = providedTool(instance);
    if (tool !== undefined && !found.has(tool)) found.set(tool, moduleName);
  }
  return [...found].flatMap(([tool, moduleName]) => attempt(tools, tool, `defineTool({ name: "${tool.name}" }) in ${moduleName}`));
}

function attempt(tools: ToolRegistry, tool: ToolDefinition, where: string): readonly SetupProblem[] {
  try {
    tools.register(tool);
    return [];
  } catch (error) {
    if (error instanceof McpSetupError) return error.problems.map((each) => ({ ...each, where: `${each.where}, ${where}` }));
    if (error instanceof DuplicateRegistrationError) return [taken(error, where)];
    throw error;
  }
}

function taken(cause: DuplicateRegistrationError, where: string): SetupProblem {
  return { code: 'MCP_TOOL_DUPLICATE', problem: `${cause.message}.`, where, fix: 'Give one another name.', cause };
}
