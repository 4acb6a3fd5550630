import { McpSetupError } from '../errors/setup-error';
import type { EngineFacts } from './engine-facts';

/** Names engines: by id, where `*` stands for any characters, or by a function that is given what the engine says of itself. */
export type EngineFilter = readonly string[] | ((engine: EngineFacts) => boolean);

/** Compiles a filter; without one, every engine passes `whenAbsent`. */
export function compileFilter(
  option: 'include' | 'exclude',
  filter: EngineFilter | undefined,
  whenAbsent: boolean,
): (engine: EngineFacts) => boolean {
  if (filter === undefined) return () => whenAbsent;
  if (typeof filter === 'function') return (engine) => decided(option, engine, filter(engine));
  const patterns = filter.map(toPattern);
  return ({ id }) => patterns.some((pattern) => pattern.test(id));
}

/** A promise, say, would include or exclude everything. */
function decided(option: string, { id }: EngineFacts, answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer;
  const problem = `The function "${option}" says neither true nor false of the engine "${id}".`;
  throw new McpSetupError([{ code: 'MCP_OPTION_INVALID', problem, where: 'EngineModule.forRoot()', fix: 'Return true or false.' }]);
}

/** The ids among a filter that stand for one engine each. */
export function exactIds(filter: EngineFilter | undefined): readonly string[] {
  return Array.isArray(filter) ? (filter as readonly string[]).filter((id) => !id.includes('*')) : [];
}

function toPattern(id: string): RegExp {
  const literal = id.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's');
}
