import { ByteBuffer } from './byte-buffer';

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
  readonly #begun = new ByteBuffer();
  #isSkipping = false;
  #isFirst = true;

  constructor(private readonly maxBytes: number) {}

  /** The lines that end within `chunk`, empty ones left out. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#finish(chunk.subarray(start, end), lines);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start), lines);
    return lines;
  }

  /** The last line, when the stream ended without a newline. */
  end(): Line[] {
    const lines: Line[] = [];
    this.#finish(Buffer.alloc(0), lines);
    return lines;
  }

  #keep(part: Buffer, lines: Line[]): void {
    if (this.#isSkipping || part.length === 0) return;
    if (this.#begun.length + part.length <= this.maxBytes) return this.#begun.append(part);
    lines.push({ fault: 'too-long' });
    this.#isSkipping = true;
    this.#begun.clear();
  }

  #finish(rest: Buffer, lines: Line[]): void {
    const isWhole = this.#begun.length === 0 && rest.length <= this.maxBytes;
    if (!isWhole) this.#keep(rest, lines);
    const line = this.#isSkipping ? undefined : this.#decode(isWhole ? rest : this.#begun.view());
    this.#begun.clear();
    this.#isSkipping = false;
    if (line !== undefined) lines.push(line);
  }

  #decode(bytes: Buffer): Line | undefined {
    if (bytes.length === 0) return undefined;
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
