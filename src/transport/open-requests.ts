import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { ErrorCode } from '../errors/mcp-error';
import type { GoodMessage } from '../protocol/check-message';
import { errorAnswer, isMessageId, isObject, type ErrorAnswer, type MessageId } from '../protocol/json-rpc';

/** These stay open until the client or the server ends them, so nobody waits for their answer. */
const STREAMS: ReadonlySet<string> = new Set(['subscriptions/listen']);

/** One request that has come in and not been answered. */
interface OpenRequest {
  readonly isStream: boolean;
  /** Questions to the client that it waits for. */
  questions: number;
}

/** The requests of one stream that have come in and not been answered. */
export class OpenRequests {
  readonly #open = new Map<MessageId, OpenRequest>();
  /** The request on whose behalf each open question was asked. */
  readonly #questions = new Map<MessageId, MessageId>();
  readonly #waiting: (() => void)[] = [];
  #awaited = 0;
  #running = 0;

  /** How many are at work: neither open by design nor waiting for the client to answer a question. */
  get running(): number {
    return this.#running;
  }

  /**
   * Follows a message that came in. Returns the answer to a request whose id is open already, since two answers with one id could not
   * be told apart.
   */
  received({ kind, message }: GoodMessage): ErrorAnswer | undefined {
    if (kind === 'request') return this.#begin(message['id'] as MessageId, String(message['method']));
    if (kind === 'response') this.#told(message['id'] as MessageId);
    const cancelled = cancelledId(message);
    // A client that cancels expects no answer, and the SDK sends none.
    if (cancelled !== undefined) this.end(cancelled);
    return undefined;
  }

  /** Follows a message that goes out, for the request `related` if it is no answer. */
  sent(message: JSONRPCMessage, related?: MessageId): void {
    if (!('method' in message)) return message.id === undefined ? undefined : this.end(message.id);
    if ('id' in message) return related === undefined ? undefined : this.#asked(message.id, related);
    const withdrawn = cancelledId(message);
    if (withdrawn !== undefined) this.#told(withdrawn);
  }

  /** True for the cancellation of an open request, and for the answer to an open question. */
  isAbout({ kind, message }: GoodMessage): boolean {
    if (kind === 'response') return this.#questions.has(message['id'] as MessageId);
    const cancelled = kind === 'notification' ? cancelledId(message) : undefined;
    return cancelled !== undefined && this.#open.has(cancelled);
  }

  has(id: MessageId): boolean {
    return this.#open.has(id);
  }

  /** Forgets a request that will not be answered. */
  end(id: MessageId): void {
    const request = this.#open.get(id);
    if (request === undefined) return;
    this.#open.delete(id);
    if (request.isStream) return;
    this.#awaited -= 1;
    if (request.questions === 0) this.#running -= 1;
    if (this.isQuiet()) for (const wake of this.#waiting.splice(0)) wake();
  }

  /** The ids of the requests that are open. */
  ids(): MessageId[] {
    return [...this.#open.keys()];
  }

  async whenAnswered(): Promise<void> {
    if (!this.isQuiet()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** True when nobody waits for an answer. */
  isQuiet(): boolean {
    return this.#awaited === 0;
  }

  #begin(id: MessageId, method: string): ErrorAnswer | undefined {
    if (this.#open.has(id)) return stillRunning();
    const isStream = STREAMS.has(method);
    this.#open.set(id, { isStream, questions: 0 });
    if (isStream) return undefined;
    this.#awaited += 1;
    this.#running += 1;
    return undefined;
  }

  #asked(question: MessageId, by: MessageId): void {
    const request = this.#open.get(by);
    if (request === undefined || request.isStream) return;
    this.#questions.set(question, by);
    request.questions += 1;
    if (request.questions === 1) this.#running -= 1;
  }

  /** The question has been answered, or is asked no more. */
  #told(question: MessageId): void {
    const by = this.#questions.get(question);
    this.#questions.delete(question);
    const request = by === undefined ? undefined : this.#open.get(by);
    if (request === undefined) return;
    request.questions -= 1;
    if (request.questions === 0) this.#running += 1;
  }
}

/** The answer to a request whose id is taken. */
export function stillRunning(): ErrorAnswer {
  return errorAnswer(null, ErrorCode.InvalidRequest, 'Invalid request: a request with this id is still running');
}

/** The id of the request that a message cancels. */
export function cancelledId({ method, params }: GoodMessage['message']): MessageId | undefined {
  if (method !== 'notifications/cancelled' || !isObject(params)) return undefined;
  const { requestId } = params;
  return isMessageId(requestId) ? requestId : undefined;
}
