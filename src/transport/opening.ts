import { ErrorCode } from '../errors/mcp-error';
import type { GoodMessage } from '../protocol/check-message';
import { claimedRevision, hasEnvelopeKey } from '../protocol/check-meta';
import { errorAnswer, isObject, type ErrorAnswer, type MessageId } from '../protocol/json-rpc';
import { MODERN_REVISION } from '../protocol/mcp-endpoint';

/** An answer that is given without asking the server. */
export type FrontAnswer = ErrorAnswer | { readonly jsonrpc: '2.0'; readonly id: MessageId; readonly result: object };

/** What becomes of a message: it goes on, waits for the answer to `initialize`, is dropped, or is answered at once. */
export type Verdict = 'deliver' | 'wait' | 'drop' | FrontAnswer;

/**
 * Keeps the order in which a stream must be opened (specification 2025-11-25: Lifecycle; 2026-07-28: Versioning). The first request that is
 * served decides the era; only `server/discover` leaves it open.
 */
export class Opening {
  #era: 'legacy' | 'modern' | undefined;
  #initializing: MessageId | undefined;
  #revision: string | undefined;

  /** True from `initialize` to its answer. */
  get isInitializing(): boolean {
    return this.#initializing !== undefined;
  }

  /** The revision that `initialize` was answered with; undefined before it, and in the modern era. */
  get revision(): string | undefined {
    return this.#revision;
  }

  /** Changes nothing: the message may still be refused for another reason. */
  verdictOn(message: GoodMessage): Verdict {
    if (this.#initializing !== undefined) return 'wait';
    const claimed = claimedRevision(message.message);
    if (message.kind !== 'request') return this.#era === undefined ? 'drop' : 'deliver';
    const id = message.message['id'] as MessageId;
    if (claimed !== undefined) return this.#verdictOnModern(id, claimed);
    if (this.#era === 'modern') return withoutClaim(message, id);
    return this.#verdictOnLegacy(id, String(message.message['method']));
  }

  /** Follows a message that goes on. */
  delivered({ kind, message }: GoodMessage): void {
    if (kind !== 'request' || this.#era !== undefined) return;
    if (claimedRevision(message) === undefined) this.#initializing = message['id'] as MessageId;
    else if (message['method'] !== 'server/discover') this.#era = 'modern';
  }

  /** Follows an answer that goes out. */
  answered({ id, result }: { readonly id?: unknown; readonly result?: unknown }): void {
    if (id === undefined || id !== this.#initializing) return;
    this.#initializing = undefined;
    if (!isObject(result)) return;
    this.#era = 'legacy';
    if (typeof result['protocolVersion'] === 'string') this.#revision = result['protocolVersion'];
  }

  #verdictOnModern(id: MessageId, claimed: string): Verdict {
    if (claimed !== MODERN_REVISION) return unsupported(id, claimed);
    return this.#era === 'legacy' ? refusal(id, 'the connection was opened with initialize, so its requests carry no envelope') : 'deliver';
  }

  #verdictOnLegacy(id: MessageId, method: string): Verdict {
    if (this.#era === 'legacy') return method === 'initialize' ? alreadyInitialized(id) : 'deliver';
    if (method === 'initialize') return 'deliver';
    // Answered here: the SDK would take a ping as the choice of the legacy era.
    if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
    return refusal(id, 'send initialize first');
  }
}

/** The SDK refuses a request without an envelope, but one with half of it in the words of its schema. */
function withoutClaim({ message }: GoodMessage, id: MessageId): Verdict {
  if (!hasEnvelopeKey(message)) return 'deliver';
  return errorAnswer(id, ErrorCode.InvalidParams, 'Invalid params: "io.modelcontextprotocol/protocolVersion" is missing from "_meta"');
}

/** The answer to a second `initialize`, wherever it comes in. */
export function alreadyInitialized(id: MessageId): ErrorAnswer {
  return refusal(id, 'the connection is initialized already');
}

function refusal(id: MessageId, reason: string): ErrorAnswer {
  return errorAnswer(id, ErrorCode.InvalidRequest, `Invalid request: ${reason}`);
}

function unsupported(id: MessageId, requested: string): ErrorAnswer {
  const data = { supported: [MODERN_REVISION], requested };
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.UnsupportedProtocolVersion, message: 'Unsupported protocol version', data } };
}
