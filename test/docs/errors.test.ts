import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { McpSetupError, type SetupCode } from 'perch-mcp';
import { SETUP_CODES } from '../../src/errors/setup-codes';
import { EXAMPLES } from './error-examples';

interface Section {
  readonly code: string;
  readonly sentence: string;
  /** The text block that shows the error as an author meets it. */
  readonly example: string;
  readonly fix: string;
}

const PAGE = path.join(__dirname, '../../docs/errors.md');
const PARTS = /^\n(.+)\n\n```text\n([^]*?)```\n\n([^]*)$/;
const codes = Object.keys(SETUP_CODES) as SetupCode[];

function sectionsOf(page: string): Section[] {
  const [, ...parts] = page.split(/^## (?=MCP_)/m);
  return parts.map((part) => {
    const [code = '', ...rest] = part.split('\n');
    const [, sentence = '', example = '', fix = ''] = PARTS.exec(rest.join('\n')) ?? [];
    return { code, sentence, example, fix: fix.trim() };
  });
}

/** What an application says that is wrong in just this way; the port of the day reads 3000. */
async function exampleOf(code: SetupCode): Promise<string> {
  const error: unknown = await EXAMPLES[code]().catch((thrown: unknown) => thrown);
  if (!(error instanceof McpSetupError)) throw new Error(`The example of ${code} throws no McpSetupError`, { cause: error });
  return `${error.message.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:3000')}\n`;
}

beforeAll(async () => {
  // After a change of a message, write the examples anew: UPDATE_DOCS=1 npx jest test/docs/errors
  if (process.env['UPDATE_DOCS'] !== '1') return;
  let page = readFileSync(PAGE, 'utf8');
  for (const code of codes) {
    const example = await exampleOf(code);
    page = page.replace(new RegExp(`(?<=^## ${code}\n\n.+\n\n\`\`\`text\n)[^]*?(?=\`\`\`)`, 'm'), () => example);
  }
  writeFileSync(PAGE, page);
});

const sections = (): Section[] => sectionsOf(readFileSync(PAGE, 'utf8'));

test('docs/errors.md has a section for every setup code, and for nothing else', () => {
  expect(sections().map((each) => each.code)).toEqual(codes);
});

test.each(codes)('%s stands with its sentence, with what Perch really says, and with a way out', async (code) => {
  const section = sections().find((each) => each.code === code);
  const example = await exampleOf(code);
  expect(example).toMatch(new RegExp(`^${code}: .+\n  at .+\n\nPotential solutions:\n(- .+\n)+$`));
  expect(section).toEqual({ code, sentence: SETUP_CODES[code], example, fix: expect.stringMatching(/\S/) });
});

test('a section without its parts is read as one with empty parts', () => {
  expect(sectionsOf('# Errors\n\n## MCP_ONE\n\nNo example.\n')).toEqual([{ code: 'MCP_ONE', sentence: '', example: '', fix: '' }]);
});

test('a whole section is read in its parts', () => {
  const [only] = sectionsOf('# Errors\n\n## MCP_ONE\n\nWhat.\n\n```text\nMCP_ONE: `it`\n```\n\nDo this.\n\nOr that.\n');
  expect(only).toEqual({ code: 'MCP_ONE', sentence: 'What.', example: 'MCP_ONE: `it`\n', fix: 'Do this.\n\nOr that.' });
});
