import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const ROOT = join(__dirname, '../..');
const TSX = createRequire(__filename).resolve('tsx/cli');

function program(parameter: string): string {
  return `
    import { Inject, Injectable, McpFactory, McpTool, Module } from 'perch-mcp';
    @Injectable()
    class Greeter { greet() { return 'hello'; } }
    @McpTool({ name: 'greet', description: 'Greets' })
    class GreetTool { constructor(${parameter}) {} execute() { return this.greeter.greet(); } }
    @Module({ providers: [Greeter, GreetTool] })
    class AppModule {}
    McpFactory.create(AppModule, { name: 'greeter', version: '1.0.0' }).then(
      async (app) => console.log(JSON.stringify(await app.tools.call('greet'))),
      (error) => { console.log(error.message); process.exitCode = 1; },
    );`;
}

const IMPLICIT = program('private readonly greeter: Greeter');
const EXPLICIT = program('@Inject(Greeter) private readonly greeter: Greeter');

let folder: string;

beforeAll(() => {
  // Inside the package, so that its own name resolves to it, as a dependency would.
  mkdirSync(join(ROOT, '.build'), { recursive: true });
  folder = mkdtempSync(join(ROOT, '.build/transpilers-'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } }),
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

function run(command: readonly string[]): { output: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  return { output: stdout + stderr, status };
}

function runText(name: string, javascript: string): { output: string; status: number | null } {
  writeFileSync(join(folder, name), javascript);
  return run([name]);
}

function withTsx(name: string, source: string): { output: string; status: number | null } {
  writeFileSync(join(folder, name), source);
  return run([TSX, name]);
}

function withSwc(source: string, decoratorMetadata: boolean): string {
  const transform = { legacyDecorator: true, decoratorMetadata };
  return transformSync(source, {
    jsc: { parser: { syntax: 'typescript', decorators: true }, transform, target: 'es2022' },
    module: { type: 'commonjs' },
  }).code;
}

function withTsc(source: string): string {
  return transpileModule(source, {
    compilerOptions: {
      module: ModuleKind.CommonJS,
      target: ScriptTarget.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  }).outputText;
}

const REFUSAL = /MCP_METADATA_MISSING: [\s\S]*GreetTool[\s\S]*emitDecoratorMetadata/;

test('B09: under tsx the boot is refused with the class, the parameter and the compiler option', () => {
  const { output, status } = withTsx('implicit.ts', IMPLICIT);
  expect(output).toMatch(REFUSAL);
  expect(output).toMatch(/parameter 0|index \[?0/);
  expect(output).toMatch(/tsx/);
  expect(status).toBe(1);
});

test('B09: under swc without decoratorMetadata the boot is refused in the same way', () => {
  const { output, status } = runText('swc-without.cjs', withSwc(IMPLICIT, false));
  expect(output).toMatch(REFUSAL);
  expect(status).toBe(1);
});

test('B09: under tsc, and swc with decoratorMetadata, the same program runs', () => {
  for (const [name, text] of [
    ['tsc.cjs', withTsc(IMPLICIT)],
    ['swc.cjs', withSwc(IMPLICIT, true)],
  ] as const) {
    expect([name, runText(name, text).output.trim()]).toEqual([name, '{"content":[{"type":"text","text":"hello"}]}']);
  }
});

test('B09: an explicit @Inject(token) runs under every one of them', () => {
  const outputs = [
    withTsx('explicit.ts', EXPLICIT),
    runText('explicit-swc.cjs', withSwc(EXPLICIT, false)),
    runText('explicit-tsc.cjs', withTsc(EXPLICIT)),
  ];
  for (const { output } of outputs) expect(output.trim()).toBe('{"content":[{"type":"text","text":"hello"}]}');
});
