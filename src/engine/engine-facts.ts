import type { EngineLike } from '../contracts/engine';
import type { Type } from '../contracts/type';
import { handlerDeclarations, type EngineOptions } from '../decorators/metadata';
import { InvalidEngineError } from '../errors/engine-errors';

/** What an engine says of itself, completed by the `@Engine()` of its class. */
export interface EngineFacts extends EngineOptions {
  readonly id: string;
  readonly requiredCapabilities: readonly string[];
}

/** What a class and its decorator can both say. */
const SHARED = ['id', 'name', 'description', 'version'] as const;

const NOTHING: EngineOptions = Object.freeze({});
const NO_CAPABILITIES: readonly string[] = Object.freeze([]);

/** Reads the live object. Throws `InvalidEngineError` for what is no engine, and for one that its decorator contradicts. */
export function engineFacts(engine: EngineLike): EngineFacts {
  if (typeof engine !== 'object' || engine === null) throw new InvalidEngineError(`${String(engine)} is not an engine.`);
  const declared = declaredOptions(engine);
  const said = readShared(engine, declared);
  const owner = classNameOf(engine);
  for (const field of SHARED) mustAgree(owner, field, [said[field], declared[field]]);
  const id = said.id ?? declared.id;
  if (typeof id !== 'string' || id === '') {
    throw new InvalidEngineError(`The id of ${owner} must be a non-empty string, and is ${printed(id)}.`);
  }
  if (typeof engine.execute !== 'function') throw new InvalidEngineError(`Engine "${id}" (${owner}) has no method execute().`);
  return { ...declared, ...said, id, requiredCapabilities: capabilitiesOf(engine, id) };
}

/** How messages name the class of an engine. */
export function classNameOf(engine: EngineLike): string {
  const type = constructorOf(engine);
  return type === undefined || type.name === '' || type === Object ? 'an object' : type.name;
}

/** The class whose decorators and enhancers count for an engine; undefined for a plain object. */
export function constructorOf(engine: EngineLike): Type | undefined {
  try {
    const type: unknown = engine.constructor;
    return typeof type === 'function' && type !== Object ? (type as Type) : undefined;
  } catch {
    return undefined;
  }
}

function declaredOptions(engine: EngineLike): EngineOptions {
  const type = constructorOf(engine);
  const declaration = type === undefined ? undefined : handlerDeclarations(type).find((each) => each.kind === 'engine');
  return declaration?.options ?? NOTHING;
}

/** Fields with getters of their own may throw; that is the engine's fault, and must not look like the framework's. */
function readShared(engine: EngineLike, declared: EngineOptions): Partial<Record<(typeof SHARED)[number], string>> {
  try {
    const present = SHARED.filter((field) => engine[field] !== undefined);
    return Object.fromEntries(present.map((field) => [field, engine[field]]));
  } catch (cause) {
    throw new InvalidEngineError(`The fields of ${printed(declared.id ?? classNameOf(engine))} cannot be read.`, { cause });
  }
}

function mustAgree(owner: string, field: string, [said, declared]: readonly [unknown, unknown]): void {
  if (said === undefined || declared === undefined || said === declared) return;
  throw new InvalidEngineError(
    `${owner} has the ${field} ${printed(said)}, and its @Engine() says ${printed(declared)}. Keep one of them.`,
  );
}

function capabilitiesOf({ requiredCapabilities }: EngineLike, id: string): readonly string[] {
  if (requiredCapabilities === undefined) return NO_CAPABILITIES;
  const list: unknown = requiredCapabilities;
  if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return list;
  throw new InvalidEngineError(`"requiredCapabilities" of engine "${id}" must be a list of strings.`);
}

function printed(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
