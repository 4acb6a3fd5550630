import type { ClientChannel } from '../../contracts/client-channel';
import type { Limits } from '../../contracts/limits';
import { ToolError } from '../../errors/tool-error';
import { Asker } from './asker';
import { missingCapability } from './capabilities';
import { Effects } from './effects';
import { neverFitted, type Inquiries, type Inquiry } from './questions';

/** What a legacy asker works with. */
export interface LegacyAskerOptions {
  readonly inquiries: Inquiries;
  readonly channel: ClientChannel | undefined;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Stops the call's clock while the client is asked; the result starts it again. */
  readonly pauseClock: () => () => void;
}

/** Asks by requests of its own and waits (specification 2025-11-25). Without a way to the client every question is a `ToolError`. */
export class LegacyAsker extends Asker {
  constructor(private readonly options: LegacyAskerOptions) {
    super(options.inquiries, new Effects({}, () => Promise.resolve()));
  }

  protected async put(inquiry: Inquiry): Promise<unknown> {
    const { channel, limits } = this.options;
    if (channel === undefined) throw new ToolError('There is no client to ask: this call came from inside the process');
    if (channel.cannotAsk !== undefined) throw new ToolError(channel.cannotAsk);
    const missing = missingCapability(inquiry, channel.capabilities);
    if (missing !== undefined) throw new ToolError(`The client cannot be asked: it does not support ${missing}`);
    for (let round = 0; round < limits.askRounds; round += 1) {
      const verdict = await inquiry.read(await this.#request(channel, inquiry));
      if (verdict.kind === 'good') return verdict.value;
      if (verdict.kind === 'declined') throw verdict.error;
    }
    throw neverFitted(inquiry.key);
  }

  async #request(channel: ClientChannel, { key, request }: Inquiry): Promise<unknown> {
    const { limits, signal, pauseClock } = this.options;
    const resume = pauseClock();
    try {
      return await channel.request(request.method, request.params, { timeoutMs: limits.askMs, signal });
    } catch (cause) {
      signal.throwIfAborted();
      throw new ToolError(`The client did not answer "${key}"`, { cause });
    } finally {
      resume();
    }
  }
}
