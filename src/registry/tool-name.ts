import type { SetupProblem } from '../errors/setup-error';

// Specification, Tool Names: 1 to 128 characters of A-Z a-z 0-9 _ - .
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** What is wrong with a tool's name; undefined for one that MCP allows. `owner` declares it, at `where`. */
export function problemOfToolName(name: unknown, owner: string, where: string): SetupProblem | undefined {
  if (typeof name === 'string' && TOOL_NAME.test(name)) return undefined;
  return {
    code: 'MCP_TOOL_NAME',
    problem: `The tool name ${typeof name === 'string' ? JSON.stringify(name) : String(name)} of ${owner} is not allowed by MCP.`,
    where,
    fix: 'Use 1 to 128 characters of A-Z, a-z, 0-9, "_", "-" and ".".',
  };
}
