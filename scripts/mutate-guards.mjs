// npm run mutate: removes each check of test/mutations/checks.mjs in turn, in a copy of the sources, and demands that a test goes red.
//   npm run mutate                  all of them
//   npm run mutate -- scopes        those whose words hold "scopes"
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKS } from '../test/mutations/checks.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LONGEST_MS = 300_000;

const wanted = process.argv[2] ?? '';
const checks = CHECKS.filter(({ check }) => check.includes(wanted));
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'perch-mutations-')));

/** A copy that runs from sources: nothing is built, and types are not checked, since a removed check leaves names unused. */
function prepare() {
  for (const each of ['src', 'test', 'package.json', 'tsconfig.json', 'tsconfig.test.json'])
    cpSync(join(ROOT, each), join(copy, each), { recursive: true });
  symlinkSync(realpathSync(join(ROOT, 'node_modules')), join(copy, 'node_modules'));
  const config = {
    testEnvironment: 'node',
    testTimeout: 60_000,
    setupFiles: ['reflect-metadata'],
    moduleNameMapper: { '^perch-mcp$': '<rootDir>/src/index.ts', '^perch-mcp/testing$': '<rootDir>/src/testing/index.ts' },
    transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.test.json', diagnostics: false, isolatedModules: true }] },
  };
  writeFileSync(join(copy, 'jest.config.json'), JSON.stringify(config));
}

/** Resolves with true when every test passed. A run that hangs counts as one that failed. */
function pass(tests) {
  return new Promise((resolve) => {
    const args = ['node_modules/jest/bin/jest.js', '-c', 'jest.config.json', '--bail', '--maxWorkers=1', '--silent', ...new Set(tests)];
    const child = spawn(process.execPath, args, { cwd: copy, stdio: ['ignore', 'ignore', 'pipe'] });
    let told = '';
    child.stderr.on('data', (chunk) => (told += chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
    child.on('close', (code) => {
      clearTimeout(timer);
      // A red run that never came to a test would prove nothing.
      const ran = /^Tests: .*\d+ (failed|passed)/m.test(told);
      resolve({ isGreen: code === 0, ran, told });
    });
  });
}

/** Writes the source without the check, runs the tests, and puts it back. Resolves with what is wrong, if anything. */
async function remove({ file, from, to, tests }) {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const places = typeof from === 'string' ? source.split(from).length - 1 : [...source.matchAll(new RegExp(from, 'g'))].length;
  if (places !== 1) return `stands in ${file} ${String(places)} times, not once`;
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  const { isGreen, ran } = await pass(tests);
  writeFileSync(path, source);
  if (isGreen) return 'no test noticed';
  return ran ? undefined : 'no test came to run';
}

prepare();
let failures = 0;
try {
  const untouched = await pass(checks.flatMap(({ tests }) => tests));
  if (!untouched.isGreen) throw new Error(`The tests fail with every check in place:\n${untouched.told}`);
  for (const each of checks) {
    const problem = await remove(each);
    if (problem !== undefined) failures += 1;
    console.log(`${problem === undefined ? 'red  ' : 'GREEN'}  ${each.check}${problem === undefined ? '' : `: ${problem}`}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${String(checks.length - failures)} of ${String(checks.length)} removed checks were noticed`);
process.exitCode = failures === 0 && checks.length > 0 ? 0 : 1;
