import { classOf } from '../container/class-of';
import type { EngineLike } from '../contracts/engine';
import { describeToken, type Type } from '../contracts/type';
import { handlerDeclarations, type EngineOptions } from '../decorators/metadata';
import { InvalidEngineError } from '../errors/engine-errors';

/** What an engine says of itself, completed by the `@Engine()` of its class. */
export interface EngineFacts extends EngineOptions {
  readonly id: string;
  readonly requiredCapabilities: readonly string[];
}

/** What a class and its decorator can both say. */
const SHARED = ['id', 'name', 'description', 'version'] as const;
const READ = [...SHARED, 'requiredCapabilities', 'execute'] as const;

const NOTHING: EngineOptions = Object.freeze({});
const NO_CAPABILITIES: readonly string[] = Object.freeze([]);

/**
 * Reads the live object. `type` is the class whose `@Engine()` counts, where it is another than the object's own. Throws
 * `InvalidEngineError` for what is no engine, and for one that its decorator contradicts.
 */
export function engineFacts(engine: EngineLike, type = classOf(engine)): EngineFacts {
  if (typeof engine !== 'object' || engine === null) throw new InvalidEngineError(`${describeStranger(engine)} is not an engine.`);
  const declared = declaredOptions(type);
  const { execute, requiredCapabilities, ...said } = readFields(engine, declared);
  const owner = classNameOf(engine, type);
  for (const field of SHARED) mustAgree(owner, field, [said[field], declared[field]]);
  const id: unknown = said.id ?? declared.id;
  if (typeof id !== 'string' || id === '') {
    throw new InvalidEngineError(`The id of ${owner} must be a non-empty string, and is ${printed(id)}.`);
  }
  if (typeof execute !== 'function') throw new InvalidEngineError(`Engine "${id}" (${owner}) has no method execute().`);
  return { ...declared, ...said, id, requiredCapabilities: capabilitiesOf(requiredCapabilities, id) };
}

/** How messages name the class of an engine. */
export function classNameOf(engine: EngineLike, type = classOf(engine)): string {
  return type === undefined || type.name === '' ? 'an object' : type.name;
}

function declaredOptions(type: Type | undefined): EngineOptions {
  const declaration = type === undefined ? undefined : handlerDeclarations(type).find((each) => each.kind === 'engine');
  return declaration?.options ?? NOTHING;
}

/** Fields with getters of their own may throw; that is the engine's fault, and must not look like the framework's. */
function readFields(engine: EngineLike, declared: EngineOptions): Partial<Pick<EngineLike, (typeof READ)[number]>> {
  try {
    // A getter is asked once, so that what was checked is what is used.
    const read = READ.map((field) => [field, engine[field]] as const);
    return Object.fromEntries(read.filter(([, value]) => value !== undefined));
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

function capabilitiesOf(list: unknown, id: string): readonly string[] {
  if (list === undefined) return NO_CAPABILITIES;
  if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return list;
  throw new InvalidEngineError(`"requiredCapabilities" of engine "${id}" must be a list of strings.`);
}

/** A class where one of its instances was meant is the likeliest. */
function describeStranger(value: unknown): string {
  return typeof value === 'function' ? `The class ${describeToken(value)}, of which an instance is needed,` : printed(value);
}

function printed(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
