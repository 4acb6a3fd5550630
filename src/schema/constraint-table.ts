import { approximate, count, exact, Inexpressible, type ConstraintRow } from './constraint-row';
import { isJsonPrimitive } from './json';
import type { Fragment } from './schema-draft';
import { STRING_CONSTRAINTS } from './string-constraints';

const MAX_SAFE = Number.MAX_SAFE_INTEGER;

/** Every decorator that Perch knows, by name. What is not here is a custom constraint. */
export const CONSTRAINTS: Readonly<Record<string, ConstraintRow>> = {
  IsDefined: exact(() => ({ refuses: 'null' })),
  IsNotEmpty: exact(() => ({ refuses: 'empty' })),
  IsEmpty: exact(() => ({ schema: { enum: ['', null] }, absent: true })),
  Equals: exact(([value]) => ({ schema: { type: typeOf(primitive(value)), const: value } })),
  NotEquals: exact(([value]) => ({ schema: { not: { const: primitive(value) } }, absent: true })),
  IsIn: exact(([values]) => ({ schema: choice(primitives(values)) })),
  IsNotIn: exact(([values]) => ({ schema: { not: { enum: primitives(values) } }, absent: true })),
  IsEnum: exact(([entity]) => ({ schema: choice(primitives(enumValues(entity as Record<string, unknown>))) })),
  IsBoolean: exact(() => ({ schema: { type: 'boolean' } })),
  IsString: exact(() => ({ schema: { type: 'string' } })),
  IsInt: exact(() => ({ schema: { type: 'integer', minimum: -MAX_SAFE, maximum: MAX_SAFE } })),
  IsNumber: approximate(([options]) => {
    const schema = { type: 'number' };
    return (options as { maxDecimalPlaces?: number } | undefined)?.maxDecimalPlaces === undefined ? { schema } : { schema, residual: true };
  }),
  Min: exact(([value]) => ({ schema: { type: 'number', minimum: finite(value) } })),
  Max: exact(([value]) => ({ schema: { type: 'number', maximum: finite(value) } })),
  IsPositive: exact(() => ({ schema: { type: 'number', exclusiveMinimum: 0 } })),
  IsNegative: exact(() => ({ schema: { type: 'number', exclusiveMaximum: 0 } })),
  // Beyond 2^53 AJV's division rounds, so the constraint has the last word.
  IsDivisibleBy: approximate(([value]) => ({ schema: { type: 'number', multipleOf: count(value, 1) }, residual: true })),
  IsObject: exact(() => ({ schema: { type: 'object' } })),
  IsNotEmptyObject: approximate(([options]) => {
    const schema = { type: 'object', minProperties: 1 };
    return (options as { nullable?: boolean } | undefined)?.nullable === false ? { schema, residual: true } : { schema };
  }),
  IsArray: exact(() => ({ schema: { type: 'array' } })),
  ArrayNotEmpty: exact(() => ({ schema: { type: 'array', minItems: 1 } })),
  ArrayMinSize: exact(([size]) => ({ schema: { type: 'array', minItems: count(size) } })),
  ArrayMaxSize: exact(([size]) => ({ schema: { type: 'array', maxItems: count(size) } })),
  ArrayUnique: approximate((_args, accepts) => {
    const schema = { type: 'array', uniqueItems: true };
    // The identifier function is not stored; two objects that it cannot tell apart give it away.
    return accepts([{}, {}]) ? { schema } : { schema, residual: true };
  }),
  // In a list of lists AJV's `contains` forgets to look at an empty one, so `minItems` says it again.
  ArrayContains: exact(([values]) => {
    const allOf = primitives(values).map((value) => ({ contains: { const: value } }));
    return { schema: { type: 'array', minItems: 1, allOf } };
  }),
  ArrayNotContains: exact(([values]) => ({ schema: { type: 'array', items: { not: { enum: primitives(values) } } } })),
  IsDate: approximate(() => ({ schema: { type: 'string', format: 'date-time' }, residual: true })),
  MinDate: approximate(() => ({ schema: { type: 'string', format: 'date-time' }, residual: true })),
  MaxDate: approximate(() => ({ schema: { type: 'string', format: 'date-time' }, residual: true })),
  ...STRING_CONSTRAINTS,
};

/** Decorators about `Date` values; they stand on properties with `@Type(() => Date)`. */
export const DATE_CONSTRAINTS: ReadonlySet<string> = new Set(['IsDate', 'MinDate', 'MaxDate']);

function primitive(value: unknown): unknown {
  if (!isJsonPrimitive(value)) throw new Inexpressible('it compares with a value that is no JSON string, number, boolean or null');
  return value;
}

function primitives(values: unknown): unknown[] {
  if (!Array.isArray(values) || values.length === 0) throw new Inexpressible('it needs a list of at least one value');
  return [...new Set(values.map(primitive))];
}

function choice(values: readonly unknown[]): Fragment {
  const types = [...new Set(values.map(typeOf))];
  return { type: types.length === 1 ? types[0] : types, enum: values };
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

function finite(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Inexpressible('it needs a finite number');
  return value;
}

/** The values of an enum object, without the reverse names that TypeScript adds to numeric enums. */
function enumValues(entity: Record<string, unknown>): unknown[] {
  const isReverse = (key: string): boolean => {
    const name = entity[key];
    return String(Number(key)) === key && typeof name === 'string' && entity[name] === Number(key);
  };
  return Object.keys(entity)
    .filter((key) => !isReverse(key))
    .map((key) => entity[key]);
}
