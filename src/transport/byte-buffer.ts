const FIRST_SIZE = 4096;

/** Bytes that arrive piece by piece, copied into one buffer that doubles: a piece of one byte costs one byte, and pins no larger one. */
export class ByteBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Buffer): void {
    const needed = this.#length + piece.length;
    if (needed > this.#bytes.length) this.#grow(needed);
    piece.copy(this.#bytes, this.#length);
    this.#length = needed;
  }

  /** The bytes so far, until the next change. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length, FIRST_SIZE));
    this.view().copy(larger);
    this.#bytes = larger;
  }
}
