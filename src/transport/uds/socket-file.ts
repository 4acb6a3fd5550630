import { linkSync, lstatSync, rmSync, type BigIntStats } from 'node:fs';

/** Which file a path named at one moment. Inode numbers are used again at once, so the time of creation belongs to it. */
export type FileIdentity = Pick<BigIntStats, 'dev' | 'ino' | 'mtimeNs'>;

/** What stands at the path itself, links not followed; undefined where there is nothing. */
export function fileAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** True while the path still names this file. */
export function isFile(path: string, { dev, ino, mtimeNs }: FileIdentity): boolean {
  const found = fileAt(path);
  return found !== undefined && found.dev === dev && found.ino === ino && found.mtimeNs === mtimeNs;
}

/** Gives a file one more name. False when the name is taken: unlike a rename, this replaces nothing. */
export function tryLink(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the file, if the path still names this one. */
export function removeFile(path: string, identity: FileIdentity): void {
  if (isFile(path, identity)) rmSync(path, { force: true });
}
