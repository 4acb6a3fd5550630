import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import { ErrorCode } from '../errors/mcp-error';
import { checkMessage, type BadMessage, type GoodMessage } from '../protocol/check-message';
import { errorAnswer, type MessageId } from '../protocol/json-rpc';
import { Backlog } from './backlog';
import { Batches, type Batch } from './batches';
import { batchNotAccepted, checkElement, problemOfBatch } from './check-batch';
import { cancelledId, OpenRequests, stillRunning } from './open-requests';
import { Opening, type FrontAnswer } from './opening';

/** What stands in every message that can end a wait. */
const MAKES_ROOM = /"notifications\/cancelled"|"result"|"error"/;

/** What an intake works with. */
export interface IntakeOptions {
  readonly limits: Pick<Limits, 'depth' | 'elements' | 'batchElements' | 'streamCalls'>;
  readonly logger: LoggerService;
  /** Whether a connection of this revision may send batches. */
  readonly acceptsBatches: (revision: string | undefined) => boolean;
  /** Takes what may go on. */
  readonly deliver: (message: JSONRPCMessage) => void;
  /** Leaves in a `subscriptions/listen` what its caller may follow. */
  readonly admitListen: (message: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** Takes the answer to what may not, and the answers to a batch. */
  readonly answer: (answer: object) => void;
  /** False while the client takes nothing more; `goOn` ends that. */
  readonly mayAnswer?: () => boolean;
  /** Called when more may come: everything that came in has been looked at, or waits for room. */
  readonly onReady?: () => void;
}

/** One message on its way in. */
interface Incoming {
  readonly message: GoodMessage;
  /** It came in after the end had begun. */
  readonly isLate: boolean;
  readonly reply: (answer: FrontAnswer) => void;
  readonly batch?: Batch;
}

/**
 * Everything a message of a stream must pass before the server sees it: its shape, the order of the opening, an id of its own, and a place
 * among those that run. What has no place waits, and what is behind it too: nothing is refused for being too much.
 */
export class Intake {
  readonly #requests = new OpenRequests();
  readonly #opening = new Opening();
  readonly #batches = new Batches((id) => this.#requests.has(id));
  readonly #backlog: Backlog;
  #isHolding = false;
  #isStopped = false;
  #isOver = false;

