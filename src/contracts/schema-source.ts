import type { Type } from './type';

/** A JSON Schema 2020-12 object, as published. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A problem that a Standard Schema reports. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** The result of a Standard Schema's `validate`. */
export type StandardResult<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: ReadonlyArray<StandardIssue> };

/**
 * A Standard Schema (https://standardschema.dev) that can also describe itself as JSON Schema, as zod 4 and arktype do.
 * valibot's become one through `toStandardJsonSchema` of `@valibot/to-json-schema`.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
      readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>;
    };
  };
}

const RAW = Symbol.for('perch-mcp:json-schema');

/** A raw JSON Schema, marked by {@link jsonSchema} with the type of the values it accepts. */
export interface RawJsonSchema<T = Record<string, unknown>> {
  readonly [RAW]: true;
  readonly schema: JsonSchema;
  /** Carries `T` for the compiler; never present at run time. */
  readonly '~type'?: T;
}

/** Uses a JSON Schema 2020-12 as it is, for `input` or `output`. Its root has `type: "object"`; AJV checks values against it. */
export function jsonSchema<T = Record<string, unknown>>(schema: Record<string, unknown>): RawJsonSchema<T> {
  return Object.freeze({ [RAW]: true as const, schema });
}

/** True for what {@link jsonSchema} made. */
export function isRawJsonSchema(value: unknown): value is RawJsonSchema {
  return typeof value === 'object' && value !== null && (value as RawJsonSchema)[RAW] === true;
}

/** True for an object or function that carries `~standard` with a `validate`. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as { '~standard'?: { validate?: unknown } })['~standard'];
  return typeof standard === 'object' && typeof standard.validate === 'function';
}

/** What `input` and `output` take: a class-validator DTO class, a Standard Schema, or `jsonSchema({...})`. */
export type SchemaSource = Type<object> | StandardSchema | RawJsonSchema;

/** The value a handler receives for an `input`; `{}` without one. */
export type InputOf<S> = [S] extends [undefined]
  ? object
  : S extends RawJsonSchema<infer T>
    ? T
    : S extends { readonly '~standard': { readonly types?: { readonly output: infer T } | undefined } }
      ? T
      : S extends abstract new (...args: never[]) => infer T
        ? T
        : object;

/** The value a handler may return for an `output`; anything without one. */
export type OutputOf<S> = [S] extends [undefined]
  ? unknown
  : S extends RawJsonSchema<infer T>
    ? T
    : S extends { readonly '~standard': { readonly types?: { readonly input: infer T } | undefined } }
      ? T
      : S extends abstract new (...args: never[]) => infer T
        ? T
        : unknown;
