import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { ErrorCode } from '../errors/mcp-error';
import type { GoodMessage } from '../protocol/check-message';
import { errorAnswer, isMessageId, isObject, type ErrorAnswer, type MessageId } from '../protocol/json-rpc';

/** These stay open until the client or the server ends them, so nobody waits for their answer. */
const STREAMS: ReadonlySet<string> = new Set(['subscriptions/listen']);

/** The requests of one stream that have come in and not been answered. */
export class OpenRequests {
  readonly #open = new Map<MessageId, string>();
  readonly #waiting: (() => void)[] = [];

  /**
   * Follows a message that came in. Returns the answer to a request whose id is open already, since two answers with one id could not
   * be told apart.
   */
  received({ kind, message }: GoodMessage): ErrorAnswer | undefined {
    if (kind === 'request') return this.#begin(message['id'] as MessageId, String(message['method']));
    const cancelled = cancelledId(message);
    // A client that cancels expects no answer, and the SDK sends none.
    if (cancelled !== undefined) this.end(cancelled);
    return undefined;
  }

  /** Follows a message that goes out. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) this.end(message.id);
  }

  has(id: MessageId): boolean {
    return this.#open.has(id);
  }

  /** Forgets a request that will not be answered. */
  end(id: MessageId): void {
    if (this.#open.delete(id)) this.#wake();
  }

  /** The ids of the requests that are open. */
  ids(): MessageId[] {
    return [...this.#open.keys()];
  }

  async whenAnswered(): Promise<void> {
    if (this.isQuiet()) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #begin(id: MessageId, method: string): ErrorAnswer | undefined {
    if (this.#open.has(id)) return errorAnswer(null, ErrorCode.InvalidRequest, 'Invalid request: a request with this id is still running');
    this.#open.set(id, method);
    return undefined;
  }

  /** True when nobody waits for an answer. */
  isQuiet(): boolean {
    return [...this.#open.values()].every((method) => STREAMS.has(method));
  }

  #wake(): void {
    if (!this.isQuiet()) return;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** The id of the request that a message cancels. */
export function cancelledId({ method, params }: GoodMessage['message']): MessageId | undefined {
  if (method !== 'notifications/cancelled' || !isObject(params)) return undefined;
  const { requestId } = params;
  return isMessageId(requestId) ? requestId : undefined;
}
