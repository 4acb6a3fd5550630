import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import { checkMessage, type GoodMessage } from '../protocol/check-message';
import { OpenRequests } from './open-requests';
import { Opening, type FrontAnswer } from './opening';

/** What an intake works with. */
export interface IntakeOptions {
  readonly limits: Pick<Limits, 'depth' | 'elements'>;
  readonly logger: LoggerService;
  /** Takes what may go on. */
  readonly deliver: (message: JSONRPCMessage) => void;
  /** Leaves in a `subscriptions/listen` what its caller may follow. */
  readonly admitListen: (message: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** Takes the answer to what may not. */
  readonly answer: (answer: FrontAnswer) => void;
}

/** Everything a message of a stream must pass before the server sees it: its shape, the order of the opening, an id of its own. */
export class Intake {
  readonly #requests = new OpenRequests();
  readonly #opening = new Opening();

  constructor(private readonly options: IntakeOptions) {}

  /** Takes one message as parsed JSON. */
  receive(value: unknown): void {
    const checked = checkMessage(value, this.options.limits);
    if (checked.kind !== 'bad') return this.#admit(checked);
    if (checked.answer === undefined) return this.#drop();
    this.options.answer(checked.answer);
  }

  /** Follows a message that has gone out. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) {
      for (const waiting of this.#opening.answered(message.id, 'error' in message)) this.#admit(waiting);
    }
    this.#requests.sent(message);
  }

  whenAnswered(): Promise<void> {
    return this.#requests.whenAnswered();
  }

  #admit(message: GoodMessage): void {
    const verdict = this.#opening.verdictOn(message);
    if (verdict === 'drop') return this.#drop();
    if (verdict === 'wait') return this.#opening.wait(message);
    if (verdict !== 'deliver') return this.options.answer(verdict);
    const refusal = this.#requests.received(message);
    if (refusal !== undefined) return this.options.answer(refusal);
    this.#opening.delivered(message);
    void this.#deliver(message.message);
  }

  async #deliver(message: Record<string, unknown>): Promise<void> {
    const { deliver, admitListen } = this.options;
    deliver((message['method'] === 'subscriptions/listen' ? await admitListen(message) : message) as unknown as JSONRPCMessage);
  }

  #drop(): void {
    this.options.logger.debug('Dropped a message that means nothing here and may not be answered');
  }
}
