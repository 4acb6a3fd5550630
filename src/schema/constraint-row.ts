import type { Fragment } from './schema-draft';

/**
 * How much of a decorator the schema says. `exact`: all of it. `approximate`: a part is published, and the constraint itself runs where
 * that part is not the whole. `residual`: only the JSON type and a `format` are published, and the constraint always runs.
 */
export type Exactness = 'exact' | 'approximate' | 'residual';

/** What one decorator with its arguments becomes. */
export interface Expression {
  readonly schema?: Fragment;
  /** The constraint itself must run as well. */
  readonly residual?: true;
  /** What the schema can refuse only once the type is known. */
  readonly refuses?: 'null' | 'empty';
  /** True when class-validator accepts a missing property. */
  readonly absent?: true;
}

/** A row of the table: one decorator of class-validator. */
export interface ConstraintRow {
  readonly exactness: Exactness;
  /** Reads the stored arguments; throws {@link Inexpressible}. `accepts` asks the constraint about a harmless value. */
  readonly express: (args: readonly unknown[], accepts: (value: unknown) => boolean) => Expression;
}

/** A decorator that cannot be expressed with these arguments; the message says why. */
export class Inexpressible extends Error {}

/** A row whose schema says everything. */
export function exact(express: ConstraintRow['express']): ConstraintRow {
  return { exactness: 'exact', express };
}

/** A row whose schema says a part, or everything for some arguments. */
export function approximate(express: ConstraintRow['express']): ConstraintRow {
  return { exactness: 'approximate', express };
}

/** A row whose constraint always runs; the schema says the JSON type and what else is given. */
export function residual(schema: Fragment): ConstraintRow {
  return { exactness: 'residual', express: () => ({ schema, residual: true }) };
}

/** A whole number that JSON Schema takes for a size. */
export function count(value: unknown, least = 0): number {
  if (!Number.isSafeInteger(value) || (value as number) < least) throw new Inexpressible(`it needs a whole number of at least ${least}`);
  return value as number;
}
