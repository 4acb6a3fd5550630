import { chmodSync, lstatSync, mkdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { socketRefusal } from './socket-refusal';

/** What the address of a socket can hold, without the zero that ends it: longer ones are cut off in silence by the system. */
export const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

const WRITABLE_BY_OTHERS = 0o022;
const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;
const ROOT = 0;

/** Where a socket is to stand. */
export interface SocketPlace {
  /** The path as it was asked for, from the root on. */
  readonly path: string;
  /** Its directory without links on the way; everything is decided and done there. */
  readonly directory: string;
  /** The socket in that directory. */
  readonly file: string;
}

/**
 * Finds the place for a socket, and creates its directory if only that is missing. Throws where the path cannot be one, or where somebody
 * else could put another socket in its place.
 */
export function socketPlace(asked: string): SocketPlace {
  const path = checkedPath(asked);
  const directory = realDirectory(path);
  const file = join(directory, basename(path));
  checkLength(file);
  checkDirectory(path, directory);
  return { path, directory, file };
}

function checkedPath(asked: string): string {
  if (process.platform === 'win32') throw socketRefusal(asked, 'this system has no Unix sockets with file modes', 'Use stdio or HTTP.');
  if (asked.includes('\0'))
    throw socketRefusal(asked, 'it is an abstract name, which no file mode protects', 'Use the path of a file, such as /run/app/mcp.sock.');
  const path = resolve(asked);
  checkLength(path);
  return path;
}

function checkLength(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= LONGEST_PATH) return;
  const reason = `it has ${String(bytes)} bytes, and the address of a socket at most ${String(LONGEST_PATH)}`;
  throw socketRefusal(path, reason, 'Use a shorter path.');
}

function realDirectory(path: string): string {
  const directory = dirname(path);
  try {
    return realpathSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  try {
    createPrivately(directory);
    return realpathSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw socketRefusal(path, `there is no ${dirname(directory)}`, 'Create it; only the directory of the socket itself is made for you.');
  }
}

function createPrivately(directory: string): void {
  const real = join(realpathSync(dirname(directory)), basename(directory));
  try {
    mkdirSync(real, { mode: 0o700 });
  } catch (error) {
    // Another process that starts now may have been faster; what it made is checked like any other.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  // The umask may have taken away what the owner needs.
  chmodSync(real, 0o700);
}

function checkDirectory(path: string, directory: string): void {
  const found = statSync(directory);
  const writers = otherWriters(found);
  if (writers !== undefined)
    throw socketRefusal(
      path,
      `${writers} may write to ${directory}, and so put another socket in its place`,
      'Use a directory that only this user writes to; one that does not exist yet is created so.',
    );
  for (let above = dirname(directory); ; above = dirname(above)) {
    const { mode } = lstatSync(above);
    if ((mode & WRITABLE_BY_ALL) !== 0 && (mode & STICKY) === 0)
      throw socketRefusal(
        path,
        `everybody may write to ${above}, and so replace the directories in it`,
        `Use another place, or chmod o-w ${above}.`,
      );
    if (above === dirname(above)) return;
  }
}

function otherWriters({ uid, mode }: Stats): string | undefined {
  if (uid !== process.getuid?.() && uid !== ROOT) return `another user (uid ${String(uid)})`;
  return (mode & WRITABLE_BY_OTHERS) === 0 ? undefined : 'other users';
}
