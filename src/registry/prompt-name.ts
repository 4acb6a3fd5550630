import type { SetupProblem } from '../errors/setup-error';
import type { DeclaredPlace } from './resource-uri';

/** What is wrong with a prompt's name; MCP asks only that there is one. */
export function problemOfPromptName(name: unknown, { owner, where }: DeclaredPlace): SetupProblem | undefined {
  if (typeof name === 'string' && name.trim() !== '') return undefined;
  return {
    code: 'MCP_PROMPT_NAME',
    problem: `The prompt name ${typeof name === 'string' ? JSON.stringify(name) : String(name)} of ${owner} says nothing.`,
    where,
    fix: 'Give it a name: @McpPrompt({ name: "review" }).',
  };
}
