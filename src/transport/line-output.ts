import type { Writable } from 'node:stream';

/** Who is told what becomes of what is written. */
export interface LineOutputOptions {
  /** Called for every write that failed, and when the stream has closed: nothing more can be written. */
  readonly onFault: (error: Error) => void;
  /** Called whenever the client has taken something. */
  readonly onTaken: () => void;
}

/** Writes lines to a stream, and knows what has not been taken yet. */
export class LineOutput {
  readonly #writes = new Set<Promise<void>>();
  #waitingBytes = 0;

  constructor(
    private readonly output: Writable,
    private readonly options: LineOutputOptions,
  ) {}

  open(): void {
    this.output.on('error', this.options.onFault);
    this.output.on('close', this.#onClose);
  }

  /** Bytes that were written and have not left. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  write(text: string): Promise<void> {
    const line = `${text}\n`;
    const bytes = Buffer.byteLength(line);
    this.#waitingBytes += bytes;
    const written = new Promise<void>((resolve, reject) => {
      this.output.write(line, (error) => (error ? reject(error) : resolve()));
    });
    this.#writes.add(written);
    const left = (): void => {
      this.#writes.delete(written);
      this.#waitingBytes -= bytes;
      this.options.onTaken();
    };
    written.then(left, (error: unknown) => {
      left();
      // A stream that was destroyed before says so only here.
      this.options.onFault(error as Error);
    });
    return written;
  }

  /** Waits until everything has left or failed. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#writes]);
    this.output.off('error', this.options.onFault);
    this.output.off('close', this.#onClose);
  }

  readonly #onClose = (): void => this.options.onFault(new Error('The stream was closed'));
}
