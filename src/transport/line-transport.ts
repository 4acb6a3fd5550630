import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import { ErrorCode } from '../errors/mcp-error';
import { errorAnswer, type ErrorAnswer } from '../protocol/json-rpc';
import { Intake } from './intake';
import { LineSplitter, type Line } from './line-splitter';

/** What a line transport is opened with. */
export interface LineTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly limits: Pick<Limits, 'messageBytes' | 'depth' | 'elements'>;
  readonly logger: LoggerService;
  /** Leaves in a `subscriptions/listen` what its caller may follow. */
  readonly admitListen: (message: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** Called once, when the other side has gone: its input ended, or nothing can be written to it any more. */
  readonly onGone: () => void;
}

/**
 * One JSON-RPC message a line, in both directions. Answers what the SDK would drop in silence: -32700 for text that is not JSON, -32600
 * for JSON that is not a message, both without ending the stream.
 */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #splitter: LineSplitter;
  readonly #intake: Intake;
  readonly #writes = new Set<Promise<void>>();
  #isGone = false;
  #isClosed = false;

  constructor(private readonly options: LineTransportOptions) {
    const { limits, logger, admitListen } = options;
    this.#splitter = new LineSplitter(limits.messageBytes);
    this.#intake = new Intake({
      limits,
      logger,
      admitListen,
      deliver: (message) => this.onmessage?.(message),
      answer: (answer) => this.#answer(answer),
    });
  }

  start(): Promise<void> {
    const { input, output } = this.options;
    output.on('error', this.#onOutputError);
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('close', this.#onEnd);
    input.on('error', this.#onInputError);
    // A stream that ended before it was looked at will not say so again.
    if (input.readableEnded || input.destroyed) setImmediate(this.#onEnd);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const written = this.#write(JSON.stringify(message));
    this.#intake.sent(message);
    return written;
  }

  /** Reads nothing more; answers can still be sent. */
  stopReading(): void {
    this.options.input.off('data', this.#onData);
    this.options.input.pause();
  }

  whenAnswered(): Promise<void> {
    return this.#intake.whenAnswered();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { input, output } = this.options;
    this.stopReading();
    input.off('end', this.#onEnd);
    input.off('close', this.#onEnd);
    input.off('error', this.#onInputError);
    await Promise.allSettled([...this.#writes]);
    output.off('error', this.#onOutputError);
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer | string): void => {
    for (const line of this.#splitter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)) this.#receive(line);
  };

  readonly #onEnd = (): void => {
    if (this.#isGone) return;
    for (const line of this.#splitter.end()) this.#receive(line);
    this.#gone();
  };

  readonly #onInputError = (error: Error): void => {
    this.onerror?.(error);
    this.#gone();
  };

  readonly #onOutputError = (error: Error): void => {
    this.options.logger.debug(`The client closed its end: ${error.message}`);
    this.#gone();
  };

  #gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.options.onGone();
  }

  #receive(line: Line): void {
    if ('fault' in line) return this.#answer(unreadable(line.fault, this.options.limits.messageBytes));
    let parsed: unknown;
    try {
      parsed = JSON.parse(line.text);
    } catch {
      return this.#answer(errorAnswer(null, ErrorCode.ParseError, 'Parse error: not valid JSON'));
    }
    this.#intake.receive(parsed);
  }

  #answer(answer: object): void {
    // A client that does not read its errors has gone; the stream says so on its own.
    this.#write(JSON.stringify(answer)).catch(() => undefined);
  }

  #write(text: string): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.options.output.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
    });
    this.#writes.add(written);
    const forget = (): void => void this.#writes.delete(written);
    written.then(forget, forget);
    return written;
  }
}

function unreadable(fault: 'too-long' | 'not-utf8', limit: number): ErrorAnswer {
  if (fault === 'not-utf8') return errorAnswer(null, ErrorCode.ParseError, 'Parse error: not valid UTF-8');
  return errorAnswer(null, ErrorCode.InvalidRequest, `Invalid request: a message may have at most ${String(limit)} bytes`);
}
