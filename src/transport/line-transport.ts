import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import { ErrorCode } from '../errors/mcp-error';
import { errorAnswer, type ErrorAnswer } from '../protocol/json-rpc';
import { Intake } from './intake';
import { LineOutput } from './line-output';
import { LineSplitter, type Line } from './line-splitter';
import { parseJson } from './parse-json';

/** Notifications of a server without which a client can go on. */
const LOSABLE: ReadonlySet<string> = new Set([
  'notifications/progress',
  'notifications/message',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
]);

/** What a line transport is opened with. */
export interface LineTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly limits: Pick<Limits, 'messageBytes' | 'depth' | 'elements' | 'batchElements' | 'streamCalls' | 'streamBytes' | 'graceMs'>;
  readonly logger: LoggerService;
  /** Whether a connection of this revision may send batches. */
  readonly acceptsBatches: (revision: string | undefined) => boolean;
  /** Leaves in a `subscriptions/listen` what its caller may follow. */
  readonly admitListen: (message: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** Called once, when the other side has gone: its input ended, or nothing can be written to it any more. */
  readonly onGone: () => void;
}

/**
 * One JSON-RPC message a line, in both directions. Answers what the SDK would drop in silence: -32700 for text that is not JSON, -32600
 * for JSON that is not a message, both without ending the stream. Reads no faster than its calls end and its client takes the answers.
 */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #splitter: LineSplitter;
  readonly #intake: Intake;
  readonly #output: LineOutput;
  /** Characters of lines that have come in and not been looked at. */
  #waiting = 0;
  #endOfGrace: NodeJS.Timeout | undefined;
  #isPaused = false;
  #isGone = false;
  #isClosed = false;

  constructor(private readonly options: LineTransportOptions) {
    const { output, limits } = options;
    this.#splitter = new LineSplitter(limits.messageBytes);
    this.#output = new LineOutput(output, { onFault: (error) => this.#onOutputError(error), onTaken: () => this.#intake.goOn() });
    this.#intake = new Intake({
      ...options,
      deliver: (message) => this.onmessage?.(message),
      answer: (answer) => this.#answer(answer),
      mayAnswer: () => this.#output.waitingBytes <= limits.streamBytes,
      onReady: () => this.#resume(),
    });
  }

  start(): Promise<void> {
    const { input } = this.options;
    this.#output.open();
    input.on('data', this.#onData);
    input.on('end', this.#onEnd);
    input.on('close', this.#onEnd);
    input.on('error', this.#onInputError);
    // A stream that ended before it was looked at will not say so again.
    if (input.readableEnded || input.destroyed) setImmediate(this.#onEnd);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage, options?: { readonly relatedRequestId?: string | number }): Promise<void> {
    if (this.#isLosable(message)) return Promise.resolve();
    const written = this.#intake.keeps(message) ? Promise.resolve() : this.#output.write(JSON.stringify(message));
    this.#intake.sent(message, options?.relatedRequestId);
    return written;
  }

  /** Begins nothing that comes in from now on, and nothing at all once the grace period is over; each is answered `Shutting down`. */
  stopAccepting(): void {
    if (this.#endOfGrace !== undefined || this.#isClosed) return;
    this.#intake.stop();
    this.#endOfGrace = setTimeout(() => this.#intake.refuseRest(), this.options.limits.graceMs).unref();
  }

  whenAnswered(): Promise<void> {
    return this.#intake.whenAnswered();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { input } = this.options;
    clearTimeout(this.#endOfGrace);
    input.off('data', this.#onData);
    input.off('end', this.#onEnd);
    input.off('close', this.#onEnd);
    input.off('error', this.#onInputError);
    input.pause();
    this.#intake.refuseRest();
    await this.#output.close();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer | string): void => {
    this.#take(this.#splitter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
    if (this.#mayRead()) return;
    this.#isPaused = true;
    this.options.input.pause();
  };

  /** A client that cancels what runs, or leaves, must be heard although its next call has no room; one message more is kept for that. */
  #mayRead(): boolean {
    return this.#intake.isReady || (this.#intake.waitsForRoom && this.#waiting <= this.options.limits.messageBytes);
  }

  readonly #onEnd = (): void => {
    if (this.#isGone) return;
    this.#take(this.#splitter.end());
    this.#gone();
  };

  readonly #onInputError = (error: Error): void => {
    this.onerror?.(error);
    this.#gone();
  };

  #onOutputError(error: Error): void {
    if (this.#isGone) return;
    this.options.logger.debug(`The client closed its end: ${error.message}`);
    this.#gone();
  }

  #gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.options.onGone();
  }

  /** What a call says besides its answer, and what is told of changes, is lost to a client that does not read: it would pile up without end. */
  #isLosable(message: JSONRPCMessage): boolean {
    return 'method' in message && LOSABLE.has(message.method) && this.#output.waitingBytes > this.options.limits.streamBytes;
  }

  #resume(): void {
    if (!this.#isPaused || this.#isClosed || !this.#mayRead()) return;
    this.#isPaused = false;
    this.options.input.resume();
  }

  #take(lines: readonly Line[]): void {
    for (const line of lines) {
      if ('text' in line && this.#intake.takesAhead(line.text)) continue;
      const length = 'text' in line ? line.text.length : 0;
      this.#waiting += length;
      this.#intake.take(() => {
        this.#waiting -= length;
        return this.#read(line);
      });
    }
  }

  #read(line: Line): unknown {
    if ('fault' in line) return this.#refuse(unreadable(line.fault, this.options.limits.messageBytes));
    try {
      return parseJson(line.text, this.options.limits.depth);
    } catch {
      return this.#refuse(errorAnswer(null, ErrorCode.ParseError, 'Parse error: not valid JSON'));
    }
  }

  #refuse(answer: ErrorAnswer): undefined {
    this.options.logger.debug(`A line is no message: ${answer.error.message}`);
    this.#answer(answer);
  }

  #answer(answer: object): void {
    // A client that does not read its errors has gone; the stream says so on its own.
    this.#output.write(JSON.stringify(answer)).catch(() => undefined);
  }
}

function unreadable(fault: 'too-long' | 'not-utf8', limit: number): ErrorAnswer {
  if (fault === 'not-utf8') return errorAnswer(null, ErrorCode.ParseError, 'Parse error: not valid UTF-8');
  return errorAnswer(null, ErrorCode.InvalidRequest, `Invalid request: a message may have at most ${String(limit)} bytes`);
}
