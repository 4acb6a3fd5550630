import { renameSync, rmSync, type BigIntStats } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileAt, isFile, removeFile, tryLink } from './socket-file';
import type { SocketPlace } from './socket-place';
import { socketRefusal } from './socket-refusal';

/** How often what stands in the way may change before that is enough. */
const ATTEMPTS = 10;

/** A claim is held for a few system calls. One that is older was left by a process that was killed within them. */
const CLAIM_MS = 10_000;

/**
 * Gives a listening socket its name. A dead socket of this user's own is replaced; whatever else stands there is refused. Of several
 * processes that try at once exactly one succeeds, and a socket that is served never loses its name.
 */
export async function takePlace(socket: string, place: SocketPlace): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (tryLink(socket, place.file)) return;
    const found = fileAt(place.file);
    if (found === undefined) continue;
    checkOwn(found, place);
    if (!(await isDead(place))) continue;
    if (replaceDead(socket, place, found)) return;
  }
  throw inUse(place);
}

function checkOwn(found: BigIntStats, { path }: SocketPlace): void {
  const fix = 'Use another path, or move away what stands there.';
  if (found.isSymbolicLink()) throw socketRefusal(path, 'it is a symbolic link', fix);
  if (!found.isSocket()) throw socketRefusal(path, `it is a ${found.isDirectory() ? 'directory' : 'file'} and no socket`, fix);
  if (Number(found.uid) !== process.getuid?.()) throw socketRefusal(path, `it is a socket of another user (uid ${String(found.uid)})`, fix);
}

/** False when it has gone meanwhile. Throws when it is served, or when that cannot be told. */
function isDead(place: SocketPlace): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = connect(place.file);
    probe.once('connect', () => {
      probe.destroy();
      reject(inUse(place));
    });
    probe.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED' || code === 'ENOENT') return resolve(code === 'ECONNREFUSED');
      // A queue that is full, for one, has somebody behind it.
      reject(socketRefusal(place.path, `whether it is in use cannot be told (${String(code)})`, 'Use another path, or remove the file.'));
    });
  });
}

/**
 * Replaces a dead socket in one step. Whoever does it first takes a name made from that very file, so nobody who found the same one dead
 * can replace what has come into its place. Nothing here waits.
 */
function replaceDead(socket: string, place: SocketPlace, dead: BigIntStats): boolean {
  const claim = join(place.directory, `.${dead.ino.toString(36)}-${dead.mtimeNs.toString(36)}`);
  if (!tryLink(socket, claim)) {
    const other = fileAt(claim);
    if (other === undefined) return false;
    if (Math.abs(Date.now() - Number(other.mtimeMs)) < CLAIM_MS) throw inUse(place);
    removeFile(claim, other);
    return false;
  }
  try {
    if (!isFile(place.file, dead)) return false;
    renameSync(socket, place.file);
    return true;
  } finally {
    rmSync(claim, { force: true });
  }
}

function inUse({ path }: SocketPlace): Error {
  return socketRefusal(path, 'it is in use', 'Stop the program that listens there, or use another path.');
}
