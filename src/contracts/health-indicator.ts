/** Says whether something that the application needs can be used, such as a database. */
export interface HealthIndicator {
  /**
   * Asked when somebody wants to know, at most once a second. `true` and nothing are up. `false`, any other value, a throw, a rejection,
   * or no answer within `limits.healthMs` are down; the cause goes to the log, once each time it goes down.
   */
  check(): void | boolean | Promise<void | boolean>;
}

/** How one indicator, or the whole application, is. */
export type HealthStatus = 'up' | 'down';

/** What `app.health()` tells. */
export interface HealthReport {
  /** Up where every indicator is, after the start hooks and before the end has begun. */
  readonly status: HealthStatus;
  /** One by one, in scan order; empty before the start and once the end has begun, when none is asked. */
  readonly indicators: readonly { readonly name: string; readonly status: HealthStatus }[];
}
