import { isRawJsonSchema, isStandardSchema, type JsonSchema, type SchemaSource, type StandardSchema } from '../contracts/schema-source';
import { isClass, isThenable } from '../contracts/type';
import { lazyChecker, type Checker } from './ajv-checker';
import { convertClass, type ConvertedClass } from './dto-converter';
import { noNotes } from './explained-schema';
import { limitProblem, type InputLimits } from './input-limits';
import { makeInstance } from './instance-plan';
import { isPlainObject } from './json';
import { notASchema } from './not-a-schema';
import { boundProblems, problemText } from './problem-text';
import { runChecks } from './residual-checks';
import { convertRaw } from './raw-schema';
import { SchemaReport, type SchemaOptions, type SchemaPlace, type SchemaProblems } from './schema-place';
import { convertStandard, issueTexts } from './standard-schema';

/** Turns what a caller sent into what a handler receives. */
export interface InputBinder {
  /** Missing arguments count as `{}`. Never changes what it is given. A promise only when a check is asynchronous. */
  bind(raw: unknown): BoundInput | Promise<BoundInput>;
}

/** The input, or at most ten texts such as `times must be <= 5`, under 4 kB together. */
export type BoundInput = { readonly value: unknown; readonly problems?: undefined } | { readonly problems: readonly string[] };

/** What is published, and what is applied. */
export interface CompiledInput {
  readonly schema: JsonSchema;
  readonly binder: InputBinder;
  readonly problems?: undefined;
}

/** Converts an `input` at boot. Throws nothing: what keeps it from being used comes back as problems. */
export function compileInput(source: SchemaSource | undefined, place: SchemaPlace, options: SchemaOptions): CompiledInput | SchemaProblems {
  if (source === undefined) return { schema: NO_ARGUMENTS, binder: binder(options, true, refuseArguments) };
  const report = new SchemaReport(place);
  if (isRawJsonSchema(source)) {
    const schema = convertRaw(source, report);
    return report.result ?? { schema, binder: binder(options, false, passing(lazyChecker(schema, SPOKEN))) };
  }
  if (isStandardSchema(source)) {
    const schema = convertStandard(source, place.role, report);
    return report.result ?? { schema: schema as JsonSchema, binder: binder(options, false, (value) => validateStandard(source, value)) };
  }
  return isClass(source) ? compileClass(convertClass(source, place, options), options) : notASchema(report);
}

const ROOT = 'arguments';
const SPOKEN = { root: ROOT, notes: noNotes() };
const NO_ARGUMENTS: JsonSchema = Object.freeze({ type: 'object', additionalProperties: false });

type Bind = (value: Record<string, unknown>) => BoundInput | Promise<BoundInput>;

function binder(limits: InputLimits, forbidKeys: boolean, bind: Bind): InputBinder {
  return {
    bind(raw = {}) {
      if (!isPlainObject(raw)) return { problems: [`${ROOT} must be object`] };
      const problem = limitProblem(raw, limits, forbidKeys);
      return problem === undefined ? bind(raw) : { problems: [`${ROOT}: ${problem}`] };
    },
  };
}

function refuseArguments(value: Record<string, unknown>): BoundInput {
  const keys = Object.keys(value);
  return keys.length === 0
    ? { value: {} }
    : { problems: boundProblems(keys.slice(0, 10).map((key) => problemText([key], 'is not allowed', ROOT))) };
}

function passing(check: Checker): Bind {
  return (value) => {
    const problems = check(value);
    return problems === undefined ? { value } : { problems };
  };
}

function validateStandard(source: StandardSchema, value: unknown): BoundInput | Promise<BoundInput> {
  const result = source['~standard'].validate(value);
  return isThenable(result) ? Promise.resolve(result).then(toBound) : toBound(result);
}

function toBound(result: Awaited<ReturnType<StandardSchema['~standard']['validate']>>): BoundInput {
  return result.issues === undefined ? { value: result.value } : { problems: issueTexts(result.issues, ROOT) };
}

function compileClass(converted: ConvertedClass | SchemaProblems, options: SchemaOptions): CompiledInput | SchemaProblems {
  if ('problems' in converted) return converted;
  const { schema, notes, plan, checks } = converted;
  const check = lazyChecker(schema, { root: ROOT, notes });
  const bind: Bind = (raw) => {
    const refused = check(raw);
    if (refused !== undefined) return { problems: refused };
    const value = makeInstance(plan, raw);
    if (checks === undefined) return { value };
    const settle = (texts: readonly string[]): BoundInput => (texts.length === 0 ? { value } : { problems: boundProblems(texts) });
    const texts = runChecks(checks, value);
    return texts instanceof Promise ? texts.then(settle) : settle(texts);
  };
  return { schema, binder: binder(options, true, bind) };
}
