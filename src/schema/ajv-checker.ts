import type { Options, ValidateFunction } from 'ajv';
import type Ajv2020 from 'ajv/dist/2020';
import type { JsonSchema } from '../contracts/schema-source';
import { errorTexts, type CheckerOptions } from './error-text';
import { explainedSchema } from './explained-schema';
import { isUnique } from './unique-items';

/** Says what is wrong with a value, in at most ten texts; `undefined` when it is right. */
export type Checker = (value: unknown) => readonly string[] | undefined;

/**
 * Checks values against a schema that passed `findSchemaFaults`. AJV is loaded and the schema compiled at the first call; a second
 * compilation that collects every error waits for the first refusal.
 */
export function lazyChecker(schema: JsonSchema, options: CheckerOptions): Checker {
  let accepts: ValidateFunction | undefined;
  let explain: ValidateFunction | undefined;
  return (value) => {
    accepts ??= compile(schema, VERDICT);
    if (accepts(value)) return undefined;
    explain ??= compile(explainedSchema(schema, options.notes), EXPLANATION);
    explain(value);
    return errorTexts(explain.errors ?? [], value, options);
  };
}

// Structure is checked at boot by findSchemaFaults, without the meta-schema, which takes AJV 50 ms to compile.
const COMMON: Options = {
  strict: false,
  strictNumbers: true,
  ownProperties: true,
  validateFormats: false,
  validateSchema: false,
  meta: false,
  addUsedSchema: false,
  logger: false,
};
const VERDICT: Options = { ...COMMON, messages: false };
const EXPLANATION: Options = { ...COMMON, allErrors: true, verbose: true };

/** Holds no schema between two compilations, so it carries nothing from one application to another. */
const shared = new Map<Options, Ajv2020>();

function compile(schema: JsonSchema, options: Options): ValidateFunction {
  // AJV remembers every "$id" it meets inside a schema: one instance each keeps equal ones of two tools apart.
  if (JSON.stringify(schema).includes('"$id"')) return createAjv(options).compile(schema);
  let ajv = shared.get(options);
  if (ajv === undefined) shared.set(options, (ajv = createAjv(options)));
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return validate;
}

function createAjv(options: Options): Ajv2020 {
  const { default: Ajv } = require('ajv/dist/2020') as { default: typeof Ajv2020 };
  const ajv = new Ajv(options);
  // AJV compares every two objects of an array; 10,000 of them would block the process for seconds.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    error: { message: 'must NOT have duplicate items' },
    validate: (unique: boolean, items: readonly unknown[]) => !unique || isUnique(items),
  });
  return ajv;
}
