import type { ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport, type StreamableHTTPServerTransportOptions } from '@modelcontextprotocol/node';
import type { EventStore, MessageExtraInfo } from '@modelcontextprotocol/server';
import { ErrorCode } from '../../errors/mcp-error';
import type { GoodMessage } from '../../protocol/check-message';
import { errorAnswer, type ErrorAnswer, type MessageId } from '../../protocol/json-rpc';
import { Batches, type ElementAnswer } from '../batches';
import { OpenRequests, stillRunning } from '../open-requests';
import { alreadyInitialized } from '../opening';
import { REFUSED } from './answers';
import type { CallSlots } from './call-slots';
import { runBatch, type BatchRun } from './run-batch';
import type { SessionEvents } from './session-events';

type Send = NodeStreamableHTTPServerTransport['send'];
type Message = Parameters<Send>[0];

/** The options of the SDK's transport, and the events it can send again. */
export type SessionTransportOptions = Omit<StreamableHTTPServerTransportOptions, 'eventStore'> & {
  readonly events?: SessionEvents | undefined;
  /** Where each request takes its place until it has been answered, whether or not its client still waits. */
  readonly slots: CallSlots;
};

/** The SDK's transport of one session, which also knows the requests that have not been answered. */
export class SessionTransport extends NodeStreamableHTTPServerTransport {
  readonly #requests = new OpenRequests();
  readonly #batches = new Batches((id) => this.#requests.has(id));
  readonly #events: SessionEvents | undefined;
  readonly #slots: CallSlots;
  readonly #taken = new Map<MessageId, () => void>();
  #answeredAt = 0;
  /** Why nothing begins any more. */
  #ended: string | undefined;

  constructor({ events, slots, ...options }: SessionTransportOptions) {
    super(events === undefined ? options : { ...options, eventStore: withoutFailures(events) });
    this.#events = events;
    this.#slots = slots;
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
    const refusal = this.#requests.received(message);
    if (refusal === undefined) this.#taken.set(id, this.#slots.take());
    return refusal;
  }

  /** Follows a response: a status of its own says that the request was refused before it could begin. */
  follow(response: ServerResponse, { kind, message }: GoodMessage): void {
    if (kind !== 'request') return;
    response.once('close', () => {
      if (response.statusCode !== 200) this.#end(message['id'] as MessageId);
    });
  }

  /** Resolves when every request has been answered. */
  whenAnswered(): Promise<void> {
    return this.#requests.whenAnswered();
  }

  /** Runs a batch, which the SDK would answer in the order of completion and refuse for one bad element. */
  answerBatch(
    values: readonly unknown[],
    { limits, authInfo }: Pick<BatchRun, 'limits'> & { readonly authInfo: MessageExtraInfo['authInfo'] },
  ): Promise<readonly ElementAnswer[]> {
    return runBatch(values, {
      limits,
      batches: this.#batches,
      received: (message) => this.#refusalOfElement(message) ?? this.received(message),
      deliver: ({ message }) => this.onmessage?.(message as unknown as Message, authInfo === undefined ? {} : { authInfo }),
      cancelled: (id) => void this.abandon(id),
    });
  }

  #refusalOfElement({ kind, message }: GoodMessage): ErrorAnswer | undefined {
    if (kind !== 'request' || !this.#slots.isFull) return undefined;
    return errorAnswer(message['id'] as MessageId, REFUSED, 'Too many requests are being answered');
  }

  override async send(message: Message, options?: Parameters<Send>[1]): Promise<void> {
    try {
      await this.#send(message, options);
    } finally {
      this.#requests.sent(message);
      if (!('method' in message)) {
        if (message.id !== undefined) this.#end(message.id);
        this.#answeredAt = performance.now();
      }
    }
  }

  async #send(message: Message, options: Parameters<Send>[1]): Promise<void> {
    if (!('method' in message) && message.id !== undefined && this.#batches.has(message.id)) {
      // First, so that the next element finds its place free.
      this.#end(message.id);
      return void this.#batches.settle(message.id, message);
    }
    const related = options?.relatedRequestId;
    if (related === undefined || !this.#batches.has(related)) return super.send(message, options);
    // A batch has no stream of its own. What is said during its calls goes to the stream of the session, if the client has opened it.
    if ('id' in message) throw new Error('A call in a batch over HTTP cannot ask its client');
    return super.send(message);
  }

  override async close(): Promise<void> {
    this.#ended ??= 'Shutting down';
    for (const id of [...this.#taken.keys()]) {
      this.#batches.settle(id, errorAnswer(id, REFUSED, this.#ended));
      this.#end(id);
    }
    await super.close();
  }

  /** Ends the stream of a request that will not be answered: the client has cancelled it, and the SDK would keep it open for ever. */
  async abandon(id: MessageId): Promise<void> {
    if (!this.#requests.has(id)) return;
    if (this.#batches.forget(id)) return this.#end(id);
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

  #end(id: MessageId): void {
    this.#requests.end(id);
    this.#taken.get(id)?.();
    this.#taken.delete(id);
  }
}

/** A message that could not be kept is sent without an id: the SDK would answer with the text of what the store threw. */
function withoutFailures(events: SessionEvents): EventStore {
  return {
    storeEvent: async (streamId, message) => {
      try {
        return await events.storeEvent(streamId, message);
      } catch {
        return '';
      }
    },
    replayEventsAfter: (lastEventId, replay) => events.replayEventsAfter(lastEventId, replay),
  };
}
