import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '../../src/contracts/limits';

/** The rows of the README's table of limits: the name, and the default as a number. */
function rows(): [string, number][] {
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
  const [, table = ''] = /\n## Limits\n([\s\S]+?)\n## /.exec(readme) ?? [];
  return [...table.matchAll(/^\| `(\w+)` \| ([\d,]+)( MiB)? \|/gm)].map(([, name = '', digits = '', unit]) => [
    name,
    Number(digits.replaceAll(',', '')) * (unit === undefined ? 1 : 1024 * 1024),
  ]);
}

test('the README lists every limit, with its default', () => {
  expect(Object.fromEntries(rows())).toEqual(DEFAULT_LIMITS);
});

test('the README lists no limit twice, and in no other order than the interface', () => {
  expect(rows().map(([name]) => name)).toEqual(Object.keys(DEFAULT_LIMITS));
});
