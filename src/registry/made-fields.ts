import type { EngineCall } from '../contracts/engine';
import type { HandlerTarget } from '../contracts/tool';

/** Fields of an entry that its author does not write, and how to know what was made for them. */
const MADE: Readonly<Record<string, (value: object) => boolean>> = {
  target: isTarget,
  lister: isTarget,
  completers: (value) => value instanceof Map,
  engine: (value) => typeof (value as Partial<EngineCall>).run === 'function' && 'instance' in value,
};

/** A definition's own fields; a class may have one of the same name for itself, such as the engine of a car. */
export function withoutNamesakes<T extends object>(definition: T): T {
  const fields = { ...definition };
  for (const [name, isMade] of Object.entries(MADE)) {
    const value = (fields as Record<string, unknown>)[name];
    if (name in fields && !(typeof value === 'object' && value !== null && isMade(value))) Reflect.deleteProperty(fields, name);
  }
  return fields;
}

function isTarget(value: object): boolean {
  const { provider, enhancers } = value as Partial<HandlerTarget>;
  return typeof provider?.get === 'function' && typeof enhancers === 'object';
}
