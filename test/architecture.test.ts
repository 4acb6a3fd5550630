import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importsOf, readSources, violationsIn, type SourceText, type Violation } from './support/import-graph';
import { arrowsOf, design, renderTable } from './support/rooms';

const root = path.join(__dirname, '..');
const promised = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const dependencies = new Set(Object.keys({ ...promised.dependencies, ...promised.peerDependencies }));

describe('the source keeps to its rooms', () => {
  const sources = readSources(path.join(root, 'src'));

  test('there is a source to look at', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(20);
  });

  test('every import follows an arrow, every package stays in its rooms, no ring, no file or function is too long', () => {
    expect(violationsIn(sources, design, dependencies).map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
  });

  test.each(design.tables.map((rows, index) => [index, rows] as const))(
    'src/README.md shows room table %i as the code is held to it',
    (_, rows) => {
      expect(readFileSync(path.join(root, 'src/README.md'), 'utf8')).toContain(`\n\n${renderTable(rows)}\n\n`);
    },
  );

  test('no arrow of the tables points back up', () => {
    const arrows = arrowsOf(design);
    const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
      [...(arrows.get(from) ?? [])].some((next) => next === goal || (!seen.has(next) && reaches(next, goal, seen.add(next))));
    expect([...arrows.keys()].filter((room) => reaches(room, room))).toEqual([]);
  });
});

function rulesBrokenBy(...files: readonly (readonly [path: string, text: string])[]): Violation['rule'][] {
  const sources: SourceText[] = files.map(([file, text]) => ({ path: file, text }));
  return violationsIn(sources, design, dependencies).map(({ rule }) => rule);
}

describe('the rules can be broken', () => {
  const policy = ['policy/decide.ts', 'export const x = 1;'] as const;

  test('an import along an arrow breaks nothing', () => {
    expect(rulesBrokenBy(policy, ['transport/http.ts', "import { x } from '../policy/decide'; export const y = x;"])).toEqual([]);
  });

  test.each([
    ['import', "import { x } from '../transport/http';"],
    ['import type', "import type { x } from '../transport/http';"],
    ['a bare import', "import '../transport/http';"],
    ['export from', "export { x } from '../transport/http';"],
    ['export as', "export * as all from '../transport/http';"],
    ['require', "const { x } = require('../transport/http');"],
    ['require.resolve', "require.resolve('../transport/http');"],
    ['import = require', "import http = require('../transport/http');"],
    ['import()', "void import('../transport/http');"],
    ['an import type', "type X = import('../transport/http').X;"],
    ['the .js spelling', "import { x } from '../transport/http.js';"],
  ])('%s against an arrow is seen', (_, text) => {
    expect(rulesBrokenBy(['transport/http.ts', 'export const x = 1;'], ['policy/decide.ts', text])).toEqual(['arrow']);
  });

  test.each([
    ['contracts', "import { x } from '../errors/codes';", 'errors/codes.ts'],
    ['errors', "import { x } from '../contracts/type';", 'contracts/type.ts'],
  ])('%s imports nothing', (room, text, target) => {
    expect(rulesBrokenBy([target, 'export const x = 1;'], [`${room}/one.ts`, text])).toEqual(['arrow']);
  });

  test('a room may not import the root', () => {
    expect(rulesBrokenBy(['stdio.ts', 'export const x = 1;'], ['bootstrap/app.ts', "import '../stdio';"])).toEqual(['arrow']);
  });

  test('a folder that is no room is seen', () => {
    expect(rulesBrokenBy(['utils/strings.ts', 'export const x = 1;'])).toEqual(['room']);
  });

  test('a file at the root is seen, an entry point is not', () => {
    expect(rulesBrokenBy(['helper.ts', ''], ['index.ts', ''], ['stdio.ts', ''])).toEqual(['root file']);
  });

  test('a barrel inside a room is seen, a public one is not', () => {
    expect(rulesBrokenBy(['schema/index.ts', ''], ['testing/index.ts', ''])).toEqual(['barrel']);
  });

  test.each([
    "import { x } from '../testing';",
    "import { x } from '../testing/index';",
    "import { x } from '..';",
    "import { x } from '../index';",
  ])('importing a folder is seen: %s', (text) => {
    expect(rulesBrokenBy(['index.ts', ''], ['testing/index.ts', 'export const x = 1;'], ['bootstrap/app.ts', text])).toEqual(['barrel']);
  });

  test('export * is seen', () => {
    expect(rulesBrokenBy(policy, ['index.ts', "export * from './policy/decide';"])).toEqual(['barrel']);
  });

  test('a ring of files is seen, also one of types and also inside a room', () => {
    expect(
      rulesBrokenBy(
        ['policy/a.ts', "import type { b } from './b';"],
        ['policy/b.ts', "import { c } from './c';"],
        ['policy/c.ts', "import './a';"],
      ),
    ).toEqual(['cycle']);
    expect(rulesBrokenBy(['policy/a.ts', "import './a';"])).toEqual(['cycle']);
  });

  test.each([
    ['tsyringe', 'policy'],
    ['tsyringe/dist/typings/types', 'bootstrap'],
    ['class-validator', 'decorators'],
    ['class-transformer', 'container'],
    ['ajv/dist/2020', 'invocation'],
    ['@modelcontextprotocol/server', 'bootstrap'],
    ['@modelcontextprotocol/server/stdio', 'invocation'],
    ['lodash', 'schema'],
  ])('%s in %s is seen', (name, room) => {
    expect(rulesBrokenBy([`${room}/one.ts`, `import { x } from '${name}';`])).toEqual(['package']);
    expect(rulesBrokenBy([`${room}/one.ts`, `void import('${name}');`])).toEqual(['package']);
  });

  test.each([
    ["import type { Tool } from '@modelcontextprotocol/server';", []],
    ["import { type Tool } from '@modelcontextprotocol/server';", []],
    ["import { type Tool, serve } from '@modelcontextprotocol/server';", ['package']],
    ["import {} from '@modelcontextprotocol/server';", ['package']],
    ["import type { Container } from 'tsyringe';", ['package']],
    ["import { readFile } from 'node:fs/promises';", []],
  ])('in policy, %s breaks %j', (text, broken) => {
    expect(rulesBrokenBy(['policy/one.ts', text])).toEqual(broken);
  });

  test('a package in its own room breaks nothing', () => {
    expect(rulesBrokenBy(['schema/check.ts', "import Ajv from 'ajv/dist/2020'; import 'class-validator';"])).toEqual([]);
  });

  test('a computed import is seen', () => {
    expect(rulesBrokenBy(['policy/one.ts', "void import('jo' + 'se');"])).toEqual(['computed import']);
  });

  test('a file of 251 lines and a function of 41 are seen, 250 and 40 are not', () => {
    const lines = (count: number): string => '// line\n'.repeat(count);
    expect(rulesBrokenBy(['policy/a.ts', lines(250)])).toEqual([]);
    expect(rulesBrokenBy(['policy/a.ts', lines(251)])).toEqual(['file size']);
    expect(rulesBrokenBy(['policy/a.ts', `export function f() {\n${lines(38)}}`])).toEqual([]);
    expect(rulesBrokenBy(['policy/a.ts', `export function f() {\n${lines(39)}}`])).toEqual(['function size']);
    expect(rulesBrokenBy(['policy/a.ts', `export const f = () => {\n${lines(39)}};`])).toEqual(['function size']);
    expect(rulesBrokenBy(['policy/a.ts', `export class A {\nm() {\n${lines(39)}}\n}`])).toEqual(['function size']);
  });
});
