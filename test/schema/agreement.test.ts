import Ajv2020 from 'ajv/dist/2020';
import { plainToInstance, Type as TypeDecorator } from 'class-transformer';
import { Allow, ArrayMaxSize, IsArray, IsOptional, validateSync, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import type { Type } from '../../src/contracts/type';
import { CONSTRAINTS } from '../../src/schema/constraint-table';
import { CASES, decoratorOf, type DecoratorCase } from './decorator-cases';
import { asDate, dtoOf, inputOf, problemsOf } from './dto';

/** Fixed, so that CI is stable; `FC_SEED=…` tries others. fast-check prints it, and the counterexample, on a failure. */
const SEED = Number(process.env['FC_SEED'] ?? 20_260_728);

interface Field {
  readonly decorators: readonly PropertyDecorator[];
  readonly values: readonly unknown[];
  /** True when the schema alone decides. */
  readonly isExact: boolean;
}

const ANY: readonly unknown[] = [
  ...[
    undefined,
    null,
    true,
    false,
    0,
    1,
    -1,
    3,
    1.5,
    2 ** 53,
    -(2 ** 53),
    1e308,
    Infinity,
    '',
    'a',
    'RED',
    '5',
    'true',
    'aXb',
    '😀',
    'x'.repeat(50),
  ],
  ...[[], ['a'], [1, 1], [[]], {}, { a: 1 }, { kind: 'a' }, { length: 2 }],
];

/** One decorator, perhaps with `@IsOptional`, for the value or for each element. */
function fieldOf(name: string, each: DecoratorCase): fc.Arbitrary<Field> {
  const { args = [] } = each;
  const dates = ['IsDate', 'MinDate', 'MaxDate'].includes(name);
  // Mostly right values: a class of several fields is refused when one of them is wrong.
  const own = [...Array.from({ length: 60 }, (_, index) => each.accepts[index % each.accepts.length]), ...each.refuses];
  return fc.record({ optional: fc.boolean(), list: fc.boolean() }).map(({ optional, list }) => {
    const isList = list && !dates;
    const decorators = [decoratorOf(name, args, isList)];
    if (dates) decorators.push(asDate, ...(name === 'IsDate' ? [] : [decoratorOf('IsDate', [])]));
    if (optional) decorators.push(IsOptional());
    const lists = own.map((one, index) => (index % 2 === 0 ? [one] : [one, each.accepts[0]]));
    const residual = CONSTRAINTS[name]!.express(args, () => args.length === 0).residual === true;
    return { decorators, values: [...(isList ? [...lists, [], own[0]] : own), ...ANY], isExact: !residual };
  });
}

const leaf: fc.Arbitrary<Field> = fc
  .constantFrom(...Object.entries(CASES).flatMap(([name, cases]) => cases.map((each) => [name, each] as const)))
  .chain(([name, each]) => fieldOf(name, each));

/** Two decorators on one property. */
const both: fc.Arbitrary<Field> = fc.tuple(leaf, leaf).map(([a, b]) => ({
  decorators: [...a.decorators, ...b.decorators],
  values: [...a.values, ...b.values],
  isExact: a.isExact && b.isExact,
}));

interface Subject {
  readonly dto: Type<object>;
  readonly value: fc.Arbitrary<object>;
  readonly isExact: boolean;
}

/** A class of one to four fields; the value has each, or leaves it out, or adds one that is unknown. */
function subjectOf(fields: readonly Field[], inner: Subject | undefined, each: boolean): Subject {
  const properties = Object.fromEntries(fields.map((field, index) => [`f${index}`, field.decorators]));
  const members = Object.fromEntries(fields.map((field, index) => [`f${index}`, fc.constantFrom(...field.values)] as const));
  const nested = inner && ValidateNested({ each });
  if (inner !== undefined && nested !== undefined) {
    properties['nested'] = [nested, TypeDecorator(() => inner.dto), ...(each ? [IsArray(), ArrayMaxSize(2)] : [])];
    const right = each ? fc.array(inner.value, { maxLength: 3 }) : inner.value;
    members['nested'] = fc.oneof(
      { weight: 5, arbitrary: right },
      { weight: 1, arbitrary: fc.constantFrom(null, [], {}, 'x', [null], [[]], undefined) },
    );
  }
  const known = fc.record(members, { requiredKeys: [] });
  const unknown = fc.record({ zz: fc.constant(1) });
  const all = fc.record(members);
  const value = fc.oneof(
    { weight: 6, arbitrary: all },
    { weight: 3, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(all, unknown).map(([a, b]) => ({ ...a, ...b })) },
  );
  return { dto: dtoOf(properties), value, isExact: fields.every((one) => one.isExact) && (inner?.isExact ?? true) };
}

const flat = fc.array(leaf, { minLength: 1, maxLength: 4 }).map((fields) => subjectOf(fields, undefined, false));
const subject = fc
  .record({ fields: fc.array(leaf, { maxLength: 2 }), inner: fc.option(flat, { nil: undefined }), each: fc.boolean() })
  .map(({ fields, inner, each }) =>
    subjectOf(fields.length === 0 && inner === undefined ? [{ decorators: [Allow()], values: ANY, isExact: true }] : fields, inner, each),
  );
const pair = subject.chain(({ dto, value, isExact }) => value.map((raw) => ({ dto, raw: structuredClone(raw), isExact })));

/** A plain AJV, as a client may have it; it also holds each published schema against the meta-schema. */
const independent = new Ajv2020({ strict: false, strictNumbers: true, validateFormats: false, addUsedSchema: false });

async function verdicts(
  dto: Type<object>,
  raw: object,
): Promise<{ schema: boolean; bind: boolean; strict: boolean; problems: readonly string[] }> {
  const compiled = inputOf(dto);
  const schema = independent.validate(compiled.schema, raw);
  independent.removeSchema(compiled.schema);
  const { problems = [] } = await compiled.binder.bind(raw);
  const strict = isAcceptedByClassValidator(dto, raw);
  return { schema, bind: problems.length === 0, strict, problems };
}

function isAcceptedByClassValidator(dto: Type<object>, raw: object): boolean {
  try {
    const instance = plainToInstance(dto, structuredClone(raw), { exposeDefaultValues: true });
    return validateSync(instance, { whitelist: true, forbidNonWhitelisted: true }).length === 0;
  } catch {
    // @IsNumber({ maxDecimalPlaces }) throws on 1e-7.
    return false;
  }
}

async function agree({ dto, raw, isExact }: { dto: Type<object>; raw: object; isExact: boolean }): Promise<boolean> {
  const { schema, bind, strict, problems } = await verdicts(dto, raw);
  if (isExact) expect({ raw, bind, problems }).toEqual({ raw, bind: schema, problems });
  if (bind) expect({ raw, schema, strict }).toEqual({ raw, schema: true, strict: true });
  expect(problems.length).toBeLessThanOrEqual(10);
  return bind;
}

describe('the published schema and the check applied are the same thing', () => {
  test('B18, F17: 600 generated pairs of class and value get one verdict from an independent AJV and from bind, and class-validator accepts all that bind accepts', async () => {
    const seen = { accepted: 0, refused: 0, exact: 0 };
    await fc.assert(
      fc.asyncProperty(pair, async (each) => {
        const accepted = await agree(each);
        seen[accepted ? 'accepted' : 'refused'] += 1;
        if (each.isExact) seen.exact += 1;
      }),
      { seed: SEED, numRuns: 600 },
    );
    // Otherwise the pairs prove little.
    expect(seen.accepted).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(100);
    expect(seen.exact).toBeGreaterThan(60);
  }, 120_000);

  test('F17: so do 200 pairs of a class with two decorators on one property, unless the boot refuses the class', async () => {
    let compared = 0;
    const subjects = both.map((field) => subjectOf([field], undefined, false));
    const pairs = subjects.chain(({ dto, value, isExact }) => value.map((raw) => ({ dto, raw: structuredClone(raw), isExact })));
    const agrees = async (each: Parameters<typeof agree>[0]): Promise<void> => {
      if (problemsOf(each.dto).length > 0) return;
      await agree(each);
      compared += 1;
    };
    await fc.assert(fc.asyncProperty(pairs, agrees), { seed: SEED, numRuns: 700 });
    expect(compared).toBeGreaterThan(200);
  }, 120_000);

  test.each(Object.keys(CASES))('F17: @%s alone agrees on 10 generated values', async (name) => {
    const fields = fc.constantFrom(...(CASES[name] ?? [])).chain((each) => fieldOf(name, each));
    const subjects = fields.map((field) => subjectOf([field], undefined, false));
    const pairs = subjects.chain(({ dto, value, isExact }) => value.map((raw) => ({ dto, raw: structuredClone(raw), isExact })));
    const agrees = async (each: Parameters<typeof agree>[0]): Promise<void> => {
      await agree(each);
    };
    await fc.assert(fc.asyncProperty(pairs, agrees), { seed: SEED, numRuns: 10 });
  });
});
