import fc from 'fast-check';
import { LineSplitter, type Line } from '../../src/transport/line-splitter';

function split(splitter: LineSplitter, ...chunks: (string | Buffer)[]): Line[] {
  return chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk as string)));
}

test('A10: however the bytes are cut, the lines are the same', () => {
  const lines = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\n\r\uFEFF]/.test(text) && text.trim() !== ''));
  fc.assert(
    fc.property(lines, fc.array(fc.nat({ max: 40 })), (texts, cuts) => {
      const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
      const splitter = new LineSplitter(1_000_000);
      const found: Line[] = [];
      let from = 0;
      for (const cut of cuts) {
        found.push(...splitter.push(bytes.subarray(from, from + cut)));
        from += cut;
      }
      found.push(...splitter.push(bytes.subarray(from)));
      expect(found).toEqual(texts.map((text) => ({ text })));
    }),
    { numRuns: 200, seed: 11 },
  );
});

test('A2: a byte order mark is dropped from the first line only, blank lines are dropped everywhere', () => {
  expect(split(new LineSplitter(100), '\uFEFFa\n\n  \n\r\n\uFEFFb\n')).toEqual([{ text: 'a' }, { text: '\uFEFFb' }]);
});

test('A23: a line over the limit is reported once, when the limit is passed, and the next line is read', () => {
  const splitter = new LineSplitter(4);
  expect(split(splitter, 'abcd\n')).toEqual([{ text: 'abcd' }]);
  expect(split(splitter, 'abcde')).toEqual([{ fault: 'too-long' }]);
  expect(split(splitter, 'f'.repeat(1_000), '\nok\n')).toEqual([{ text: 'ok' }]);
});

test('A9: overlong and invalid UTF-8 is a fault, and the next line is read', () => {
  const splitter = new LineSplitter(100);
  expect(split(splitter, Buffer.from([0xc0, 0xaf, 0x0a]), Buffer.from([0xff, 0x0a]), 'ok\n')).toEqual([
    { fault: 'not-utf8' },
    { fault: 'not-utf8' },
    { text: 'ok' },
  ]);
});

test('the last line counts without a newline, once', () => {
  const splitter = new LineSplitter(100);
  expect(split(splitter, 'half')).toEqual([]);
  expect([splitter.end(), splitter.end()]).toEqual([[{ text: 'half' }], []]);
});
