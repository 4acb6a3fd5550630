import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import ts from 'typescript';
import { fencesOf, type Fence } from '../support/fences';
import { packageJson, packPackage, peers, repository, runNode, scratchProject, temporaryFolder } from '../support/scratch-project';

jest.setTimeout(180_000);

const entries = Object.keys(packageJson.exports)
  .filter((each) => each !== './package.json')
  .map((each) => path.posix.join('perch-mcp', each));

const folders: string[] = [];
let tarball = '';

beforeAll(() => {
  const folder = temporaryFolder();
  folders.push(folder);
  tarball = packPackage(folder);
});

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function project(packages: readonly string[]): string {
  const folder = scratchProject(tarball, packages);
  folders.push(folder);
  return folder;
}

/** Runs in the scratch project: what each entry point gives to `require` and to `import`, side by side. Answers in a file. */
const COMPARE = `
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import 'reflect-metadata';
const require = createRequire(import.meta.url);
const [answer, ...entries] = process.argv.slice(2);
const result = {};
for (const entry of entries) {
  const required = require(entry);
  const imported = await import(entry);
  const names = Object.keys(required);
  result[entry] = { names, different: names.filter((name) => !(name in imported) || imported[name] !== required[name]) };
}
writeFileSync(answer, JSON.stringify(result));
`;

describe('the packed package', () => {
  test('holds the build, its types and its papers, and nothing else', () => {
    const files: string[] = runTar(tarball).map((each) => each.replace('package/', ''));
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist/index.js', 'dist/index.d.ts']),
    );
    expect(
      files.filter(
        (each) => !/^(dist\/.+\.(js|d\.ts|js\.map)|package\.json|README\.md|LICENSE|CHANGELOG\.md|docs\/[a-z-]+\.(md|svg))$/.test(each),
      ),
    ).toEqual([]);
  });

  test('gives require and import one instance of everything, at every entry point', () => {
    const folder = project(peers());
    writeFileSync(path.join(folder, 'compare.mjs'), COMPARE);
    runNode(['compare.mjs', 'answer.json', ...entries], folder);
    const result: Record<string, { names: string[]; different: string[] }> = JSON.parse(
      readFileSync(path.join(folder, 'answer.json'), 'utf8'),
    );
    expect(Object.keys(result)).toEqual(entries);
    expect(Object.values(result).flatMap((each) => each.different)).toEqual([]);
    expect(result['perch-mcp']?.names).toEqual(
      expect.arrayContaining(['McpFactory', 'McpTool', 'McpContext', 'ToolError', 'McpSetupError']),
    );
  });

  test('serves the app of the README, compiled and run as the README says', async () => {
    const { app, tsconfig, runs, packages } = instructions(readFileSync(path.join(repository, 'README.md'), 'utf8'));
    const folder = project(packages.filter((name) => name !== 'perch-mcp'));
    writeFileSync(path.join(folder, 'package.json'), '{}');
    writeFileSync(path.join(folder, 'tsconfig.json'), tsconfig);
    const source = path.join(folder, sourceFolder(tsconfig), `${path.parse(runs).name}.ts`);
    mkdirSync(path.dirname(source), { recursive: true });
    writeFileSync(source, app);
    runNode([path.join(folder, 'node_modules/typescript/bin/tsc'), '-p', '.'], folder);
    const { answers, code } = await converse(path.join(folder, runs), folder);
    expect(answers).toEqual([
      expect.objectContaining({ id: 1, result: expect.objectContaining({ protocolVersion: '2025-11-25' }) }),
      expect.objectContaining({ id: 2, result: expect.objectContaining({ content: [{ type: 'text', text: 'Hello, Ada!' }] }) }),
    ]);
    expect(code).toBe(0);
  });
});

function runTar(file: string): string[] {
  const list = `require('node:child_process').execFileSync('tar', ['-tzf', process.argv[1]], { stdio: 'inherit' })`;
  return runNode(['-e', list, file]).trim().split('\n');
}

/** What the README tells a reader to type: the app, the tsconfig, the file to run, the packages to install. */
function instructions(page: string): { app: string; tsconfig: string; runs: string; packages: string[] } {
  const fences = fencesOf(page);
  const shell = fences.filter((each) => each.language === 'sh').flatMap((each) => each.text.split('\n'));
  const installs = shell.filter((line) => /^npm (i|install) .*\S/.test(line));
  const runs = shell.map((line) => /\btsc && node (\S+)/.exec(line)?.[1]).find((each) => each !== undefined);
  if (runs === undefined) throw new Error('The README has no line "tsc && node <file>"');
  return {
    app: only(fences, (each) => each.language === 'ts' && each.text.includes('McpFactory.create')).text,
    tsconfig: only(fences, (each) => each.language.startsWith('json') && each.text.includes('emitDecoratorMetadata')).text,
    runs,
    packages: installs
      .flatMap((line) => line.split(/\s+/).slice(2))
      .filter((word) => /^[@a-z]/.test(word))
      .map((word) => word.replace(/(?<=.)@.*$/, '')),
  };
}

function only(fences: readonly Fence[], claim: (fence: Fence) => boolean): Fence {
  const [first] = fences.filter(claim);
  if (first === undefined) throw new Error('The README lacks a block that this test types into a project');
  return first;
}

function sourceFolder(tsconfig: string): string {
  const { config } = ts.parseConfigFileTextToJson('tsconfig.json', tsconfig);
  return config.compilerOptions.rootDir ?? config.include?.[0] ?? '.';
}

/** Starts a stdio server, opens a session, calls `greet`, ends its input, and waits for its end. */
async function converse(file: string, cwd: string): Promise<{ answers: unknown[]; code: number | null }> {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PERCH|SOX)_/.test(name)));
  const child = spawn(process.execPath, [file], { cwd, env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const answers: unknown[] = [];
  const say = (message: object): boolean => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'scratch', version: '1.0.0' };
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  for await (const line of createInterface({ input: child.stdout })) {
    answers.push(JSON.parse(line));
    if (answers.length === 1) say({ method: 'notifications/initialized' });
    if (answers.length === 1) say({ id: 2, method: 'tools/call', params: { name: 'greet', arguments: { name: 'Ada' } } });
    if (answers.length === 2) child.stdin.end();
  }
  const [code] = await exited;
  return { answers, code };
}
