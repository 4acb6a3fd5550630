import type { Limits } from '../../contracts/limits';
import type { GoodMessage } from '../../protocol/check-message';
import type { ErrorAnswer, MessageId } from '../../protocol/json-rpc';
import { Backlog } from '../backlog';
import type { Batches, ElementAnswer } from '../batches';
import { checkElement } from '../check-batch';
import { cancelledId } from '../open-requests';

/** What the elements of a batch go through. */
export interface BatchRun {
  readonly batches: Batches;
  readonly limits: Pick<Limits, 'depth' | 'elements' | 'streamCalls'>;
  /** Follows an element that comes in; returns the answer to one that may not go on. */
  readonly received: (message: GoodMessage) => ErrorAnswer | undefined;
  readonly deliver: (message: GoodMessage) => void;
  /** Told of an element that its client has cancelled. */
  readonly cancelled: (id: MessageId) => void;
}

/**
 * Runs the elements of one batch, at most `streamCalls` at a time, and resolves with the answers in the order of the requests: none where
 * nothing is to be answered.
 */
export async function runBatch(values: readonly unknown[], run: BatchRun): Promise<readonly ElementAnswer[]> {
  return new Promise((resolve) => {
    const batch = run.batches.begin({ write: resolve, onRoom: () => backlog.goOn() });
    const backlog = new Backlog({ mayGoOn: () => batch.waiting < run.limits.streamCalls, onIdle: () => undefined });
    backlog.addInFront([
      ...values.map((value) => () => {
        const checked = checkElement(value, run.limits);
        const answer = checked.kind === 'bad' ? checked.answer : run.received(checked);
        if (answer !== undefined) return batch.add(answer);
        if (checked.kind === 'bad') return;
        if (checked.kind === 'request') batch.expect(checked.message['id'] as MessageId);
        run.deliver(checked);
        const cancelled = cancelledId(checked.message);
        if (cancelled !== undefined) run.cancelled(cancelled);
      }),
      () => batch.complete(),
    ]);
    backlog.goOn();
  });
}
