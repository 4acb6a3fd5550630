const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

/** What a stream of bytes contained: a line of text, or why a line cannot be read. */
export type Line = { readonly text: string } | { readonly fault: 'too-long' | 'not-utf8' };

/**
 * Cuts bytes into lines (specification: stdio transport). Holds at most one line of `maxBytes`; a longer one is reported once and skipped
 * up to its end, so the stream goes on behind it.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #parts: Buffer[] = [];
  #length = 0;
  #isSkipping = false;
  #isFirst = true;

  constructor(private readonly maxBytes: number) {}

  /** The lines that end within `chunk`, empty ones left out. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end), lines);
      this.#finish(lines);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start), lines);
    return lines;
  }

  /** The last line, when the stream ended without a newline. */
  end(): Line[] {
    const lines: Line[] = [];
    this.#finish(lines);
    return lines;
  }

  #keep(part: Buffer, lines: Line[]): void {
    if (this.#isSkipping || part.length === 0) return;
    this.#length += part.length;
    if (this.#length <= this.maxBytes) {
      this.#parts.push(part);
      return;
    }
    lines.push({ fault: 'too-long' });
    this.#isSkipping = true;
    this.#parts = [];
  }

  #finish(lines: Line[]): void {
    const line = this.#isSkipping ? undefined : this.#decode();
    this.#parts = [];
    this.#length = 0;
    this.#isSkipping = false;
    if (line !== undefined) lines.push(line);
  }

  #decode(): Line | undefined {
    if (this.#length === 0) return undefined;
    const [only] = this.#parts;
    const bytes = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      return { fault: 'not-utf8' };
    }
    if (this.#isFirst && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
    this.#isFirst = false;
    return text.trim() === '' ? undefined : { text };
  }
}
