import type { AnswerOf, Asking, Question, Root, SampleParams, SampleResult } from '../contracts/asking';
import type { ClientChannel, LoggingLevel, RoundInput } from '../contracts/client-channel';
import { McpContext, type ClientInfo, type Era, type HttpContext, type TransportKind } from '../contracts/mcp-context';
import type { PolicyQuestions } from '../contracts/policy-questions';
import type { Principal } from '../contracts/principal';
import type { SchemaSource } from '../contracts/schema-source';
import { frozenCopy } from './frozen-copy';

/** What the protocol knows of a request when it hands it over. */
export interface OperationRequest {
  readonly requestId: string | number;
  readonly era: Era;
  readonly protocolVersion: string;
  readonly transport: TransportKind;
  readonly client?: ClientInfo | undefined;
  readonly session?: string | undefined;
  /** Whom a verifier found the caller to be. */
  readonly principal?: Principal | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Aborts when the client cancels or its connection ends. */
  readonly signal?: AbortSignal | undefined;
  /** What it came in through, if that can be shut alone. */
  readonly door?: object | undefined;
  /** The way back to the client; absent for a call in process, which has none. */
  readonly channel?: ClientChannel | undefined;
  /** What a modern client answered to the questions of the round before. */
  readonly round?: RoundInput | undefined;
}

const NO_META = Object.freeze({});

/** What a running operation can do besides knowing its request. */
export interface OperationMeans {
  readonly signal: AbortSignal;
  readonly asking: Asking;
  readonly policy: PolicyQuestions;
}

/** The context of one running operation. Frozen, so that nothing a handler does to it reaches another. */
export class OperationContext extends McpContext {
  readonly requestId: string | number;
  readonly era: Era;
  readonly protocolVersion: string;
  readonly transport: TransportKind;
  readonly client: ClientInfo | undefined;
  readonly session: string | undefined;
  readonly principal: Principal | undefined;
  readonly signal: AbortSignal;
  readonly http: HttpContext | undefined;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly #channel: ClientChannel | undefined;
  readonly #asking: Asking;
  readonly #policy: PolicyQuestions;
  #progress = Number.NEGATIVE_INFINITY;

  constructor(request: OperationRequest, { signal, asking, policy }: OperationMeans) {
    super();
    this.requestId = request.requestId;
    this.era = request.era;
    this.protocolVersion = request.protocolVersion;
    this.transport = request.transport;
    this.client = request.client;
    this.session = request.session;
    this.principal = frozenCopy(request.principal);
    this.signal = signal;
    this.http = request.transport === 'http' ? { closeStream: () => request.channel?.closeStream?.() } : undefined;
    this.meta = request.meta ?? NO_META;
    this.#channel = request.channel;
    this.#asking = asking;
    this.#policy = policy;
    Object.freeze(this);
  }

  async progress(progress: number, { total, message }: { readonly total?: number; readonly message?: string } = {}): Promise<void> {
    const token = this.meta['progressToken'];
    // Specification, Progress: "The progress value MUST increase with each notification".
    if (token === undefined || !Number.isFinite(progress) || progress <= this.#progress) return;
    this.#progress = progress;
    await this.#channel?.notify('notifications/progress', {
      progressToken: token,
      progress,
      // JSON has no other numbers: what divides by nothing counts nothing.
      ...(Number.isFinite(total) ? { total } : {}),
      ...(message === undefined ? {} : { message }),
    });
  }

  async log(level: LoggingLevel, data: unknown, logger?: string): Promise<void> {
    await this.#channel?.log(level, hasJson(data) ? data : null, logger);
  }

  get enforced(): boolean {
    return this.#policy.enforced;
  }

  allowsFsRead(path: string): boolean {
    return this.#policy.allowsFsRead(path);
  }

  allowsFsWrite(path: string): boolean {
    return this.#policy.allowsFsWrite(path);
  }

  allowsNetwork(hostOrUrl: string): boolean {
    return this.#policy.allowsNetwork(hostOrUrl);
  }

  allowsSocket(path: string): boolean {
    return this.#policy.allowsSocket(path);
  }

  ask<S extends SchemaSource>(key: string, question: Question<S>): Promise<AnswerOf<S>> {
    return this.#asking.ask(key, question);
  }

  sample(key: string, params: SampleParams): Promise<SampleResult> {
    return this.#asking.sample(key, params);
  }

  roots(key: string): Promise<readonly Root[]> {
    return this.#asking.roots(key);
  }

  once<T>(key: string, effect: () => T | Promise<T>): Promise<T> {
    return this.#asking.once(key, effect);
  }
}

/** JSON leaves these out, and a log message must have its data. */
function hasJson(data: unknown): boolean {
  return data !== undefined && typeof data !== 'function' && typeof data !== 'symbol';
}
Object.freeze(OperationContext.prototype);
Object.freeze(McpContext.prototype);
