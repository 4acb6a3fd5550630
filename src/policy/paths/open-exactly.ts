import { closeSync, constants, openSync } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { joinSegments, segmentsOf } from './absolute-path';
import { realPathOf } from './real-path';

const { O_DIRECTORY, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Linux: a handle that names an entry and opens nothing, so that neither its rights nor its kind matter. */
export const O_PATH = 0o10000000;

/** macOS: refuses a link anywhere in the path, not only at its end. */
const O_NOFOLLOW_ANY = 0x20000000;

// Opening a pipe must not wait for its other end, and opening a terminal must not adopt it.
const CAREFULLY = (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0) | (O_NOFOLLOW ?? 0);

/**
 * Opens exactly this real path: a link anywhere on the way, put there since the path was decided, fails it before anything is opened,
 * created or changed. On systems other than Linux and macOS the place is looked at again after opening, which leaves a gap.
 */
export async function openExactly(realPath: string, flags: number): Promise<FileHandle> {
  if (process.platform === 'linux') return openBelowHandles(realPath, flags);
  if (process.platform === 'darwin') return open(realPath, flags | CAREFULLY | O_NOFOLLOW_ANY);
  return openAndLookAgain(realPath, flags);
}

/** Walks down from the root, each directory opened through the handle of the one before. */
async function openBelowHandles(realPath: string, flags: number): Promise<FileHandle> {
  const segments = segmentsOf(realPath);
  const name = segments.pop() ?? '.';
  let parent = openSync('/', O_PATH | O_DIRECTORY);
  try {
    for (const segment of segments) {
      const next = openSync(entryOf(parent, segment), O_PATH | O_DIRECTORY | O_NOFOLLOW);
      closeSync(parent);
      parent = next;
    }
    return await open(entryOf(parent, name), flags | CAREFULLY);
  } finally {
    closeSync(parent);
  }
}

function entryOf(directory: number, name: string): string {
  return `/proc/self/fd/${directory}/${name}`;
}

async function openAndLookAgain(realPath: string, flags: number): Promise<FileHandle> {
  const parent = path.dirname(realPath);
  if (realPathOf(parent) !== parent) throw refused();
  const handle = await open(realPath, flags | CAREFULLY);
  const [opened, there] = await Promise.all([handle.stat(), lstat(joinSegments(realPath, segmentsOf(realPath)))]);
  if (realPathOf(realPath) === realPath && opened.ino === there.ino && opened.dev === there.dev) return handle;
  await handle.close();
  throw refused();
}

function refused(): NodeJS.ErrnoException {
  return Object.assign(new Error('The place changed'), { code: 'ELOOP' });
}
