import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { titlesIn } from '../support/test-titles';

const root = path.join(__dirname, '../..');
const page = readFileSync(path.join(root, 'docs/parity.md'), 'utf8');
const numbered = (letter: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${letter}${String(at + 1)}`);
const IDS = [...numbered('A', 14), ...numbered('B', 12), ...numbered('C', 17)];

const ROW = /^\| ([A-Z]\d+) \| ([^|]+) \| (.+) \|$/gm;

/** The rows of a table of ids: id and last cell. */
function rowsIn(text: string): readonly (readonly [id: string, api: string])[] {
  return [...text.matchAll(ROW)].map(([, id = '', , api = '']) => [id, api] as const);
}

/** The ids that the titles of this source's tests carry: `parity B5, B9: …`, or `… (parity C13)`. */
function idsIn(source: string): string[] {
  const lists = titlesIn(source).flatMap((title) => [...title.matchAll(/\bparity ([A-Z]\d+(?:, [A-Z]\d+)*)/g)]);
  return lists.flatMap(([, list = '']) => list.split(', '));
}

test('docs/parity.md has each row once, in order', () => {
  expect(rowsIn(page).map(([id]) => id)).toEqual(IDS);
});

const promised = path.join(root, '../shared/PARITY.md');
test('the list that was promised, where it is at hand, has no row that the page lacks', () => {
  const ids = existsSync(promised) ? [...readFileSync(promised, 'utf8').matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, id]) => id) : IDS;
  expect(ids).toEqual(IDS);
});

test('every row is held by a test with its id in the title', () => {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const held = new Set(files.flatMap((file) => idsIn(readFileSync(path.join(root, 'test', file), 'utf8'))));
  expect(IDS.filter((id) => !held.has(id))).toEqual([]);
  expect([...held].filter((id) => !IDS.includes(id))).toEqual([]);
});

test('every name on the page is one that the package exports, and every row has one', () => {
  const surface = readFileSync(path.join(root, 'test/package/surface.txt'), 'utf8');
  const names = new Set([...surface.matchAll(/^perch-mcp (?:type )?(\w+)$/gm)].map(([, name]) => name));
  const isName = (span: string): boolean => /^app\.\w/.test(span) || names.has(/^\w+/.exec(span)?.[0]);
  // Functions and classes; an option, a method of the protocol or a variable is told apart by its first letters.
  const unknown = [...page.matchAll(/`([^`]+)`/g)].flatMap(([, span = '']) =>
    /^(?:[A-Z][a-z]\w*|\w+\((?:app|tools|engine|error|\{ name)\b.*)/.test(span) && !isName(span) ? [span] : [],
  );
  expect(unknown).toEqual([]);
  expect(rowsIn(page).filter(([, api]) => ![...api.matchAll(/`([^`]+)`/g)].some(([, span = '']) => isName(span)))).toEqual([]);
});

test('titles carry ids, and nothing else does', () => {
  expect(idsIn("test('parity B5, B9: x', f); test.each([1])('F1, parity A3: x', f); test('a (parity C13)', f);")).toEqual([
    'B5',
    'B9',
    'A3',
    'C13',
  ]);
  expect(idsIn("// test('parity A1')\ntest.skip('parity A1', f); test('A1: x', f); test('x', () => g('parity A1'));")).toEqual([]);
});
