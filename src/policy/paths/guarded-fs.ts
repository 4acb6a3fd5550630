import { constants } from 'node:fs';
import { opendir, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AccessError } from '../../errors/access-error';
import type { Policy } from '../policy';
import { isAbsolutePath } from './absolute-path';
import { O_PATH, openExactly } from './open-exactly';
import { readAtMost } from './read-at-most';
import { realPathOf } from './real-path';
import { toAccessError } from './to-access-error';

/** The questions of a policy that a guarded file access asks. */
export type FsPolicy = Pick<Policy, 'enforced' | 'allowsFsRead' | 'allowsFsWrite' | 'allowsRealPath'>;

/** Bounds of one access. */
export interface GuardedFsLimits {
  /** Bytes of a file that is read or written. Default 10 MiB. */
  readonly maxBytes?: number;
  /** Entries of a directory that is listed. Default 10,000. */
  readonly maxEntries?: number;
}

/** One entry of a directory. */
export interface GuardedEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link';
}

/** What can be known of a file or directory without reading it. */
export interface GuardedStats {
  readonly kind: 'file' | 'directory';
  readonly size: number;
  readonly modified: Date;
}

const { O_CREAT, O_DIRECTORY, O_RDONLY, O_WRONLY } = constants;
const isLinux = process.platform === 'linux';

/**
 * Files under a policy. A path is decided and then opened as exactly the real path that was decided: on Linux and macOS a directory that is
 * swapped for a link in between fails the access; elsewhere a gap remains. Paths are absolute. Everything rejects with an `AccessError`
 * and nothing else, and a refusal is the same for what exists and for what does not.
 */
export class GuardedFs {
  readonly #policy: FsPolicy;
  readonly #maxBytes: number;
  readonly #maxEntries: number;

  constructor(policy: FsPolicy, { maxBytes = 10 * 1024 * 1024, maxEntries = 10_000 }: GuardedFsLimits = {}) {
    this.#policy = policy;
    this.#maxBytes = maxBytes;
    this.#maxEntries = maxEntries;
  }

  /** Reads a whole regular file. */
  async read(absolutePath: string): Promise<Buffer> {
    return this.#open({ absolutePath, access: 'fsRead', flags: O_RDONLY }, async (handle) => {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new AccessError('unusable');
      return readAtMost(handle, { size: stats.size, maxBytes: this.#maxBytes });
    });
  }

  /**
   * Replaces the content of a regular file in place, or makes the file; its directory must exist. A file with several hard links is
   * refused, because the others may lie where nothing may be written.
   */
  async write(absolutePath: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    if (bytes.byteLength > this.#maxBytes) throw new AccessError('too-large');
    await this.#open({ absolutePath, access: 'fsWrite', flags: O_WRONLY | O_CREAT }, async (handle) => {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new AccessError('unusable');
      if (this.#policy.enforced && stats.nlink !== 1) throw new AccessError('denied');
      await handle.truncate(0);
      await handle.writeFile(bytes);
    });
  }

  /** The entries of a directory that may be read, by name: no others, so that a list tells nothing about what is denied. */
  async list(absolutePath: string): Promise<readonly GuardedEntry[]> {
    return this.#open({ absolutePath, access: 'fsRead', flags: O_RDONLY | O_DIRECTORY }, async (handle, real) => {
      const entries: GuardedEntry[] = [];
      let count = 0;
      for await (const { name, kind } of entriesOf(handle, real)) {
        if (++count > this.#maxEntries) throw new AccessError('too-large');
        const place = path.join(real, name);
        const isAllowed = kind === 'link' ? this.#policy.allowsFsRead(place) : this.#policy.allowsRealPath('fsRead', place);
        if (isAllowed) entries.push(Object.freeze({ name, kind }));
      }
      return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    });
  }

  /** Looks at a file or directory. Needs permission to read it. */
  async stat(absolutePath: string): Promise<GuardedStats> {
    return this.#open({ absolutePath, access: 'fsRead', flags: isLinux ? O_PATH : O_RDONLY }, async (handle) => {
      const stats = await handle.stat();
      if (!stats.isFile() && !stats.isDirectory()) throw new AccessError('unusable');
      return Object.freeze({ kind: stats.isFile() ? 'file' : 'directory', size: stats.size, modified: stats.mtime });
    });
  }

  async #open<T>(opening: Opening, use: (handle: FileHandle, real: string) => Promise<T>): Promise<T> {
    try {
      const real = this.#admit(opening);
      const handle = await openExactly(real, opening.flags);
      try {
        return await use(handle, real);
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw toAccessError(error);
    }
  }

  /** The real path is found again after the first answer and decided by its letters: what is opened is what was decided. */
  #admit({ absolutePath, access }: Opening): string {
    const isAllowed = access === 'fsRead' ? this.#policy.allowsFsRead(absolutePath) : this.#policy.allowsFsWrite(absolutePath);
    const real = isAllowed && isAbsolutePath(absolutePath) ? realPathOf(absolutePath) : undefined;
    if (real !== undefined && this.#policy.allowsRealPath(access, real)) return real;
    throw new AccessError('denied');
  }
}

interface Opening {
  readonly absolutePath: string;
  readonly access: 'fsRead' | 'fsWrite';
  readonly flags: number;
}

/** On Linux the directory is read through its handle; elsewhere by its path, so that it can be swapped between the two. */
async function* entriesOf(handle: FileHandle, real: string): AsyncGenerator<GuardedEntry> {
  for await (const entry of await opendir(isLinux ? `/proc/self/fd/${handle.fd}` : real)) {
    const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : undefined;
    if (kind !== undefined) yield { name: entry.name, kind };
  }
}
