import { isRawJsonSchema, isStandardSchema, type JsonSchema, type SchemaSource, type StandardSchema } from '../contracts/schema-source';
import { isClass, isThenable } from '../contracts/type';
import { lazyChecker, type Checker } from './ajv-checker';
import { convertClass } from './dto-converter';
import { noNotes } from './explained-schema';
import { toJsonView } from './json';
import { notASchema } from './not-a-schema';
import { convertRaw } from './raw-schema';
import { SchemaReport, type SchemaOptions, type SchemaPlace, type SchemaProblems } from './schema-place';
import { convertStandard, issueTexts } from './standard-schema';

/** Checks what a handler returned, as a client would read it. */
export interface OutputChecker {
  /** A promise only when the schema's own validation is asynchronous. */
  check(result: unknown): CheckedOutput | Promise<CheckedOutput>;
}

/** The result as plain JSON, ready for `structuredContent`, or at most ten texts. */
export type CheckedOutput = { readonly value: unknown; readonly problems?: undefined } | { readonly problems: readonly string[] };

/** What is published, and what is applied. */
export interface CompiledOutput {
  readonly schema: JsonSchema;
  readonly checker: OutputChecker;
  readonly problems?: undefined;
}

/** Converts an `output` at boot. Throws nothing: what keeps it from being used comes back as problems. */
export function compileOutput(source: SchemaSource, place: SchemaPlace, options: SchemaOptions): CompiledOutput | SchemaProblems {
  const report = new SchemaReport(place);
  if (isRawJsonSchema(source)) {
    const schema = convertRaw(source, report);
    return report.result ?? { schema, checker: checkerOf(lazyChecker(schema, { root: ROOT, notes: noNotes() })) };
  }
  if (isStandardSchema(source)) {
    const schema = convertStandard(source, place.role, report);
    return report.result ?? { schema: schema as JsonSchema, checker: standardChecker(source) };
  }
  if (!isClass(source)) return notASchema(report);
  const converted = convertClass(source, place, options);
  if ('problems' in converted) return converted;
  const { schema, notes } = converted;
  return { schema, checker: checkerOf(lazyChecker(schema, { root: ROOT, notes })) };
}

const ROOT = 'result';

type View = { readonly view: unknown } | { readonly problems: readonly string[] };

function viewOf(result: unknown): View {
  try {
    return { view: toJsonView(result) };
  } catch {
    return { problems: [`${ROOT} cannot be written as JSON`] };
  }
}

function checkerOf(check: Checker): OutputChecker {
  return {
    check(result) {
      const seen = viewOf(result);
      if ('problems' in seen) return seen;
      const problems = check(seen.view);
      return problems === undefined ? { value: seen.view } : { problems };
    },
  };
}

function standardChecker(source: StandardSchema): OutputChecker {
  const settle = (result: Awaited<ReturnType<StandardSchema['~standard']['validate']>>): CheckedOutput => {
    if (result.issues !== undefined) return { problems: issueTexts(result.issues, ROOT) };
    // The schema may have transformed the value, and clients read JSON.
    const seen = viewOf(result.value);
    return 'problems' in seen ? seen : { value: seen.view };
  };
  return {
    check(result) {
      const seen = viewOf(result);
      if ('problems' in seen) return seen;
      const validated = source['~standard'].validate(seen.view);
      return isThenable(validated) ? Promise.resolve(validated).then(settle) : settle(validated);
    },
  };
}
