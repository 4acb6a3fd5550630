import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const repository = path.join(__dirname, '../..');

export const packageJson = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));

/** Runs Node with these arguments and returns what it prints; throws with its error output when it fails. */
export function runNode(args: readonly string[], cwd = repository): string {
  return execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Packs the package as npm would publish it, built anew if it has to be. Returns the tarball's path. */
export function packPackage(folder: string): string {
  runNode(['scripts/build.mjs', '--dist-if-needed']);
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
  return path.join(folder, packed.filename);
}

/** A fresh folder under the system's own, with its links resolved. */
export function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'perch-pack-'));
}

/**
 * An empty project that has the packed package and, beside it, these packages. They are links to the copies of this repository, so
 * that nothing is downloaded; what perch-mcp depends on stands below it, where the project itself cannot reach it.
 */
export function scratchProject(tarball: string, packages: readonly string[]): string {
  const project = temporaryFolder();
  const unpacked = path.join(project, 'node_modules/perch-mcp');
  mkdirSync(unpacked, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  for (const name of Object.keys(packageJson.dependencies)) link(name, path.join(unpacked, 'node_modules'));
  for (const name of packages) link(name, path.join(project, 'node_modules'));
  return project;
}

/** The packages a consumer of every entry point installs, as far as this repository has them. */
export function peers(): string[] {
  return Object.keys(packageJson.peerDependencies).filter((name) => existsSync(path.join(repository, 'node_modules', name)));
}

function link(name: string, folder: string): void {
  const target = path.join(folder, name);
  mkdirSync(path.dirname(target), { recursive: true });
  symlinkSync(path.join(repository, 'node_modules', name), target, 'dir');
}
