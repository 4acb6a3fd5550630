import type { FileHandle } from 'node:fs/promises';
import { AccessError } from '../../errors/access-error';

const CHUNK = 64 * 1024;

/** Reads to the end, which may lie elsewhere than the size said: files grow, and those of the kernel have no size. */
export async function readAtMost(handle: FileHandle, { size, maxBytes }: { size: number; maxBytes: number }): Promise<Buffer> {
  if (size > maxBytes) throw new AccessError('too-large');
  const chunks: Buffer[] = [];
  let total = 0;
  for (let next = size + 1; ; next = CHUNK) {
    const chunk = Buffer.allocUnsafe(next);
    const { bytesRead } = await handle.read(chunk, 0, next);
    if (bytesRead === 0) return Buffer.concat(chunks, total);
    total += bytesRead;
    if (total > maxBytes) throw new AccessError('too-large');
    chunks.push(chunk.subarray(0, bytesRead));
  }
}
