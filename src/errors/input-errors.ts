import { brand } from './brand';
import { ToolError } from './tool-error';

/** The person at the client said no, or closed the question. */
export class InputDeclined extends ToolError {
  constructor(
    /** The key under which the handler asked. */
    readonly key: string,
    readonly action: 'decline' | 'cancel',
  ) {
    super(action === 'decline' ? `The request for input "${key}" was declined` : `The request for input "${key}" was cancelled`);
    this.name = 'InputDeclined';
  }
}
brand(InputDeclined);

/**
 * What an unanswered `ask`, `sample` or `roots` rejects with in the modern era: the question goes to the client, and the handler runs again
 * from its start with the answer. Let it pass; catching it changes nothing, for the question is recorded already.
 */
export class InputPending extends Error {
  constructor(readonly key: string) {
    super(`The client is asked for "${key}", and the handler runs again with its answer`);
    this.name = 'InputPending';
  }
}
brand(InputPending);
