import { NodeStreamableHTTPServerTransport, type StreamableHTTPServerTransportOptions } from '@modelcontextprotocol/node';
import type { MessageExtraInfo } from '@modelcontextprotocol/server';
import { ErrorCode } from '../../errors/mcp-error';
import type { GoodMessage } from '../../protocol/check-message';
import { errorAnswer, type ErrorAnswer, type MessageId } from '../../protocol/json-rpc';
import { Batches, type ElementAnswer } from '../batches';
import { OpenRequests, stillRunning } from '../open-requests';
import { alreadyInitialized } from '../opening';
import { REFUSED } from './answers';
import { runBatch, type BatchRun } from './run-batch';
import type { SessionEvents } from './session-events';

type Send = NodeStreamableHTTPServerTransport['send'];
type Message = Parameters<Send>[0];

/** The options of the SDK's transport, and the events it can send again. */
export type SessionTransportOptions = Omit<StreamableHTTPServerTransportOptions, 'eventStore'> & {
  readonly events?: SessionEvents | undefined;
};

/** The SDK's transport of one session, which also knows the requests that have not been answered. */
export class SessionTransport extends NodeStreamableHTTPServerTransport {
  readonly #requests = new OpenRequests();
  readonly #batches = new Batches();
  readonly #events: SessionEvents | undefined;
  #answeredAt = 0;
  /** Why nothing begins any more. */
  #ended: string | undefined;

  constructor({ events, ...options }: SessionTransportOptions) {
    super(events === undefined ? options : { ...options, eventStore: events });
    this.#events = events;
  }

  /** True while a request runs, whether or not anyone is connected to hear its answer. */
  get isBusy(): boolean {
    return !this.#requests.isQuiet();
  }

  /** When a request was last answered, on the monotonic clock. */
  get answeredAt(): number {
    return this.#answeredAt;
  }

  /** Follows a message that came in; returns the answer to one that may not go on. */
  received(message: GoodMessage): ErrorAnswer | undefined {
    if (message.kind !== 'request') return undefined;
    const id = message.message['id'] as MessageId;
    // The SDK would answer without the id.
    if (message.message['method'] === 'initialize' && this.sessionId !== undefined) return alreadyInitialized(id);
    if (this.#ended !== undefined) return errorAnswer(id, REFUSED, this.#ended);
    if (this.#batches.has(id)) return stillRunning();
    // The id of a cancelled request is free only when its stream has ended.
    return this.#requests.received(message);
  }

  override async close(): Promise<void> {
    this.#ended ??= 'Shutting down';
    for (const id of this.#requests.ids()) this.#batches.settle(id, errorAnswer(id, REFUSED, this.#ended));
    await super.close();
  }

  /** Runs a batch, which the SDK would answer in the order of completion and refuse for one bad element. */
  answerBatch(
    values: readonly unknown[],
    { limits, authInfo }: Pick<BatchRun, 'limits'> & { readonly authInfo: MessageExtraInfo['authInfo'] },
  ): Promise<readonly ElementAnswer[]> {
    return runBatch(values, {
      limits,
      batches: this.#batches,
      received: (message) => this.received(message),
      deliver: ({ message }) => this.onmessage?.(message as unknown as Message, authInfo === undefined ? {} : { authInfo }),
      cancelled: (id) => void this.abandon(id),
    });
  }

  override async send(message: Message, options?: Parameters<Send>[1]): Promise<void> {
    try {
      await this.#send(message, options);
    } finally {
      this.#requests.sent(message);
      if (!('method' in message)) this.#answeredAt = performance.now();
    }
  }

  async #send(message: Message, options: Parameters<Send>[1]): Promise<void> {
    if (!('method' in message) && message.id !== undefined && this.#batches.settle(message.id, message)) return;
    const related = options?.relatedRequestId;
    if (related === undefined || !this.#batches.has(related)) return super.send(message, options);
    // A batch has no stream of its own. What is said during its calls goes to the stream of the session, if the client has opened it.
    if ('id' in message) throw new Error('A call in a batch over HTTP cannot ask its client');
    return super.send(message);
  }

  /** Ends the stream of a request that will not be answered: the client has cancelled it, and the SDK would keep it open for ever. */
  async abandon(id: MessageId): Promise<void> {
    if (!this.#requests.has(id)) return;
    if (this.#batches.forget(id)) return this.#requests.end(id);
    this.closeSSEStream(id);
    // Without its stream this answer reaches nobody; it makes the SDK forget the id.
    const answer = errorAnswer(id, ErrorCode.InvalidRequest, 'Cancelled');
    this.#events?.withhold(answer);
    await this.send(answer as Message).catch(() => undefined);
  }

  /** Answers every request that still runs, before the session is closed under it. */
  async answerAll(reason: string): Promise<void> {
    this.#ended = reason;
    const answers = this.#requests.ids().map((id) => errorAnswer(id, REFUSED, reason));
    await Promise.allSettled(answers.map((answer) => this.send(answer as Message)));
  }

  /** Follows a request that was refused before it could begin. */
  refused(id: MessageId): void {
    this.#requests.end(id);
  }
}
