import * as classValidator from 'class-validator';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CONSTRAINTS } from '../../src/schema/constraint-table';
import { asDate, dtoOf, inputOf } from './dto';
import { CASES, decoratorOf, type DecoratorCase } from './decorator-cases';

const DATES = ['IsDate', 'MinDate', 'MaxDate'];
const SPECIAL = ['Allow', 'IsOptional', 'ValidateIf', 'ValidateNested', 'ValidatePromise', 'Validate', 'IsInstance'];
const NO_DECORATORS = ['ValidateBy', 'ValidatorConstraint', 'ValidationError', 'ValidationTypes', 'Validator', 'MetadataStorage'];

/** A property of type `Date` needs `@Type`, and `@IsDate` beside the bounds. */
function decorate(name: string, { args = [] }: DecoratorCase): PropertyDecorator[] {
  const own = decoratorOf(name, args);
  if (name === 'MinDate' || name === 'MaxDate') return [own, decoratorOf('IsDate', []), asDate];
  return name === 'IsDate' ? [own, asDate] : [own];
}

const rows = Object.entries(CASES).flatMap(([name, cases]) => cases.map((each, index) => [`@${name} (${index + 1})`, name, each] as const));

describe('every decorator accepts and refuses as class-validator does', () => {
  test.each(rows)('%s', async (_title, name, each) => {
    const { binder } = inputOf(dtoOf({ field: decorate(name, each) }));
    for (const field of each.accepts) expect([field, (await binder.bind({ field })).problems]).toEqual([field, undefined]);
    for (const field of each.refuses) {
      const { problems = [] } = await binder.bind({ field });
      expect([field, problems.length]).not.toEqual([field, 0]);
      for (const problem of problems) expect(problem).toContain('field');
    }
  });

  test.each(rows.filter(([, name]) => !DATES.includes(name)))(
    '%s with each: true, on every element of a list',
    async (_title, name, each) => {
      const dto = dtoOf({ field: [decoratorOf(name, each.args ?? [], true)] });
      const { binder, schema } = inputOf(dto);
      expect(schema).toMatchObject({ properties: { field: { type: 'array' } } });
      expect((await binder.bind({ field: each.accepts })).problems).toBeUndefined();
      for (const wrong of each.refuses) expect((await binder.bind({ field: [each.accepts[0], wrong] })).problems).toHaveLength(1);
    },
  );
});

describe('the table', () => {
  test('knows every decorator that class-validator exports', () => {
    const exported = Object.keys(classValidator).filter(
      (each) => /^[A-Z]/.test(each) && typeof (classValidator as never)[each] === 'function',
    );
    expect(Object.keys(CONSTRAINTS).sort()).toEqual(exported.filter((each) => ![...SPECIAL, ...NO_DECORATORS].includes(each)).sort());
  });

  test('has a case for every decorator', () => {
    expect(Object.keys(CASES).sort()).toEqual(Object.keys(CONSTRAINTS).sort());
  });

  test('is the one in docs/schema.md, with the same exactness', () => {
    const page = readFileSync(path.join(__dirname, '../../docs/schema.md'), 'utf8');
    const documented = [...page.matchAll(/^\| (exact|approximate|residual) \| (.*?) \|/gm)].flatMap(([, exactness, names]) =>
      [...(names ?? '').matchAll(/`@(\w+)`/g)].map(([, name]) => `${name} ${exactness}`),
    );
    expect(documented.sort()).toEqual(
      Object.entries(CONSTRAINTS)
        .map(([name, { exactness }]) => `${name} ${exactness}`)
        .sort(),
    );
  });

  test.each(Object.entries(CONSTRAINTS).filter(([, row]) => row.exactness === 'exact'))(
    '@%s, which is exact, leaves nothing to the constraint',
    (name, row) => {
      for (const { args = [] } of CASES[name] ?? []) expect(row.express(args, () => true).residual).toBeUndefined();
    },
  );

  test.each(Object.entries(CONSTRAINTS).filter(([, row]) => row.exactness === 'residual'))(
    '@%s, which is residual, always asks the constraint',
    (name, row) => {
      for (const { args = [] } of CASES[name] ?? []) expect(row.express(args, () => true).residual).toBe(true);
    },
  );
});
