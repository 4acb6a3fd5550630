import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const SEAL_BYTES = 16;

/** Makes cursors that only this process can have made, each for one list (specification: Pagination). */
export class Cursors {
  readonly #key = randomBytes(32);

  seal(list: string, position: string): string {
    return Buffer.concat([this.#sealOf(list, position), Buffer.from(position)]).toString('base64url');
  }

  /** The position behind a cursor of this list; undefined for anything else. */
  open(list: string, cursor: string): string | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    // Base64 has several spellings for some bytes; only ours was handed out.
    if (bytes.length <= SEAL_BYTES || bytes.toString('base64url') !== cursor) return undefined;
    const position = bytes.subarray(SEAL_BYTES).toString();
    return timingSafeEqual(bytes.subarray(0, SEAL_BYTES), this.#sealOf(list, position)) ? position : undefined;
  }

  #sealOf(list: string, position: string): Buffer {
    return createHmac('sha256', this.#key).update(`${list}\n${position}`).digest().subarray(0, SEAL_BYTES);
  }
}
