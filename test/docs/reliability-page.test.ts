import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { titlesAndGroupsIn } from '../support/test-titles';

const tests = path.join(__dirname, '..');
const page = readFileSync(path.join(tests, '../docs/reliability.md'), 'utf8');

/** How many rows each family has. */
const FAMILIES = { A: 32, B: 22, C: 10, D: 34, E: 9, F: 20 };
const ROWS = Object.entries(FAMILIES).flatMap(([family, count]) => Array.from({ length: count }, (_, index) => `${family}${index + 1}`));

/** Where B with two digits names a case of the application, and no row. */
const CASES = [
  'cases/',
  'schema/',
  'decision/',
  'decorators/',
  'policy/',
  'container/request-scope',
  'e2e/principals',
  'e2e/request-scope',
];

interface PageRow {
  readonly id: string;
  readonly files: readonly string[];
}

function rowsOf(text: string): PageRow[] {
  const lines = text.matchAll(/^\| ([A-F]\d{1,2}) \| [^|]*\S[^|]* \| ([^|]*) \|$/gm);
  return Array.from(lines, ([, id = '', cell = '']) => ({ id, files: Array.from(cell.matchAll(/`([^`]+)`/g), ([, file = '']) => file) }));
}

/** The row ids at the head of a title. `parity B1` is a line of another list, and `B05` a case. */
function rowsIn(title: string, file: string): string[] {
  const [head = ''] = /^(?:[A-Z]\d{0,2}(?:, |: |:$))*/.exec(title) ?? [];
  const ids = head.match(/[A-F][1-9]\d?(?!\d)/g) ?? [];
  return CASES.some((place) => file.startsWith(place)) ? ids.filter((id) => !/^B\d\d$/.test(id)) : ids;
}

/** What is wrong with the page: rows that are missing or stand twice, and files that do not prove what they are named for. */
function complaintsAbout(rows: readonly PageRow[], titlesOf: (file: string) => readonly string[] | undefined): string[] {
  const ids = rows.map(({ id }) => id);
  return [
    ...ROWS.filter((id) => !ids.includes(id)).map((id) => `${id}: not on the page`),
    ...ids.filter((id, at) => !ROWS.includes(id) || ids.indexOf(id) !== at).map((id) => `${id}: no row, or there twice`),
    ...rows.filter(({ files }) => files.length === 0).map(({ id }) => `${id}: held by nothing`),
    ...rows.flatMap(({ id, files }) => files.flatMap((file) => complaintAbout(id, file, titlesOf(file)))),
  ];
}

function complaintAbout(id: string, file: string, titles: readonly string[] | undefined): string[] {
  if (titles === undefined) return [`${id}: there is no ${file}`];
  return titles.some((title) => rowsIn(title, file).includes(id)) ? [] : [`${id}: no title in ${file} begins with it`];
}

function titlesOf(file: string): string[] | undefined {
  const there = path.join(tests, file);
  return existsSync(there) ? titlesAndGroupsIn(readFileSync(there, 'utf8')) : undefined;
}

test('docs/reliability.md has all 127 rows, and each named test carries the id of its row', () => {
  expect(ROWS).toHaveLength(127);
  expect(complaintsAbout(rowsOf(page), titlesOf)).toEqual([]);
});

test('every check of npm run soak is on the page, with its full count', () => {
  const source = readFileSync(path.join(tests, 'soak/checks.mjs'), 'utf8');
  const checks = Array.from(source.matchAll(/\bname: '([\w-]+)'.* full: ([\d_]+)/g), ([, name = '', full = '']) => ({ name, full }));
  expect(checks.length).toBeGreaterThan(10);
  const missing = checks.filter(({ name, full }) => {
    const line = page.split('\n').find((each) => each.startsWith('|') && each.includes(`\`${name}\``)) ?? '';
    return !line.includes(full.replace('_', ','));
  });
  expect(missing).toEqual([]);
});

describe('the gate can fail', () => {
  const rows = ROWS.map((id) => ({ id, files: ['a.test.ts'] }));
  const all = ROWS.map((id) => `${id}: holds`);

  test('a page with every row and a title for each passes', () => {
    expect(complaintsAbout(rows, () => all)).toEqual([]);
  });

  test.each<[string, readonly PageRow[], readonly string[] | undefined]>([
    ['A1: not on the page', rows.slice(1), all],
    ['A1: no row, or there twice', [...rows, { id: 'A1', files: ['a.test.ts'] }], all],
    ['A33: no row, or there twice', [...rows, { id: 'A33', files: ['a.test.ts'] }], [...all, 'A33: holds']],
    ['A1: held by nothing', [{ id: 'A1', files: [] }, ...rows.slice(1)], all],
    ['A1: no title in a.test.ts begins with it', rows, all.slice(1)],
  ])('%s', (complaint, given, titles) => {
    expect(complaintsAbout(given, () => titles)).toEqual([complaint]);
  });

  test('a file that is not there is said to be so', () => {
    expect(complaintsAbout(rows, () => undefined)).toContain('F20: there is no a.test.ts');
  });

  test.each<[string, string, string[]]>([
    ['A4, A8: both', 'a.test.ts', ['A4', 'A8']],
    ['M10, A29: a row and a finding', 'a.test.ts', ['A29']],
    ['B14: F1: both', 'e2e/request-scope.test.ts', ['F1']],
    ['B1: a row', 'a.test.ts', ['B1']],
    ['parity B1: none', 'a.test.ts', []],
    ['B05: a case', 'a.test.ts', []],
    ['B10: a row', 'e2e/corpus/corpus.test.ts', ['B10']],
    ['B10: a case', 'schema/union.test.ts', []],
    ['B9: a row among cases', 'cases/results.test.ts', ['B9']],
    ['answers A1 and B2', 'a.test.ts', []],
    ['E9: %s', 'a.test.ts', ['E9']],
  ])('the title "%s" in %s carries %j', (title, file, ids) => {
    expect(rowsIn(title, file)).toEqual(ids);
  });
});
