import type { CanActivate, SecurityDecorator } from '../../contracts/enhancers';
import type { ExecutionContext } from '../../contracts/execution-context';
import type { RateDemand } from '../../contracts/security';
import { ErrorCode, McpError } from '../../errors/mcp-error';
import { McpSetupError } from '../../errors/setup-error';
import { ToolError } from '../../errors/tool-error';

/** A limiter of `rate-limiter-flexible`, with whatever store: rejects with its result when there are no points left. */
export interface RateLimiter {
  consume(key: string, points?: number): Promise<unknown>;
}

/** What a limiter is made with: the names are those of `rate-limiter-flexible`. */
export interface RateLimiterOptions {
  readonly keyPrefix: string;
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
}

/** How callers are counted. */
export interface RateLimitOptions {
  /** Makes the limiter of one `@RateLimit()`; default counts in the memory of this process. */
  readonly createLimiter?: (options: RateLimiterOptions) => RateLimiter;
  /** Tells callers apart; default the id of the principal, else the legacy session, else all together. */
  readonly keyOf?: (context: ExecutionContext) => string;
}

/**
 * Decides `@RateLimit()`, by `rate-limiter-flexible`, an optional peer that is loaded when the first such entry is asked for. A caller
 * who asks too often is told how long to wait. A store that fails denies.
 *
 * The points of a demand are counted per caller and per entry; lists are not counted. Give options by a provider:
 * `{ provide: RateLimitGuard, useValue: RateLimitGuard.with({ createLimiter, keyOf }) }`.
 */
export class RateLimitGuard implements CanActivate {
  /** A guard with options. */
  static with(options: RateLimitOptions): RateLimitGuard {
    const guard = new RateLimitGuard();
    guard.#options = options;
    return guard;
  }

  readonly enforces: readonly SecurityDecorator[] = ['rates'];
  readonly #limiters = new Map<string, RateLimiter>();
  #options: RateLimitOptions = {};

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { security, operation } = context.switchToMcp();
    if (operation === 'list') return true;
    for (const [index, demand] of security.rates.entries()) await this.#consume({ ...demand, index }, context);
    return true;
  }

  async #consume(demand: CountedDemand, context: ExecutionContext): Promise<void> {
    const key = (this.#options.keyOf ?? callerOf)(context);
    try {
      await this.#limiterOf(demand, context).consume(key);
    } catch (refused) {
      const waitMs: unknown = (refused as { msBeforeNext?: unknown } | null | undefined)?.msBeforeNext;
      if (typeof waitMs !== 'number') throw refused;
      throw tooMany(context, waitMs);
    }
  }

  #limiterOf({ points, durationMs, index }: CountedDemand, context: ExecutionContext): RateLimiter {
    const keyPrefix = `perch:${context.getClass().name}:${context.switchToMcp().entry}:${String(index)}:${String(points)}:${String(durationMs)}`;
    const known = this.#limiters.get(keyPrefix);
    if (known !== undefined) return known;
    const made = (this.#options.createLimiter ?? inMemory)({ keyPrefix, points, duration: durationMs / 1000 });
    this.#limiters.set(keyPrefix, made);
    return made;
  }
}

/** A demand, and its place among those of its entry: two that are alike count apart. */
interface CountedDemand extends RateDemand {
  readonly index: number;
}

function callerOf(context: ExecutionContext): string {
  const { principal, session } = context.switchToMcp().context;
  if (principal !== undefined) return `principal:${principal.id}`;
  return session === undefined ? 'everybody' : `session:${session}`;
}

/** A tool's caller reads a result; everybody else gets a protocol error, since the thing exists all the same. */
function tooMany(context: ExecutionContext, waitMs: number): Error {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const text = `Too many requests. Try again in ${String(seconds)} s`;
  return context.switchToMcp().operation === 'call' ? new ToolError(text) : new McpError(ErrorCode.InternalError, text);
}

function inMemory(options: RateLimiterOptions): RateLimiter {
  const { RateLimiterMemory } = load();
  return new RateLimiterMemory(options);
}

function load(): { readonly RateLimiterMemory: new (options: RateLimiterOptions) => RateLimiter } {
  try {
    return require('rate-limiter-flexible') as ReturnType<typeof load>;
  } catch (cause) {
    throw new McpSetupError([
      {
        code: 'MCP_PEER_MISSING',
        problem: 'RateLimitGuard needs the package rate-limiter-flexible, which is not installed.',
        where: 'RateLimitGuard',
        fix: 'npm install rate-limiter-flexible',
        cause,
      },
    ]);
  }
}
