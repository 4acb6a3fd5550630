import type { Asking } from '../contracts/asking';
import type { SecurityDecorator } from '../contracts/enhancers';
import type { Operation } from '../contracts/execution-context';
import type { Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import type { McpContext } from '../contracts/mcp-context';
import type { PolicyQuestions } from '../contracts/policy-questions';
import type { RequestScope } from '../contracts/provider';
import { McpError } from '../errors/mcp-error';
import { ToolError } from '../errors/tool-error';
import type { Asker } from './ask/asker';
import { LegacyAsker } from './ask/legacy-asker';
import type { Inquiries } from './ask/questions';
import type { Rounds } from './ask/rounds';
import type { AuditedEnd, Auditor } from './auditor';
import type { CompiledOperation } from './compiled-operation';
import type { GlobalEnhancers } from './global-enhancers';
import { OperationContext, type OperationRequest } from './operation-context';
import { HiddenEntry } from './denial';
import { outcomeOf } from './outcome';
import { Pipelines, type CompiledPipeline } from './pipelines';
import { isSeen } from './protection';
import { hasScopes } from './visibility';
import type { RunningCall, RunningCalls } from './running-calls';

/** What an invoker works with. */
export interface OperationInvokerOptions {
  readonly limits: Limits;
  readonly logger: LoggerService;
  readonly running: RunningCalls;
  readonly globals: GlobalEnhancers;
  readonly inquiries: Inquiries;
  readonly rounds: Rounds;
  readonly policy: PolicyQuestions;
  readonly auditor: Auditor;
  /** Begins the request scope of one operation. */
  readonly openScope: (context: McpContext) => RequestScope;
}

/** An operation that has not begun. */
interface AskedFor {
  readonly operation: CompiledOperation<unknown>;
  readonly raw: unknown;
}

/** One request that is being served. */
interface Served<R> {
  readonly operation: CompiledOperation<R>;
  readonly raw: unknown;
  /** What the audit keeps of it. */
  readonly sent: unknown;
  readonly request: OperationRequest;
  readonly call: RunningCall;
  /** Of `performance.now()`. */
  readonly startedAt: number;
  /** True when it was denied, whatever a filter made of that. */
  isDenied?: boolean;
  /** False until it is decided that the caller may know of the entry. */
  isSeen: boolean;
}

/** Runs one operation from raw arguments to a result. Every one goes through here, from every transport and in process. */
export class OperationInvoker {
  readonly #pipelines: Pipelines;

  constructor(private readonly options: OperationInvokerOptions) {
    this.#pipelines = new Pipelines(options);
  }

  /** Resolves with the result to send. Rejects only with an `McpError`, for the protocol to answer with that code. */
  async invoke<R>(operation: CompiledOperation<R>, raw: unknown, request: OperationRequest): Promise<R> {
    const timeoutMs = operation.timeoutMs ?? this.options.limits.callTimeoutMs;
    const call = this.options.running.begin({ timeoutMs, upstream: request.signal, door: request.door });
    const isSeen = !this.dependsOnCaller(operation);
    try {
      return await this.#serve({
        operation,
        raw,
        sent: this.options.auditor.keep(raw),
        request,
        call,
        startedAt: performance.now(),
        isSeen,
      });
    } finally {
      call.end();
    }
  }

  /** True when an answer to who may know of the entry depends on who asks. */
  dependsOnCaller(operation: CompiledOperation<unknown>): boolean {
    return this.#pipelines.of(operation).protection.visibility.dependsOnCaller;
  }

  /** Grows when what was decided about entries has to be decided again. */
  get version(): number {
    return this.options.globals.version;
  }

  /** Which of these entries the caller may know of. One that cannot be decided within the call timeout is hidden. */
  async visible(operations: readonly CompiledOperation<unknown>[], request: OperationRequest): Promise<readonly boolean[]> {
    const call = this.options.running.begin({ timeoutMs: this.options.limits.callTimeoutMs, upstream: request.signal, door: request.door });
    const context = this.#contextOf(request, call, this.#legacyAsker(request, call));
    const scope = this.#openScope(
      operations.map((each) => this.#pipelines.of(each)),
      context,
      call,
    );
    const closed = call.cutOff.catch(() => false);
    try {
      return await Promise.all(
        operations.map((each) => {
          const { protection } = this.#pipelines.of(each);
          return Promise.race([isSeen(protection, context, scope), closed]);
        }),
      );
    } finally {
      call.end();
    }
  }

  /**
   * The scopes a caller lacks for an operation, for a transport that can challenge it before it begins. Undefined when nothing is lacking, and
   * for an entry that the caller may not know of: a challenge would tell.
   */
  async missingScopes({ operation, raw }: AskedFor, request: OperationRequest): Promise<readonly string[] | undefined> {
    const { security } = this.#pipelines.of(operation).protection;
    if (hasScopes(security.scopes, request.principal)) return undefined;
    const startedAt = performance.now();
    if ((await this.visible([operation], request))[0] !== true) return undefined;
    this.#record(
      { operation, raw, sent: this.options.auditor.keep(raw), request, startedAt },
      { outcome: 'denied', reason: 'insufficient scope' },
    );
    return [...new Set(security.scopes.flatMap(({ scopes }) => scopes))];
  }

  /** Records a request for what does not exist. */
  recordUnknown(operation: Operation | undefined, name: string, request: OperationRequest): void {
    this.options.auditor.record({ operation, name, request, startedAt: performance.now() }, { outcome: 'unknown' });
  }

  /** The security decorators of an entry that no guard of its decides. */
  unguarded(operation: CompiledOperation<unknown>): readonly SecurityDecorator[] {
    return this.#pipelines.of(operation).protection.unguarded;
  }

  async #serve<R>(served: Served<R>): Promise<R> {
    const { rounds } = this.options;
    const { operation, raw, request, call } = served;
    if (request.era === 'modern' && request.channel !== undefined) {
      const binding = { method: operation.operation, name: operation.name, arguments: raw ?? {}, principal: request.principal?.id };
      try {
        return await rounds.run({ request, binding, cutOff: call.cutOff }, (asker) => this.#attempt(served, asker));
      } catch (error) {
        return await this.#answerRefused(served, error);
      }
    }
    return this.#attempt(served, this.#legacyAsker(request, call));
  }

  /** A state that is refused, or a store that fails, must not tell that there is an entry which the state could have belonged to. */
  async #answerRefused<R>(served: Served<R>, error: unknown): Promise<R> {
    const { operation, raw, request } = served;
    const isKnown = served.isSeen || (await this.visible([operation], request))[0] === true;
    if (!isKnown) return operation.answerError(new HiddenEntry(), this.options.logger, raw);
    if (error instanceof McpError) throw error;
    return this.#fail(served, error);
  }

  #legacyAsker({ channel }: OperationRequest, call: RunningCall): LegacyAsker {
    const { inquiries, limits } = this.options;
    return new LegacyAsker({ inquiries, channel, limits, signal: call.signal, pauseClock: () => call.pauseClock() });
  }

  async #attempt<R>(served: Served<R>, asker: Asker): Promise<R> {
    const { call } = served;
    try {
      const result = await Promise.race([this.#run(served, asker), call.cutOff]);
      this.#record(served, { outcome: (result as { isError?: unknown } | undefined)?.isError === true ? 'failed' : 'ok' });
      return result;
    } catch (error) {
      // The handler was interrupted by its own question, which is no error.
      if (asker.decides && !(error instanceof McpError)) return undefined as R;
      // Nobody is told how the decision whether they may know of an entry has failed.
      if (!served.isSeen) return this.#fail(served, new HiddenEntry());
      // A client that cancelled waits for no answer, and a handler that stops for it has not failed.
      const thrown: unknown =
        call.signal.aborted && error === call.signal.reason && !(error instanceof ToolError) ? new ToolError('Cancelled') : error;
      return this.#fail(served, thrown);
    }
  }

  #fail<R>(served: Served<R>, thrown: unknown): R {
    const { operation, raw, call } = served;
    try {
      return operation.answerError(thrown, this.options.logger, raw);
    } finally {
      this.#record(served, outcomeOf(thrown, call.signal));
    }
  }

  /** Runs the handler, and waits for what it asked and began but did not wait for. */
  async #run<R>(served: Served<R>, asker: Asker): Promise<R> {
    const { operation, raw, request, call } = served;
    const pipeline = this.#pipelines.of(operation);
    const context = this.#contextOf(request, call, asker);
    const scope = this.#openScope([pipeline], context, call);
    try {
      const step = {
        execution: operation.describe(raw, context),
        scope,
        onSeen: () => void (served.isSeen = true),
        onDenied: () => void (served.isDenied = true),
      };
      return await operation.toResult(await pipeline.run(step), raw);
    } finally {
      await asker.settled();
    }
  }

  #contextOf(request: OperationRequest, { signal }: RunningCall, asker: Asker): OperationContext {
    return new OperationContext(request, { signal, asking: asker satisfies Asking, policy: this.options.policy });
  }

  /** Request-scoped instances end after the answer has left. */
  #openScope(pipelines: readonly CompiledPipeline[], context: OperationContext, call: RunningCall): RequestScope | undefined {
    if (!pipelines.some(({ needsScope }) => needsScope)) return undefined;
    const scope = this.options.openScope(context);
    call.whenEnded(() => scope.close());
    return scope;
  }

  #record<R>({ operation, raw, sent, request, startedAt, isDenied }: Omit<Served<R>, 'call' | 'isSeen'>, end: AuditedEnd): void {
    const audited = { operation: operation.operation, name: operation.nameOf?.(raw) ?? operation.name, request, sent, startedAt };
    this.options.auditor.record(audited, isDenied === true ? { ...end, outcome: 'denied' } : end);
  }
}
