import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { titlesIn } from '../support/test-titles';
import { PROMISES, type SpecificationPromise } from './promises';

const tests = path.join(__dirname, '..');
const LINK = /^https:\/\/modelcontextprotocol\.io\/specification\/(2025-11-25|2026-07-28)\/[a-z][a-z/-]*[a-z](#[a-z]+(-[a-z]+)*)?$/;
const CITATION = /\[([a-z]+(?:\.[a-z]+(?:-[a-z]+)*)+)\]/g;
const ID = /^[a-z]+\.[a-z]+(-[a-z]+)*$/;

/** The ids that the titles of this source's tests cite. */
function citationsIn(source: string): string[] {
  return titlesIn(source).flatMap((title) => Array.from(title.matchAll(CITATION), ([, id = '']) => id));
}

/** What is wrong with the list, or with what cites it. */
function complaintsAbout(promises: readonly SpecificationPromise[], cited: ReadonlySet<string>): string[] {
  const ids = promises.map(({ id }) => id);
  return [
    ...ids.filter((id) => !ID.test(id)).map((id) => `${id}: not of the form area.behaviour`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id}: twice`),
    ...ids.filter((id) => !cited.has(id)).map((id) => `${id}: no test cites it`),
    ...[...cited].filter((id) => !ids.includes(id)).map((id) => `${id}: cited, and no promise`),
    ...promises.filter(({ says }) => !/^\S.*[^.]\.$/.test(says)).map(({ id }) => `${id}: says no sentence`),
    ...promises.filter(({ links }) => links.length === 0).map(({ id }) => `${id}: no link`),
    ...promises.flatMap(({ id, links }) => links.filter((link) => !LINK.test(link)).map((link) => `${id}: ${link} is no place there`)),
  ];
}

function citedByTests(): Set<string> {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  return new Set(files.flatMap((file) => citationsIn(readFileSync(path.join(tests, file), 'utf8'))));
}

test('every promise is cited by a test, every citation is of a promise, and every link leads into the specification', () => {
  expect(complaintsAbout(PROMISES, citedByTests())).toEqual([]);
});

describe('the gate can fail', () => {
  const good = {
    id: 'a.b',
    says: 'It holds.',
    links: ['https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools'],
  };
  const cited = new Set(['a.b']);

  test('a promise with a test, a sentence and a link passes', () => {
    expect(complaintsAbout([good], cited)).toEqual([]);
    expect(complaintsAbout([{ ...good, links: [good.links[0]?.split('#')[0] ?? ''] }], cited)).toEqual([]);
  });

  test.each<[string, readonly SpecificationPromise[], readonly string[]]>([
    ['a.b: no test cites it', [good], []],
    ['a.c: cited, and no promise', [good], ['a.b', 'a.c']],
    ['a.b: twice', [good, good], ['a.b']],
    ['a: not of the form area.behaviour', [{ ...good, id: 'a' }], ['a']],
    ['a.b: says no sentence', [{ ...good, says: '' }], ['a.b']],
    ['a.b: no link', [{ ...good, links: [] }], ['a.b']],
  ])('%s', (complaint, promises, ids) => {
    expect(complaintsAbout(promises, new Set(ids))).toEqual([complaint]);
  });

  test.each([
    'http://modelcontextprotocol.io/specification/2026-07-28/server/tools',
    'https://modelcontextprotocol.io.example/specification/2026-07-28/server/tools',
    'https://modelcontextprotocol.io/specification/draft/server/tools',
    'https://modelcontextprotocol.io/specification/2026-07-28/',
    'https://modelcontextprotocol.io/specification/2026-07-28/server/tools#Calling Tools',
    'https://modelcontextprotocol.io/specification/2026-07-28/server/tools#',
  ])('the link %s is refused', (link) => {
    expect(complaintsAbout([{ ...good, links: [link] }], cited)).toEqual([`a.b: ${link} is no place there`]);
  });

  test('titles cite, and nothing else does', () => {
    expect(
      citationsIn("test('one [a.b] [c.d-e]', f); test.each([1])(`two [f.g]`, f); describe('x', () => { test('three [h.i]', f); });"),
    ).toEqual(['a.b', 'c.d-e', 'f.g', 'h.i']);
    expect(
      citationsIn(
        "// test('[a.b]')\ntest.skip('[a.b]', f); test.todo('[a.b]'); describe('[a.b]', f); test('x', () => g('[a.b]')); other('[a.b]');",
      ),
    ).toEqual([]);
    expect(citationsIn("test('A7: [1, 2], [] and [x] are lists', f)")).toEqual([]);
  });
});