  constructor(private readonly options: IntakeOptions) {
    this.#backlog = new Backlog({
      mayGoOn: () => this.#mayGoOn(),
      onIdle: () => options.onReady?.(),
      onWaiting: () => {
        if (this.waitsForRoom) options.onReady?.();
      },
    });
  }

  /** False while something waits: then nothing more should be read. */
  get isReady(): boolean {
    return this.#backlog.isEmpty && this.#mayGoOn();
  }

  /** Takes the next message. `read` parses it when its turn comes, and returns undefined if there is nothing to receive. */
  take(read: () => unknown): void {
    const isLate = this.#isStopped;
    this.#backlog.add(() => {
      const value = read();
      if (value !== undefined) this.#receive(value, isLate);
    });
  }

  /** True while only a call that ends can make room for what waits. */
  get waitsForRoom(): boolean {
    return this.#isHolding && !this.#isOver && !this.#opening.isInitializing && this.options.mayAnswer?.() !== false;
  }

  /**
   * Takes a message out of its turn while others wait for room, if it can make some: the answer that a running call waits for, or the
   * cancellation of one. False for any other, which has to be taken in its turn.
   */
  takesAhead(text: string): boolean {
    if (!this.waitsForRoom || !MAKES_ROOM.test(text)) return false;
    const message = this.#awaited(text);
    if (message === undefined) return false;
    this.#goesOn(message);
    this.goOn();
    return true;
  }

  #awaited(text: string): GoodMessage | undefined {
    try {
      const checked = checkMessage(JSON.parse(text), this.options.limits);
      return checked.kind !== 'bad' && this.#requests.isAbout(checked) ? checked : undefined;
    } catch {
      return undefined;
    }
  }

  /** Looks at what has waited, as far as it may. */
  goOn(): void {
    this.#backlog.goOn();
  }

  /** True for an answer that must not leave by itself: it stands in a batch. */
  keeps(message: JSONRPCMessage): boolean {
    return !('method' in message) && message.id !== undefined && this.#batches.has(message.id);
  }

  /** Follows a message that the server has sent, on behalf of the request `related` if it is no answer. */
  sent(message: JSONRPCMessage, related?: MessageId): void {
    if (!('method' in message)) {
      this.#opening.answered(message);
      if (message.id !== undefined) this.#batches.settle(message.id, message);
    }
    this.#requests.sent(message, related);
    this.goOn();
  }

  /** Begins nothing more that comes in from now on. What has come in goes on, and so do the answers of the client. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Refuses also what has come in and not begun. */
  refuseRest(): void {
    this.#isStopped = true;
    this.#isOver = true;
    this.goOn();
  }

  async whenAnswered(): Promise<void> {
    while (!this.#requests.isQuiet() || !this.#backlog.isEmpty) {
      await this.#requests.whenAnswered();
      await this.#backlog.whenEmpty();
    }
  }

  #mayGoOn(): boolean {
    if (this.#isOver) return true;
    if (this.options.mayAnswer?.() === false) return false;
    return !this.#isHolding || !(this.#opening.isInitializing || this.#isFull());
  }

  #isFull(): boolean {
    return !this.#isOver && this.#requests.running >= this.options.limits.streamCalls;
  }

  /** Keeps this in front of what came after it, until an answer makes room. */
  #hold(step: () => void): void {
    this.#isHolding = true;
    this.#backlog.addInFront([
      () => {
        this.#isHolding = false;
        step();
      },
    ]);
  }

  #receive(value: unknown, isLate: boolean): void {
    if (Array.isArray(value)) return this.#receiveBatch(value, isLate);
    const reply = (answer: FrontAnswer): void => this.options.answer(this.#isTaken(answer.id) ? stillRunning() : answer);
    this.#pass(checkMessage(value, this.options.limits), { isLate, reply });
  }

  /** True for an id that an answer will have which is not here yet: one that has it now would be taken for that. */
  #isTaken(id: MessageId | null): boolean {
    return id !== null && (this.#requests.has(id) || this.#batches.has(id));
  }

  #receiveBatch(values: readonly unknown[], isLate: boolean): void {
    // Whether there are batches is what the answer to `initialize` says.
    if (this.#opening.isInitializing && !this.#isOver) return this.#hold(() => this.#receiveBatch(values, isLate));
    const { limits, answer, acceptsBatches } = this.options;
    const problem = problemOfBatch(values, limits) ?? (acceptsBatches(this.#opening.revision) ? undefined : batchNotAccepted());
    if (problem !== undefined) return answer(problem);
    const batch = this.#batches.begin({
      write: (answers) => {
        if (answers.length > 0) answer(answers);
      },
    });
    const reply = (element: FrontAnswer): void => batch.add(element);
    const steps = values.map((value) => () => this.#pass(checkElement(value, limits), { isLate, reply, batch }));
    this.#backlog.addInFront([...steps, () => batch.complete()]);
  }

  #pass(checked: GoodMessage | BadMessage, incoming: Omit<Incoming, 'message'>): void {
    if (checked.kind !== 'bad') return this.#admit({ ...incoming, message: checked });
    if (checked.answer === undefined) return this.#drop();
    incoming.reply(checked.answer);
  }

  #admit(incoming: Incoming): void {
    const { message, isLate, reply } = incoming;
    const verdict = this.#opening.verdictOn(message);
    if (message.kind === 'request' && (isLate || this.#isOver)) return reply(shuttingDown(message));
    if (verdict === 'wait' && !this.#isOver) return this.#hold(() => this.#admit(incoming));
    if (verdict === 'wait' || verdict === 'drop') return this.#drop();
    if (verdict !== 'deliver') return reply(verdict);
    if (message.kind !== 'request') return this.#goesOn(message);
    if (this.#isFull()) return this.#hold(() => this.#admit(incoming));
    this.#begin(message, incoming);
  }

  #begin(message: GoodMessage, { reply, batch }: Incoming): void {
    const id = message.message['id'] as MessageId;
    const refusal = this.#batches.has(id) ? stillRunning() : this.#requests.received(message);
    if (refusal !== undefined) return reply(refusal);
    batch?.expect(id);
    this.#opening.delivered(message);
    void this.#deliver(message.message);
  }

  /** A notification, or an answer of the client. */
  #goesOn(message: GoodMessage): void {
    this.#requests.received(message);
    void this.#deliver(message.message);
    const cancelled = cancelledId(message.message);
    if (cancelled !== undefined) this.#batches.forget(cancelled);
  }

  async #deliver(message: Record<string, unknown>): Promise<void> {
    const { deliver, admitListen } = this.options;
    deliver((message['method'] === 'subscriptions/listen' ? await admitListen(message) : message) as unknown as JSONRPCMessage);
  }

  #drop(): void {
    this.options.logger.debug('Dropped a message that means nothing here and may not be answered');
  }
}

function shuttingDown({ message }: GoodMessage): FrontAnswer {
  return errorAnswer(message['id'] as MessageId, ErrorCode.InternalError, 'Shutting down');
}
