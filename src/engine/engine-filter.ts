import type { EngineFacts } from './engine-facts';

/** Names engines: by id, where `*` stands for any characters, or by a function that is given what the engine says of itself. */
export type EngineFilter = readonly string[] | ((engine: EngineFacts) => boolean);

/** Compiles a filter; without one, every engine passes `whenAbsent`. */
export function compileFilter(filter: EngineFilter | undefined, whenAbsent: boolean): (engine: EngineFacts) => boolean {
  if (filter === undefined) return () => whenAbsent;
  if (typeof filter === 'function') return filter;
  const patterns = filter.map(toPattern);
  return ({ id }) => patterns.some((pattern) => pattern.test(id));
}

/** The ids among a filter that stand for one engine each. */
export function exactIds(filter: EngineFilter | undefined): readonly string[] {
  return Array.isArray(filter) ? (filter as readonly string[]).filter((id) => !id.includes('*')) : [];
}

function toPattern(id: string): RegExp {
  const literal = id.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's');
}
