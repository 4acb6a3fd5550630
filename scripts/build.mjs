// Builds dist. With --samples also the samples, with --if-needed both unless they are newer than their sources, with --dist-if-needed
// dist unless it is.
// Everything the compiler says goes to stderr: a server that is started by this script owns stdout.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const inRoot = (path) => join(root, path);

const DIST_SOURCES = ['src', 'tsconfig.json', 'package.json'];
const SAMPLE_SOURCES = ['samples', 'test/conformance/fixture', 'test/support/spec', 'tsconfig.json', 'tsconfig.samples.json'];
const SAMPLES_STAMP = '.build/samples.stamp';

/** Compiles src beside dist and then swaps the two, so that a failed build or a server that starts meanwhile sees no half of it. */
export function buildDist() {
  const fresh = `.dist-${process.pid}`;
  try {
    compile(['-p', 'tsconfig.json', '--outDir', fresh]);
    rmSync(inRoot('dist'), { recursive: true, force: true });
    renameSync(inRoot(fresh), inRoot('dist'));
  } finally {
    rmSync(inRoot(fresh), { recursive: true, force: true });
  }
}

/** Compiles the samples and the conformance fixture into .build, against dist: `perch-mcp` in them is this package by its own name. */
export function buildSamples() {
  rmSync(inRoot(SAMPLES_STAMP), { force: true });
  compile(['-p', 'tsconfig.samples.json']);
  mkdirSync(inRoot('.build'), { recursive: true });
  writeFileSync(inRoot(SAMPLES_STAMP), '');
}

/** Builds whatever of the two is missing or older than what it is made from. */
export function buildIfNeeded() {
  buildDistIfNeeded();
  if (isOlder(SAMPLES_STAMP, [...SAMPLE_SOURCES, 'dist/index.js'])) buildSamples();
}

function buildDistIfNeeded() {
  if (isOlder('dist/index.js', DIST_SOURCES)) buildDist();
}

function compile(args) {
  const { status } = spawnSync(process.execPath, [tsc, ...args], { cwd: root, stdio: ['ignore', process.stderr.fd, process.stderr.fd] });
  if (status !== 0) throw new Error(`tsc ${args.join(' ')} failed`);
}

function isOlder(output, sources) {
  if (!existsSync(inRoot(output))) return true;
  const built = statSync(inRoot(output)).mtimeMs;
  return sources.some((source) => newestUnder(inRoot(source)) > built);
}

/** The folders themselves count too: their time tells of a file that was deleted. */
function newestUnder(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestUnder(join(path, name))));
}

function main(flags) {
  if (flags.includes('--if-needed')) return buildIfNeeded();
  if (flags.includes('--dist-if-needed')) return buildDistIfNeeded();
  buildDist();
  if (flags.includes('--samples')) buildSamples();
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
