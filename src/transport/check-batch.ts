import type { Limits } from '../contracts/limits';
import { ErrorCode } from '../errors/mcp-error';
import { checkMessage, type BadMessage, type GoodMessage } from '../protocol/check-message';
import { errorAnswer, type ErrorAnswer, type MessageId } from '../protocol/json-rpc';

type MessageLimits = Pick<Limits, 'depth' | 'elements'>;

/** `initialize` decides what follows it, and the other stays open by design, so that its batch would never be answered. */
const ALONE: ReadonlySet<unknown> = new Set(['initialize', 'subscriptions/listen']);

/** The one answer to a batch that is refused as a whole, if it is. */
export function problemOfBatch(batch: readonly unknown[], { batchElements }: Pick<Limits, 'batchElements'>): ErrorAnswer | undefined {
  if (batch.length === 0) return invalid(null, 'a batch must not be empty');
  return batch.length > batchElements ? invalid(null, `a batch may have at most ${String(batchElements)} elements`) : undefined;
}

/** Checks one element. A bad one has an answer of its own and refuses no other. */
export function checkElement(value: unknown, limits: MessageLimits): GoodMessage | BadMessage {
  if (Array.isArray(value)) return { kind: 'bad', answer: invalid(null, 'a batch cannot stand in a batch') };
  const checked = checkMessage(value, limits);
  if (checked.kind !== 'request' || !ALONE.has(checked.message['method'])) return checked;
  const { id, method } = checked.message;
  return { kind: 'bad', answer: invalid(id as MessageId, `${String(method)} cannot stand in a batch`) };
}

/** The answer to an array where batches are not accepted. */
export function batchNotAccepted(): ErrorAnswer {
  return invalid(null, 'batches are not accepted');
}

function invalid(id: MessageId | null, reason: string): ErrorAnswer {
  return errorAnswer(id, ErrorCode.InvalidRequest, `Invalid request: ${reason}`);
}
