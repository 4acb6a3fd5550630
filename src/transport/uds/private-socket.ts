import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { fileAt, removeFile, type FileIdentity } from './socket-file';
import { LONGEST_PATH, socketPlace, type SocketPlace } from './socket-place';
import { socketRefusal } from './socket-refusal';
import { takePlace } from './take-place';

/** A socket that a server listens on. */
export interface PrivateSocket {
  /** Its path, from the root on. */
  readonly path: string;
  /** Removes the file, if it is still this one. To be called while the server listens: until then nobody takes the socket for a dead one. */
  readonly remove: () => void;
}

/**
 * Lets a server listen on a socket that only this user can reach. The socket is made in a directory of mode 0700, gets its mode 0600 there
 * and then its name, so there is no moment at which others could connect, whatever the umask. Rejects when that cannot be; then the server
 * is closed and everything that stood there is untouched.
 */
export async function listenPrivately(server: Server, path: string): Promise<PrivateSocket> {
  const place = socketPlace(path);
  const hidden = mkdtempSync(`${place.directory}/.`);
  const file = join(hidden, 's');
  try {
    chmodSync(hidden, 0o700);
    await listenIn(server, hidden, place);
    chmodSync(file, 0o600);
    const identity = fileAt(file) as FileIdentity;
    await takePlace(file, place);
    return { path: place.path, remove: () => removeFile(place.file, identity) };
  } catch (error) {
    server.close();
    throw error;
  } finally {
    rmSync(file, { force: true });
    rmdirSync(hidden);
  }
}

async function listenIn(server: Server, hidden: string, place: SocketPlace): Promise<void> {
  const { address, release } = addressIn(hidden, place);
  server.once('close', release);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Exclusive: in a cluster the socket would be made by the primary process otherwise.
    server.listen({ path: address, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The address of `s` in the hidden directory. Where it would be too long, Linux reaches the directory by an open descriptor. */
function addressIn(hidden: string, place: SocketPlace): { readonly address: string; readonly release: () => void } {
  const address = join(hidden, 's');
  if (Buffer.byteLength(address) <= LONGEST_PATH) return { address, release: () => undefined };
  if (process.platform !== 'linux')
    throw socketRefusal(place.path, 'its directory leaves no room for the private one in which a socket is made', 'Use a shorter path.');
  const descriptor = openSync(hidden, 'r');
  // Node removes this address when the server closes, so its number must not name another directory by then.
  return { address: `/proc/self/fd/${String(descriptor)}/s`, release: () => closeSync(descriptor) };
}
