import 'reflect-metadata';
import type { Type } from '../contracts/type';
import { isDeclaredProvider, ownRecord, recordChain } from '../decorators/metadata';
import type { ClassDependencies, Dependency } from './dependency';
import { flawed, readToken, type Asked } from './read-token';

const PARAMETER_TYPES = 'design:paramtypes';
const TSYRINGE_TOKENS = 'injectionTokens';

/**
 * What a class asks for. The order of precedence for a parameter is `@Inject()`, tsyringe's `@inject()`, the declared type. A class
 * without a constructor of its own asks for what its nearest parent with one asks for.
 */
export function readDependencies(type: Type): ClassDependencies {
  const owner = constructorOwner(type);
  const parameters = owner === undefined ? [] : parametersOf(owner);
  return { all: [...parameters, ...propertiesOf(type)], constructorOwner: owner ?? type };
}

/** The class behind a proxy of it: metadata is not visible through a proxy, the prototype is. */
export function classBehind(type: Type): Type {
  const prototype = type.prototype as object | undefined;
  const original: unknown = prototype && Object.hasOwn(prototype, 'constructor') ? prototype.constructor : undefined;
  return typeof original === 'function' && original.prototype === prototype ? (original as Type) : type;
}

function constructorOwner(type: Type): Type | undefined {
  for (let each: unknown = type; typeof each === 'function' && each !== Function.prototype; each = Object.getPrototypeOf(each)) {
    const candidate = classBehind(each as Type);
    if (declaresParameters(candidate)) return candidate;
    // A library class that a provider extends, such as a database client, may take options of its own, which nothing injects.
    if (candidate.length > 0 && (each === type || isDeclaredProvider(candidate))) return candidate;
  }
  return undefined;
}

function declaresParameters(type: Type): boolean {
  const own = ownRecord(type);
  return (
    Reflect.hasOwnMetadata(PARAMETER_TYPES, type) ||
    Reflect.hasOwnMetadata(TSYRINGE_TOKENS, type) ||
    own.parameterTokens !== undefined ||
    own.optionalParameters !== undefined
  );
}

function parametersOf(owner: Type): Dependency[] {
  const own = ownRecord(owner);
  const types = Reflect.getOwnMetadata(PARAMETER_TYPES, owner) as readonly unknown[] | undefined;
  const tsyringe = tsyringeTokens(owner);
  const explicit = [...(own.parameterTokens?.keys() ?? []), ...tsyringe.keys()];
  const count = Math.max(types?.length ?? 0, owner.length, ...explicit.map((index) => index + 1));
  const ask = (index: number): Asked => {
    const isOptional = own.optionalParameters?.has(index) ?? false;
    const declared = own.parameterTokens?.get(index) ?? tsyringe.get(index);
    if (declared !== undefined) return readToken(declared, isOptional);
    return types === undefined ? flawed('untyped', isOptional) : readToken(types[index], isOptional);
  };
  return Array.from({ length: count }, (_, index) => ({ index, ...ask(index) }));
}

function tsyringeTokens(owner: Type): ReadonlyMap<number, unknown> {
  const written = (Reflect.getOwnMetadata(TSYRINGE_TOKENS, owner) ?? {}) as Readonly<Record<string, unknown>>;
  const entries = Object.entries(written).map(([index, token]) => [Number(index), token] as const);
  return new Map(entries.filter(([index]) => Number.isInteger(index)));
}

function propertiesOf(type: Type): Dependency[] {
  const byProperty = new Map<PropertyKey, Dependency>();
  for (const record of [...recordChain(type)].reverse()) {
    for (const [property, declared] of record.propertyTokens ?? []) {
      const isOptional = record.optionalProperties?.has(property) ?? false;
      byProperty.set(property, { property, ...readToken(declared ?? declaredType(type, property), isOptional) });
    }
  }
  return [...byProperty.values()];
}

function declaredType(type: Type, property: PropertyKey): unknown {
  return Reflect.getMetadata('design:type', type.prototype as object, property as string | symbol);
}
