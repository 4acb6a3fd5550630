import type { ClientCapabilities } from '../../contracts/client-channel';
import { InputPending } from '../../errors/input-errors';
import { McpError } from '../../errors/mcp-error';
import { ToolError } from '../../errors/tool-error';
import { Asker } from './asker';
import { missingCapability } from './capabilities';
import type { Effects } from './effects';
import type { ClientRequest, Inquiries, Inquiry } from './questions';

/** Specification 2026-07-28: a request needs a capability that its envelope does not declare. */
const MISSING_CAPABILITY = -32021;

/** What a modern asker works with. */
export interface ModernAskerOptions {
  readonly inquiries: Inquiries;
  readonly effects: Effects;
  readonly capabilities: ClientCapabilities | undefined;
  /** Answers of earlier rounds, then those that came with this one. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** True when the client may not be sent back another time. */
  readonly isLastRound: boolean;
}

/**
 * Answers from what the client has sent so far; what is missing is recorded, and the question rejects (specification 2026-07-28:
 * input_required). What was recorded decides how the request is answered, whatever becomes of the rejection.
 */
export class ModernAsker extends Asker {
  readonly #pending = new Map<string, ClientRequest>();
  readonly #used: Record<string, unknown> = {};
  #refusal: McpError | undefined;

  constructor(private readonly options: ModernAskerOptions) {
    super(options.inquiries, options.effects);
  }

  /** The questions that are open, by key; empty when the handler had every answer it asked for. */
  get pending(): ReadonlyMap<string, ClientRequest> {
    return this.#pending;
  }

  /** The answers that were asked for and fit, as the client sent them. Others are ignored and forgotten. */
  get used(): Readonly<Record<string, unknown>> {
    return this.#used;
  }

  /** Set when something was asked that the client has not declared it can answer. */
  get refusal(): McpError | undefined {
    return this.#refusal;
  }

  override get decides(): boolean {
    return this.#pending.size > 0;
  }

  protected async put(inquiry: Inquiry): Promise<unknown> {
    const { key } = inquiry;
    const response = Object.hasOwn(this.options.answers, key) ? this.options.answers[key] : undefined;
    if (response === undefined) return this.#record(inquiry);
    const verdict = await inquiry.read(response);
    if (verdict.kind === 'wrong') return this.#record(inquiry);
    this.#used[key] = response;
    if (verdict.kind === 'declined') throw verdict.error;
    return verdict.value;
  }

  #record(inquiry: Inquiry): never {
    const { capabilities, isLastRound } = this.options;
    const missing = missingCapability(inquiry, capabilities);
    if (missing !== undefined) {
      this.#refusal = new McpError(MISSING_CAPABILITY, `The client does not support ${missing}`, {
        requiredCapabilities: inquiry.requires,
      });
      throw this.#refusal;
    }
    if (isLastRound) throw new ToolError(`The client was asked too often; "${inquiry.key}" is still open`);
    this.#pending.set(inquiry.key, inquiry.request);
    throw new InputPending(inquiry.key);
  }
}
