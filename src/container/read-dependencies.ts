import 'reflect-metadata';
import type { Type } from '../contracts/type';
import { isDeclaredProvider, ownRecord, recordChain, type ClassRecord } from '../decorators/metadata';
import type { ClassDependencies, Dependency } from './dependency';
import { asParameter, flawed, readToken, type Asked } from './read-token';

const PARAMETER_TYPES = 'design:paramtypes';
const TSYRINGE_TOKENS = 'injectionTokens';

/**
 * What a class asks for. The order of precedence for a parameter is `@Inject()`, tsyringe's `@inject()`, the declared type. A class
 * without a constructor of its own asks for what its nearest parent with one asks for. `records` are those of the class and its parents.
 */
export function readDependencies(type: Type, records: readonly ClassRecord[] = recordChain(type)): ClassDependencies {
  const constructor = findConstructor(type);
  const all = constructor === undefined ? [] : parametersOf(constructor);
  if (records.some(hasProperties)) all.push(...propertiesOf(type, records));
  return { all, constructorOwner: constructor?.owner ?? type };
}

/** The class behind a proxy of it: metadata is not visible through a proxy, the prototype is. */
export function classBehind(type: Type): Type {
  const prototype = type.prototype as object | undefined;
  const original: unknown = prototype && Object.hasOwn(prototype, 'constructor') ? prototype.constructor : undefined;
  return typeof original === 'function' && original.prototype === prototype ? (original as Type) : type;
}

/** A class that declares the constructor, and what decorators and the compiler wrote about its parameters. */
interface DeclaredConstructor {
  readonly owner: Type;
  readonly record: ClassRecord;
  readonly types: readonly unknown[] | undefined;
  readonly tsyringe: ReadonlyMap<number, unknown>;
}

function findConstructor(type: Type): DeclaredConstructor | undefined {
  for (let each: unknown = type; typeof each === 'function' && each !== Function.prototype; each = Object.getPrototypeOf(each)) {
    const owner = classBehind(each as Type);
    const types = Reflect.getOwnMetadata(PARAMETER_TYPES, owner) as readonly unknown[] | undefined;
    const found: DeclaredConstructor = { owner, record: ownRecord(owner), types, tsyringe: tsyringeTokens(owner) };
    if (types !== undefined || isExplicit(found)) return found;
    // A library class that a provider extends, such as a database client, may take options of its own, which nothing injects.
    if (owner.length > 0 && (each === type || isDeclaredProvider(owner))) return found;
  }
  return undefined;
}

function isExplicit({ record, tsyringe }: DeclaredConstructor): boolean {
  return record.parameterTokens !== undefined || record.optionalParameters !== undefined || tsyringe.size > 0;
}

const NONE: ReadonlyMap<number, unknown> = new Map();

function tsyringeTokens(owner: Type): ReadonlyMap<number, unknown> {
  const written = Reflect.getOwnMetadata(TSYRINGE_TOKENS, owner) as Readonly<Record<string, unknown>> | undefined;
  if (written === undefined) return NONE;
  const entries = Object.entries(written).map(([index, token]) => [Number(index), token] as const);
  return new Map(entries.filter(([index]) => Number.isInteger(index)));
}

function parametersOf({ owner, record, types, tsyringe }: DeclaredConstructor): Dependency[] {
  let count = types?.length ?? owner.length;
  for (const index of record.parameterTokens?.keys() ?? []) count = Math.max(count, index + 1);
  for (const index of tsyringe.keys()) count = Math.max(count, index + 1);
  const ask = (index: number): Asked => {
    const isOptional = record.optionalParameters?.has(index) ?? false;
    const declared = record.parameterTokens?.get(index) ?? tsyringe.get(index);
    if (declared !== undefined) return readToken(declared, isOptional);
    return types === undefined ? flawed('untyped', isOptional) : readToken(types[index], isOptional);
  };
  const parameters: Dependency[] = [];
  for (let index = 0; index < count; index += 1) parameters.push(asParameter(index, ask(index)));
  return parameters;
}

function hasProperties({ propertyTokens }: ClassRecord): boolean {
  return propertyTokens !== undefined;
}

function propertiesOf(type: Type, records: readonly ClassRecord[]): Dependency[] {
  const byProperty = new Map<PropertyKey, Dependency>();
  for (const record of [...records].reverse()) {
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
