import path from 'node:path';
import { isPlainWindowsPath } from './windows-path';

const LONGEST_PATH = 4096;

// A lone surrogate reaches the disk as another character than the one that was asked about.
const NEVER_IN_A_PATH = /[\0\p{Surrogate}]/u;

const SEPARATORS = process.platform === 'win32' ? /[\\/]/ : /\//;

/** True for a string that names one place whatever the working directory is. */
export function isAbsolutePath(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LONGEST_PATH || NEVER_IN_A_PATH.test(value)) return false;
  return process.platform === 'win32' ? isPlainWindowsPath(value) : value.startsWith('/');
}

/** The names on the way from the root to a path, `..` among them. Empty names and `.` go nowhere and are left out. */
export function segmentsOf(absolutePath: string): string[] {
  const { root } = path.parse(absolutePath);
  return absolutePath
    .slice(root.length)
    .split(SEPARATORS)
    .filter((segment) => segment !== '' && segment !== '.');
}

/** The path that leads from the root of `absolutePath` over these names. */
export function joinSegments(absolutePath: string, segments: readonly string[]): string {
  return path.parse(absolutePath).root + segments.join(path.sep);
}

/** True for `root` itself and for what lies below it; both are normalised paths. */
export function isWithin(candidate: string, root: string): boolean {
  return candidate === root || candidate.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}
