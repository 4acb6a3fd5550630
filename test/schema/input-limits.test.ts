import * as cv from 'class-validator';
import { z } from 'zod';
import { jsonSchema } from '../../src/contracts/schema-source';
import { compileInput } from '../../src/schema/input-schema';
import { OPTIONS, refusals } from './dto';

class Free {
  @cv.IsOptional() @cv.Allow() v?: unknown;
}

/** Every kind of input keeps the limits. */
const SOURCES = [
  ['a class', Free],
  ['a Standard Schema', z.looseObject({})],
  ['a raw schema', jsonSchema({ type: 'object' })],
] as const;

/** Arguments of so many levels, the arguments object being the first. */
function nested(levels: number): object {
  let value: unknown = 1;
  for (let level = 1; level < levels; level++) value = level % 2 === 0 ? { v: value } : [value];
  return { v: value };
}

/** The best of three runs leaves out what else the machine does. */
function timed<T>(run: () => T): { result: T; milliseconds: number } {
  const runs = [1, 2, 3].map(() => {
    const start = performance.now();
    const result = run();
    return { result, milliseconds: performance.now() - start };
  });
  return runs.reduce((best, each) => (each.milliseconds < best.milliseconds ? each : best));
}

describe.each(SOURCES)('the limits of %s', (_title, source) => {
  test('A11: 64 levels are accepted, 65 are not', () => {
    expect(refusals(source, nested(64))).toEqual([]);
    expect(refusals(source, nested(65))).toEqual(['arguments: nested deeper than 64 levels']);
  });

  test.each([5_000, 1_000_000])('A11: %d levels are refused at once, without recursion', (levels) => {
    const raw = nested(levels);
    refusals(source, {});
    const { result, milliseconds } = timed(() => refusals(source, raw));
    expect(result).toEqual(['arguments: nested deeper than 64 levels']);
    expect(milliseconds).toBeLessThan(200);
  });

  test('A24: 10,000 elements are accepted, one more is not, counted over all levels', () => {
    expect(refusals(source, { v: Array(9_999).fill(1) })).toEqual([]);
    expect(refusals(source, { v: Array(10_000).fill(1) })).toEqual(['arguments: too many elements: more than 10000']);
    const lists = Array.from({ length: 100 }, () => Array(99).fill(1) as number[]);
    expect(refusals(source, { v: lists.slice(1) })).toEqual([]);
    expect(refusals(source, { v: [...lists, [1]] })).toHaveLength(1);
  });

  test.each([
    ['elements of a list', { v: Array(1_000_000).fill(1) }],
    ['lists in a list', { v: Array(1_000_000).fill([]) }],
  ])('A24: 1,000,000 %s are refused at once, in one short text', (_kind, raw) => {
    const { result, milliseconds } = timed(() => refusals(source, raw));
    expect(result).toEqual(['arguments: too many elements: more than 10000']);
    expect(milliseconds).toBeLessThan(200);
  });

  test('a value that contains itself is refused', () => {
    const raw: Record<string, unknown> = {};
    raw.v = [raw];
    expect(refusals(source, raw)).toEqual(['arguments: nested deeper than 64 levels']);
  });
});

test('A24: as many members as 4 MiB can hold are refused in the time that V8 takes to collect their names', () => {
  const hold = (letter: string): object =>
    JSON.parse(`{${Array.from({ length: 400_000 }, (_, index) => `"${letter}${index.toString(36)}":1`).join()}}`);
  const others = hold('a');
  const names = timed(() => {
    for (const first in others) return first;
    return undefined;
  });
  const raw = hold('b');
  const { result, milliseconds } = timed(() => refusals(Free, raw));
  expect(result).toEqual(['arguments: too many elements: more than 10000']);
  expect(milliseconds).toBeLessThan(3 * names.milliseconds + 100);
});

test('the limits are options', () => {
  const compiled = compileInput(Free, { owner: 'Tool', role: 'input' }, { ...OPTIONS, maxDepth: 2, maxElements: 3 });
  if (compiled.problems !== undefined) throw new Error();
  expect(compiled.binder.bind({ v: [1, 2] })).toHaveProperty('value');
  expect(compiled.binder.bind({ v: [1, 2, 3] })).toEqual({ problems: ['arguments: too many elements: more than 3'] });
  expect(compiled.binder.bind({ v: [[]] })).toEqual({ problems: ['arguments: nested deeper than 2 levels'] });
});

test('the limits come before anything else looks at the value', () => {
  const validate = jest.fn();
  const standard = {
    version: 1 as const,
    vendor: 'spy',
    validate,
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  };
  expect(refusals({ '~standard': standard }, nested(65))).toHaveLength(1);
  expect(validate).not.toHaveBeenCalled();
});

test('A24: 10,000 wrong elements give ten short texts, soon', () => {
  class Numbers {
    @cv.IsInt({ each: true }) @cv.ArrayUnique() list!: number[];
  }
  refusals(Numbers, { list: ['x'] });
  const { result, milliseconds } = timed(() =>
    refusals(Numbers, { list: Array.from({ length: 9_900 }, (_, index) => ({ index })).slice(0, 4_900) }),
  );
  expect(result).toHaveLength(10);
  expect(result.join('\n').length).toBeLessThan(4_096);
  expect(milliseconds).toBeLessThan(500);
});

test('thousands of different objects in a list of unique items take no longer than their number', () => {
  const source = jsonSchema({ type: 'object', properties: { list: { uniqueItems: true } } });
  refusals(source, { list: [] });
  const list = Array.from({ length: 3_000 }, (_, index) => ({ a: 1, index }));
  const { result, milliseconds } = timed(() => refusals(source, { list }));
  expect(result).toEqual([]);
  expect(milliseconds).toBeLessThan(200);
  expect(refusals(source, { list: [...list, { index: 7, a: 1 }] })).toEqual(['list must NOT have duplicate items']);
});
