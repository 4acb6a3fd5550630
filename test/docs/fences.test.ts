import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fencesOf, filledIn, regionOf, type Fence } from '../support/fences';

const root = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const docs = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.md'));
const pages = ['README.md', ...docs.map((each) => path.join('docs', each))];

/** What is wrong with a block: nothing for an exact copy, and for a block of prose that claims no source. */
function complaintsAbout(fence: Fence, readFile: (file: string) => string | undefined): string[] {
  const isCode = ['ts', 'typescript', 'mts', 'cts'].includes(fence.language);
  if (fence.source === undefined) return isCode ? [`line ${fence.line}: no <!-- region: file#name --> above the block`] : [];
  const { file, region } = fence.source;
  if (isCode && !/^(samples|test)\/.+\.ts$/.test(file)) return [`line ${fence.line}: ${file} is not compiled with the samples and tests`];
  const text = readFile(file);
  if (text === undefined) return [`line ${fence.line}: there is no ${file}`];
  return regionOf(text, region) === fence.text
    ? []
    : [`line ${fence.line}: differs from ${file}${region === undefined ? '' : `#${region}`}`];
}

function readIfThere(file: string): string | undefined {
  return existsSync(path.join(root, file)) ? read(file) : undefined;
}

// After a change of a sample, write the blocks anew: UPDATE_DOCS=1 npx jest test/docs/fences
if (process.env['UPDATE_DOCS'] === '1') for (const page of pages) writeFileSync(path.join(root, page), filledIn(read(page), read));

describe('the pages show code that is compiled', () => {
  test.each(pages)('every block of %s is an exact copy of its source', (page) => {
    expect(fencesOf(read(page)).flatMap((fence) => complaintsAbout(fence, readIfThere))).toEqual([]);
  });

  test('the README shows TypeScript', () => {
    expect(fencesOf(read('README.md')).filter((fence) => fence.language === 'ts')).not.toEqual([]);
  });
});

describe('the comparison can fail', () => {
  const source = [
    '// #region all',
    'class A {',
    '  // #region inner',
    '  x = 1;',
    '',
    '    y = 2;',
    '  // #endregion inner',
    '}',
    '// #endregion all',
    '',
  ].join('\n');
  const complaints = (...lines: string[]): string[] =>
    fencesOf(lines.join('\n')).flatMap((fence) => complaintsAbout(fence, (file) => (file === 'samples/a.ts' ? source : undefined)));
  const block = (reference: string, ...code: string[]): string[] => [`<!-- region: ${reference} -->`, '```ts', ...code, '```'];

  test('exact copies pass: a region dedented, an outer region without inner marks, a whole file', () => {
    expect(complaints(...block('samples/a.ts#inner', 'x = 1;', '', '  y = 2;'))).toEqual([]);
    expect(complaints(...block('samples/a.ts#all', 'class A {', '  x = 1;', '', '    y = 2;', '}'))).toEqual([]);
    expect(complaints(...block('samples/a.ts', 'class A {', '  x = 1;', '', '    y = 2;', '}'))).toEqual([]);
  });

  test('one changed character, one missing line or one line too many is named with its line', () => {
    expect(complaints('Text', '', ...block('samples/a.ts#inner', 'x = 2;', '', '  y = 2;'))).toEqual([
      'line 4: differs from samples/a.ts#inner',
    ]);
    expect(complaints(...block('samples/a.ts#inner', 'x = 1;', ''))).toEqual(['line 2: differs from samples/a.ts#inner']);
    expect(complaints(...block('samples/a.ts', 'class A {', '  x = 1;', '', '    y = 2;', '}', '}'))).toEqual([
      'line 2: differs from samples/a.ts',
    ]);
  });

  test('a TypeScript block without a source, or with one that is missing or not compiled, is refused', () => {
    expect(complaints('```ts', 'x', '```')).toEqual(['line 1: no <!-- region: file#name --> above the block']);
    expect(complaints('<!-- region: samples/a.ts#inner -->', '', '```ts', 'x', '```')).toHaveLength(1);
    expect(complaints(...block('samples/b.ts', 'x'))).toEqual(['line 2: there is no samples/b.ts']);
    expect(complaints(...block('docs/a.ts', 'x'))).toEqual(['line 2: docs/a.ts is not compiled with the samples and tests']);
  });

  test('other blocks may stand alone, and are compared when they name a source', () => {
    expect(complaints('```json', '{}', '```')).toEqual([]);
    expect(complaints('<!-- region: samples/a.ts#inner -->', '```json', '{}', '```')).toEqual(['line 2: differs from samples/a.ts#inner']);
  });

  test.each([
    ['missing', 'x'],
    ['never closed', '// #region r'],
    ['opened twice', '// #region r\n// #endregion r\n// #region r\n// #endregion r'],
    ['closed first', '// #endregion r\n// #region r'],
  ])('a region that is %s is an error', (_, text) => {
    expect(() => regionOf(text, 'r')).toThrow('There is not exactly one region "r"');
  });

  test('a page is filled in from its sources, block by block, and then has nothing to complain about', () => {
    const page = [
      ...block('samples/a.ts#inner', 'old', 'text'),
      '',
      '- item',
      '',
      ...block('samples/a.ts').map((line) => `  ${line}`),
      'end',
      '',
    ].join('\n');
    const filled = filledIn(page, () => source);
    expect(filled.split('\n').slice(2, 5)).toEqual(['x = 1;', '', '  y = 2;']);
    expect(complaints(filled)).toEqual([]);
    expect(filled.endsWith('  }\n  ```\nend\n')).toBe(true);
    expect(filledIn(filled, () => source)).toBe(filled);
  });

  test('a block that never closes is an error', () => {
    expect(() => fencesOf('```ts\nx')).toThrow('opens on line 1');
  });

  test('blocks inside longer fences and in lists are read as they are meant', () => {
    expect(
      fencesOf('````md\n```ts\nx\n```\n````\n\n1. one\n\n   ```sh\n   npm ci\n   ```').map(({ language, text }) => [language, text]),
    ).toEqual([
      ['md', '```ts\nx\n```\n'],
      ['sh', 'npm ci\n'],
    ]);
  });
});

/** The npm commands of the shell blocks, each as its words. */
function npmCommands(page: string): string[][] {
  const shell = fencesOf(page).filter((fence) => ['sh', 'bash', 'shell', 'console'].includes(fence.language));
  const commands = shell.flatMap((fence) => fence.text.split('\n')).flatMap((line) => line.replace(/#.*$/, '').split(/&&|\|\||[|;]/));
  return commands.flatMap((command) => {
    const words = command
      .replace(/^\s*\$\s/, '')
      .trim()
      .split(/\s+/)
      .filter((word) => !/^\w+=/.test(word));
    return words[0] === 'npm' ? [words.slice(1)] : [];
  });
}

function isKnown(words: readonly string[], scripts: Readonly<Record<string, string>>): boolean {
  const [command, ...rest] = words.filter((word) => !/^(-s|--silent)$/.test(word));
  if (command === 'start' || command === 'test') return command in scripts;
  if (command === 'run') return rest[0] !== undefined && rest[0] in scripts;
  return command === 'ci' || command === 'i' || command === 'install';
}

describe('the commands of the README', () => {
  const { scripts } = JSON.parse(read('package.json'));

  test('each npm command exists', () => {
    expect(npmCommands(read('README.md')).filter((words) => !isKnown(words, scripts))).toEqual([]);
  });

  test('a fresh clone serves with one line and is tested with another', () => {
    const lines = fencesOf(read('README.md')).flatMap((fence) => (fence.language === 'sh' ? fence.text.split('\n') : []));
    expect(lines.filter((line) => /^npm ci && npm (start|test)\b/.test(line))).toHaveLength(2);
  });

  test('a command that does not exist is found', () => {
    const page = [
      '```sh',
      '$ npm ci && PERCH_PORT=0 npm start # serves',
      'npm run nothing',
      'npm --silent test',
      'npm link',
      'npm run',
      '```',
    ].join('\n');
    const unknown = npmCommands(page).filter((words) => !isKnown(words, { start: '', test: '' }));
    expect(unknown).toEqual([['run', 'nothing'], ['link'], ['run']]);
  });
});
