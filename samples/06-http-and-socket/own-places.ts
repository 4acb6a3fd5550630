import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Where the socket stands unless the operator says so: in a folder that Perch makes for this user alone. */
export const SOCKET = join(tmpdir(), `perch-tides-${String(process.getuid?.() ?? 0)}`, 'mcp.sock');

/** The file of the token that is made where the operator has set none. Beside the socket, and for this user alone too. */
export function tokenFile(socketPath: string): string {
  return join(dirname(socketPath), 'token');
}

/** Reads the token of earlier starts, so that clients know it after a restart, or makes one. */
export function ownToken(socketPath: string): string {
  const file = tokenFile(socketPath);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
