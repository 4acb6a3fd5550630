import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { titlesIn } from '../support/test-titles';

const tests = path.join(__dirname, '..');
const page = readFileSync(path.join(tests, '../docs/security.md'), 'utf8');

/** A row of the reliability list, a case or a statement of the page; a line of the parity list; a promise. */
const ID = String.raw`(?:parity )?[A-Z]\d{1,2}|[a-z]+\.[a-z]+(?:-[a-z]+)*`;
const CITATION = new RegExp(String.raw`\[((?:${ID})(?:, (?:${ID}))*)\]`, 'g');

/** The prose of a page as paragraphs and list items, without headings, code blocks and comments. */
function paragraphsOf(text: string): string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '').replace(/<!--[^]*?-->/g, '');
  const blocks = prose.split(/\n\s*\n|\n(?=- )/).map((block) => block.replace(/\s+/g, ' ').trim());
  return blocks.filter((block) => block !== '' && !block.startsWith('#'));
}

/** The sentences that stand alone, for want of a citation behind them. */
function uncitedIn(text: string): string[] {
  return paragraphsOf(text).flatMap((paragraph) => {
    const parts = paragraph
      .replace(/^- /, '')
      .split(CITATION)
      .filter((_, index) => index % 2 === 0);
    const rest = parts.pop()?.trim() ?? '';
    const several = parts.filter((part) => /[.!?]\s+\S/.test(part.replace(/`[^`]*`/g, '').trim()) || !/[.:]\s*$/.test(part));
    return [...several, ...(rest === '' ? [] : [rest])].map((each) => each.trim());
  });
}

function citedIn(text: string): string[] {
  return [...text.matchAll(CITATION)].flatMap(([, ids = '']) => ids.split(', '));
}

/** The ids that the titles of all tests carry. */
function idsOfTests(): ReadonlySet<string> {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  const titles = files.flatMap((file) => titlesIn(readFileSync(path.join(tests, file), 'utf8')));
  return new Set(titles.flatMap(idsOf));
}

function idsOf(title: string): string[] {
  // `parity B4, B5` names lines of the parity list, and `A1, A2` rows of the other.
  const parity = Array.from(title.matchAll(/parity ((?:[A-Z]\d{1,2}(?:, )?)+)/g), ([, ids = '']) => ids.split(', '));
  const rows = title.replace(/parity (?:[A-Z]\d{1,2}(?:, )?)+/g, '').match(/\b[A-Z]\d{1,2}\b/g) ?? [];
  const promises = Array.from(title.matchAll(/\[([a-z]+\.[a-z]+(?:-[a-z]+)*)\]/g), ([, id = '']) => id);
  return [...parity.flat().map((id) => `parity ${id}`), ...rows, ...promises];
}

test('every sentence of docs/security.md cites a test', () => {
  expect(uncitedIn(page)).toEqual([]);
  expect(citedIn(page).length).toBeGreaterThan(40);
});

test('every test that docs/security.md cites is there', () => {
  const there = idsOfTests();
  expect([...new Set(citedIn(page))].filter((id) => !there.has(id))).toEqual([]);
});

test('docs/security.md says plainly what it is not, and shows what is', () => {
  expect(page).toContain('This is not a sandbox');
  expect(page).toMatch(/^node --permission --allow-fs-read=/m);
  expect(page).toContain('--experimental-permission');
});

describe('the page is read as it is meant', () => {
  test.each<[string, string[]]>([
    ['It holds. [D1] It holds, `a. B` too. [D2, parity C3]', []],
    ['- It holds. [D1]\n- So does this: [a.b-c]', []],
    ['# A heading\n\n```ts\nconst a = 1;\n```\n\nIt holds. [D1]', []],
    ['It holds. And more. [D1]', ['It holds. And more.']],
    ['It holds. [D1] It does not.', ['It does not.']],
    ['It holds.', ['It holds.']],
    ['It holds [D1]', ['It holds']],
    ['It [links](a.md). [D1]', []],
  ])('%j', (text, uncited) => {
    expect(uncitedIn(text)).toEqual(uncited);
  });

  test('titles carry ids of three kinds', () => {
    expect(idsOf('E1, E2: a secret (parity B4, B5) [http.origin]')).toEqual(['parity B4', 'parity B5', 'E1', 'E2', 'http.origin']);
    expect(idsOf('a title without any')).toEqual([]);
  });
});
