import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { ErrorCode } from '../../errors/mcp-error';
import type { GoodMessage } from '../../protocol/check-message';
import { errorAnswer, type ErrorAnswer, type MessageId } from '../../protocol/json-rpc';
import { OpenRequests } from '../open-requests';

type Send = NodeStreamableHTTPServerTransport['send'];
type Message = Parameters<Send>[0];

/** The SDK's transport of one session, which also knows the requests that have not been answered. */
export class SessionTransport extends NodeStreamableHTTPServerTransport {
  readonly #requests = new OpenRequests();

  /** Follows a message that came in; returns the answer to one that may not go on. */
  received(message: GoodMessage): ErrorAnswer | undefined {
    // The id of a cancelled request is free only when its stream has ended.
    return message.kind === 'request' ? this.#requests.received(message) : undefined;
  }

  override async send(message: Message, options?: Parameters<Send>[1]): Promise<void> {
    try {
      await super.send(message, options);
    } finally {
      this.#requests.sent(message);
    }
  }

  /** Ends the stream of a request that will not be answered: the client has cancelled it, and the SDK would keep it open for ever. */
  async abandon(id: MessageId): Promise<void> {
    if (!this.#requests.has(id)) return;
    this.closeSSEStream(id);
    // Without its stream this answer reaches nobody; it makes the SDK forget the id.
    await this.send(errorAnswer(id, ErrorCode.InvalidRequest, 'Cancelled') as Message).catch(() => undefined);
  }

  /** Follows a request that was refused before it could begin. */
  refused(id: MessageId): void {
    this.#requests.end(id);
  }
}
