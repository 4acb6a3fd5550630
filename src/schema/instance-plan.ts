import type { Type } from '../contracts/type';

/** How to make one instance: which keys of the checked value go to which properties. */
export interface InstancePlan {
  readonly target: Type<object>;
  readonly fields: readonly FieldPlan[];
  /** Set on the instance when its class does not declare the discriminator. */
  readonly tag: { readonly property: string; readonly name: string } | undefined;
}

/** One declared property. */
export interface FieldPlan {
  readonly key: string;
  readonly property: string;
  /** Makes the property's value; absent when the value is used as it is. */
  readonly read: ((value: unknown) => unknown) | undefined;
}

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * Makes an instance of a value that the schema accepted. The constructor runs without arguments, so initialisers, private fields and
 * setters work; only declared properties are assigned.
 */
export function makeInstance(plan: InstancePlan, raw: object): object {
  const instance = new plan.target() as Record<string, unknown>;
  for (const { key, property, read } of plan.fields) {
    if (!Object.hasOwn(raw, key)) continue;
    const value = (raw as Record<string, unknown>)[key];
    if (value !== undefined) instance[property] = read === undefined ? value : read(value);
  }
  if (plan.tag !== undefined) instance[plan.tag.property] = plan.tag.name;
  return instance;
}

/** Reads a date-time; anything else becomes an invalid Date, which `@IsDate` refuses. */
export function readDate(value: unknown): unknown {
  if (value === null) return null;
  return new Date(typeof value === 'string' && DATE_TIME.test(value) ? value : Number.NaN);
}

/** Reads a nested object. The plan may still be empty when the reader is made: classes may contain themselves. */
export function nestedReader(plan: InstancePlan): (value: unknown) => unknown {
  return (value) => (value === null ? null : makeInstance(plan, value as object));
}

/** Reads a nested object by its discriminator. */
export function unionReader(property: string, plans: ReadonlyMap<string, InstancePlan>): (value: unknown) => unknown {
  return (value) => {
    if (value === null) return null;
    const branch = plans.get((value as Record<string, string>)[property] ?? '');
    return branch === undefined ? value : makeInstance(branch, value as object);
  };
}

/** Reads an array element by element; null stays null. */
export function listReader(read: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => (Array.isArray(value) ? value.map(read) : value);
}
