import { randomUUID } from 'node:crypto';
import type { FlowStore, RoundOutcome } from '../../contracts/flow-store';
import type { Limits } from '../../contracts/limits';
import { ErrorCode, McpError } from '../../errors/mcp-error';
import type { OperationRequest } from '../operation-context';
import { Effects } from './effects';
import { ModernAsker } from './modern-asker';
import type { Inquiries } from './questions';
import type { FlowState, StateBinding, StateSeal } from './state-seal';

/** What rounds are run with. */
export interface RoundsOptions {
  readonly inquiries: Inquiries;
  readonly seal: StateSeal;
  /** Asked for at the first call, since a module may provide it. */
  readonly store: () => FlowStore;
  readonly limits: Limits;
}

/** Runs the handler once with what it asks with. Rejects only with an `McpError`. */
export type Attempt<R> = (asker: ModernAsker) => Promise<R>;

/** One request of a call. */
export interface Delivery {
  readonly request: OperationRequest;
  readonly binding: StateBinding;
  /** Rejects when the call is over, whatever the store still has to say. */
  readonly cutOff: Promise<never>;
}

/** One round of one call. */
interface Round extends Delivery {
  readonly state: FlowState;
}

/** Runs modern calls that may ask the client: each round is one request, and the handler runs from its start in each. */
export class Rounds {
  constructor(private readonly options: RoundsOptions) {}

  /**
   * The result, or what the client is asked first. Rejects with -32602 for a state that is not ours, not this call's, or expired; with what a
   * store throws; and with the end of the call while a store keeps it waiting.
   */
  async run<R>(delivery: Delivery, attempt: Attempt<R>): Promise<R> {
    const state = this.#open(delivery.request, delivery.binding);
    const round = { ...delivery, state };
    // The client of a first request knows no flow yet, so there is nothing by which a repeat of it could be told.
    return state.round === 0 ? this.#run(round, attempt) : this.#runOnce(round, attempt);
  }

  #open({ round }: OperationRequest, binding: StateBinding): FlowState {
    if (round?.state === undefined) return { flow: randomUUID(), round: 0, answers: {}, effects: {} };
    const state = this.options.seal.open(round.state, binding);
    if (state === undefined) throw new McpError(ErrorCode.InvalidParams, 'Invalid or expired requestState');
    return state;
  }

  /** The first delivery of a round runs it; a repeat gets the same outcome, also while it still runs. */
  async #runOnce<R>(round: Round, attempt: Attempt<R>): Promise<R> {
    const store = this.options.store();
    const { flow, round: number } = round.state;
    const { cutOff } = round;
    while (!(await Promise.race([store.claim(flow, number), cutOff]))) {
      const outcome = await Promise.race([store.outcome(flow, number), cutOff]);
      if (outcome !== undefined) return replay<R>(outcome);
    }
    try {
      return replay<R>(await this.#runClaimed(round, attempt));
    } catch (error) {
      // Whoever waits for the outcome of a round that has none runs it again.
      if (!(error instanceof McpError)) await store.release(flow, number).catch(() => undefined);
      throw error;
    }
  }

  async #runClaimed(round: Round, attempt: Attempt<unknown>): Promise<RoundOutcome> {
    const store = this.options.store();
    const { flow, round: number } = round.state;
    const outcome = await outcomeOf(this.#run(round, attempt));
    // A client that went away before its answer was ready comes back for it, and what its leaving cut short has to run again.
    if (round.request.signal?.aborted === true && hasFailed(outcome)) await store.release(flow, number);
    else await store.settle(flow, number, outcome);
    return outcome;
  }

  async #run<R>({ state, binding, request, cutOff }: Round, attempt: Attempt<R>): Promise<R> {
    const { inquiries, limits, seal } = this.options;
    const store = this.options.store();
    const kept = state.round === 0 ? {} : await Promise.race([store.effects(state.flow), cutOff]);
    const effects = new Effects({ ...state.effects, ...kept }, (key, value) => store.keepEffect(state.flow, key, value));
    const answers = { ...state.answers, ...request.round?.responses };
    const isLastRound = state.round >= limits.askRounds;
    const asker = new ModernAsker({ inquiries, effects, capabilities: request.channel?.capabilities, answers, isLastRound });
    const outcome = await outcomeOf(attempt(asker));
    if (asker.refusal !== undefined && 'error' in outcome && outcome.error.code === asker.refusal.code) throw asker.refusal;
    if (asker.pending.size === 0) return replay<R>(outcome);
    const next = { flow: state.flow, round: state.round + 1, answers: asker.used, effects: effects.known };
    return { resultType: 'input_required', inputRequests: Object.fromEntries(asker.pending), requestState: seal.seal(next, binding) } as R;
  }
}

async function outcomeOf(running: Promise<unknown>): Promise<RoundOutcome> {
  try {
    return { result: await running };
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    const { code, message, data } = error;
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}

function replay<R>(outcome: RoundOutcome): R {
  if ('error' in outcome) throw new McpError(outcome.error.code, outcome.error.message, outcome.error.data);
  return outcome.result as R;
}

function hasFailed(outcome: RoundOutcome): boolean {
  return 'error' in outcome || (outcome.result as { readonly isError?: unknown } | undefined)?.isError === true;
}
