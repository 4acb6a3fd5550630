import type { Type } from '../contracts/type';
import type { PropertyFacts } from './class-facts';
import { isJson, isPlainObject } from './json';

/** What a property holds on a new instance. */
export interface InitialValue {
  readonly value: unknown;
  /** As JSON, when it is JSON or an instance of plain fields, and two instances agree on it. */
  readonly published: { readonly value: unknown } | undefined;
}

/** Makes two instances of an input class, as every call will, and reads their own fields. Throws what the constructor throws. */
export function initialValues(target: Type): ReadonlyMap<string, InitialValue> {
  const first = new target() as Record<string, unknown>;
  const second = new target() as Record<string, unknown>;
  const values = new Map<string, InitialValue>();
  for (const [property, value] of Object.entries(first)) {
    // A method written as an arrow function is no field of the input.
    if (value !== undefined && typeof value !== 'function') values.set(property, { value, published: published(value, second[property]) });
  }
  return values;
}

function published(value: unknown, again: unknown): InitialValue['published'] {
  const plain = plainCopy(value);
  const isStable = plain !== undefined && JSON.stringify(plain) === JSON.stringify(plainCopy(again));
  return isStable ? { value: plain } : undefined;
}

function plainCopy(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isPlainObject(value)) {
    const fields = { ...value };
    return Object.keys(fields).length > 0 && isJson(fields) ? fields : undefined;
  }
  return isJson(value) ? value : undefined;
}

/** The decorator that refuses a property's initial value; `undefined` when all agree. Custom constraints are not asked. */
export function refusedBy({ rules, optional, conditions }: PropertyFacts, value: unknown): string | undefined {
  if ((optional && value === null) || conditions.length > 0) return undefined;
  const refusing = rules.find(({ builtIn, each, metadata, instances }) => {
    if (!builtIn || metadata.validateIf !== undefined) return false;
    const args = { value, constraints: metadata.constraints ?? [], targetName: '', object: {}, property: '' };
    const accepts = (one: unknown): boolean => instances().every((instance) => instance.validate(one, args) === true);
    return !(each && Array.isArray(value) ? value.every(accepts) : accepts(value));
  });
  return refusing?.decorator;
}
