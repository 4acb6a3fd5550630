import type { DiscoveredIndicator } from '../container/discover-handlers';
import { withinLimit } from '../container/within-limit';
import type { HealthIndicator, HealthReport, HealthStatus } from '../contracts/health-indicator';
import type { LoggerService } from '../contracts/logger';

/** How long an answer is given to those who ask again, in milliseconds, so that a flood of probes costs nothing. */
const FRESH_MS = 1_000;

const UNKNOWN: HealthReport = Object.freeze({ status: 'down', indicators: Object.freeze([]) });

/** What asking needs of an application whose singletons are built. */
export interface HealthOptions {
  readonly indicators: readonly DiscoveredIndicator[];
  readonly limitMs: number;
  readonly logger: LoggerService;
}

/** Asks the indicators of one application. Those who ask at once share one answer. Never rejects. */
export class Health {
  readonly #isDown = new Set<DiscoveredIndicator>();
  #isServing = false;
  #latest: Promise<HealthReport> | undefined;
  #answeredAt: number | undefined;

  constructor(private readonly options: HealthOptions) {}

  /** From the end of the start hooks to the beginning of the end; outside of that the application is down, and no indicator is asked. */
  set isServing(is: boolean) {
    this.#isServing = is;
  }

  async report(): Promise<HealthReport> {
    if (!this.#isServing) return UNKNOWN;
    const isFresh = this.#answeredAt === undefined || performance.now() - this.#answeredAt < FRESH_MS;
    if (this.#latest === undefined || !isFresh) this.#latest = this.#ask();
    const report = await this.#latest;
    return this.#isServing ? report : UNKNOWN;
  }

  async isUp(): Promise<boolean> {
    return (await this.report()).status === 'up';
  }

  async #ask(): Promise<HealthReport> {
    this.#answeredAt = undefined;
    const indicators = await Promise.all(
      this.options.indicators.map(async (each) => ({ name: each.name, status: await this.#statusOf(each) })),
    );
    this.#answeredAt = performance.now();
    return { status: indicators.every(({ status }) => status === 'up') ? 'up' : 'down', indicators };
  }

  async #statusOf(indicator: DiscoveredIndicator): Promise<HealthStatus> {
    try {
      await withinLimit(askOne(indicator), this.options.limitMs);
    } catch (error) {
      this.#tellDown(indicator, error);
      return 'down';
    }
    if (this.#isDown.delete(indicator)) this.options.logger.log(`The health indicator ${indicator.name} is up again.`);
    return 'up';
  }

  #tellDown(indicator: DiscoveredIndicator, cause: unknown): void {
    if (this.#isDown.has(indicator)) return;
    this.#isDown.add(indicator);
    this.options.logger.error(`The health indicator ${indicator.name} is down.`, cause);
  }
}

/** Rejects unless the answer is that it is up. */
async function askOne({ provider }: DiscoveredIndicator): Promise<void> {
  const answer = await (provider.get() as HealthIndicator).check();
  if (answer !== undefined && answer !== true)
    throw new Error(answer === false ? 'check() said false.' : 'check() said neither true nor false.');
}
