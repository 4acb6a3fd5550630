import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SETUP_CODES } from '../../src/errors/setup-codes';

interface Section {
  readonly code: string;
  readonly sentence: string;
  /** The text block that shows the error as an author meets it. */
  readonly example: string;
  readonly fix: string;
}

function sectionsOf(page: string): Section[] {
  const [, ...parts] = page.split(/^## (?=MCP_)/m);
  return parts.map((part) => {
    const [code = '', ...rest] = part.split('\n');
    const body = rest.join('\n');
    const [, sentence = '', example = '', fix = ''] = /^\n(.+)\n\n```text\n([^`]*)```\n\n([^]*)$/.exec(body) ?? [];
    return { code, sentence, example, fix: fix.trim() };
  });
}

const page = readFileSync(path.join(__dirname, '../../docs/errors.md'), 'utf8');
const sections = sectionsOf(page);

test('docs/errors.md has a section for every setup code, and for nothing else', () => {
  expect(sections.map((each) => each.code).sort()).toEqual(Object.keys(SETUP_CODES).sort());
});

test.each(sections)('$code stands with its sentence, an example message and a way out', ({ code, sentence, example, fix }) => {
  expect(sentence).toBe(SETUP_CODES[code as keyof typeof SETUP_CODES]);
  expect(example).toMatch(new RegExp(`^${code}: .+\n  at .+\n\nPotential solutions:\n(- .+\n)+$`));
  expect(fix).not.toBe('');
});

test('a section without its parts is read as one with empty parts', () => {
  expect(sectionsOf('# Errors\n\n## MCP_ONE\n\nNo example.\n')).toEqual([{ code: 'MCP_ONE', sentence: '', example: '', fix: '' }]);
});

test('a whole section is read in its parts', () => {
  const [only] = sectionsOf('# Errors\n\n## MCP_ONE\n\nWhat.\n\n```text\nMCP_ONE: it\n```\n\nDo this.\n\nOr that.\n');
  expect(only).toEqual({ code: 'MCP_ONE', sentence: 'What.', example: 'MCP_ONE: it\n', fix: 'Do this.\n\nOr that.' });
});
