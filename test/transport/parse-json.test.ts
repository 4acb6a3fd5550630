import fc from 'fast-check';
import { parseJson } from '../../src/transport/parse-json';

const PADDING = 'x'.repeat(64 * 1024);

/** How many lists stand in one another. */
function levelsOf(value: unknown): number {
  let levels = 0;
  for (let each = value; Array.isArray(each); each = each[0]) levels += 1;
  return levels;
}

test.each([1_000, 5_000, 1_000_000])('A11: of %i levels no more are built than the checks need to refuse them', (levels) => {
  const text = `{"deep":${'['.repeat(levels)}1${']'.repeat(levels)},"padding":"${PADDING}"}`;
  const { deep, padding } = parseJson(text, 64) as { readonly deep: unknown; readonly padding: string };
  expect(levelsOf(deep)).toBe(Math.min(levels, 2 * 64 + 1_000));
  expect(padding).toBe(PADDING);
});

test('what is not far too deep is read as JSON.parse reads it, whatever stands in its strings', () => {
  const strings = fc.array(fc.constantFrom('"', '\\', '[', '{', ']', '}', '[[[', 'x', '\u2028', '😀')).map((parts) => parts.join(''));
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      strings,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.dictionary(strings, tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify({ padding: PADDING, value });
      expect(JSON.stringify(parseJson(text, 64))).toBe(JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 300, seed: 20_261_130 },
  );
});

test.each(['[', '{"a":[', ']', '"', '[}'])('text that is no JSON stays none, also behind depths: %s', (wrong) => {
  expect(() => parseJson(`${'['.repeat(5_000)}${PADDING}${wrong}`, 64)).toThrow(SyntaxError);
});
