import { runInNewContext } from 'node:vm';
import { isJson, isPlainObject, toJsonView } from '../../src/schema/json';
import { isUnique } from '../../src/schema/unique-items';

describe('plain objects', () => {
  test.each([{}, Object.create(null), JSON.parse('{"__proto__":1}'), runInNewContext('({ a: 1 })')])(
    '%p is one, also from another realm',
    (value) => {
      expect(isPlainObject(value)).toBe(true);
    },
  );

  test.each([null, undefined, [], 'x', 5, new Date(), new Map(), new (class {})(), Object.create({ inherited: 1 })])(
    '%p is none',
    (value) => {
      expect(isPlainObject(value)).toBe(false);
    },
  );
});

describe('the JSON view', () => {
  test('is the value itself when JSON would bring it back unchanged', () => {
    const value = { a: [1, 'x', null, { b: true }] };
    expect(toJsonView(value)).toBe(value);
  });

  test.each([
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [{ a: undefined, b: 1 }, { b: 1 }],
    [
      [undefined, NaN, -Infinity],
      [null, null, null],
    ],
    [{ toJSON: () => 1 }, 1],
    [
      new (class {
        a = 1;
      })(),
      { a: 1 },
    ],
    [new Map([[1, 2]]), {}],
    [undefined, undefined],
    [() => 1, undefined],
  ])('of %p is what a client reads', (value, view) => {
    expect(toJsonView(value)).toEqual(view);
  });

  test('cannot be taken of a circle, nor of a BigInt', () => {
    const circle: unknown[] = [];
    circle.push(circle, circle);
    expect(() => toJsonView(circle)).toThrow(TypeError);
    expect(() => toJsonView({ n: 1n })).toThrow(TypeError);
    expect(isJson(circle)).toBe(false);
  });
});

describe('unique items', () => {
  test.each([
    [[], true],
    [[1, '1', true, null, [1], { a: 1 }], true],
    [[1, 1], false],
    [
      [
        { a: 1, b: { c: 2, d: 3 } },
        { b: { d: 3, c: 2 }, a: 1 },
      ],
      false,
    ],
    [
      [
        [1, 2],
        [2, 1],
      ],
      true,
    ],
    [['{"a":1}', { a: 1 }], true],
    [[null, null], false],
  ])('%j: %p', (items, unique) => {
    expect(isUnique(items)).toBe(unique);
  });
});
