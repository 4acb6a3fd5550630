import type { HealthIndicator as HealthIndicatorContract } from '../contracts/health-indicator';
import { declareHandler } from './declare-handler';
import { mustBeKnown } from './known-options';
import type { HealthIndicatorOptions } from './metadata';

/** What a class with the decorator of the same name has: `check()`. */
export type HealthIndicator = HealthIndicatorContract;

const OPTIONS: Readonly<Record<keyof HealthIndicatorOptions, true>> = Object.freeze({ name: true });

/**
 * Marks a provider whose `check()` is asked for `/health/ready` and `app.health()`. It is a singleton. Its name is told by `app.health()`
 * only, never over HTTP.
 */
export function HealthIndicator(
  options: HealthIndicatorOptions = {},
): <T extends abstract new (...args: never[]) => HealthIndicator>(target: T) => void {
  mustBeKnown('@HealthIndicator()', options, OPTIONS);
  return declareHandler({
    word: '@HealthIndicator()',
    classMethod: 'check',
    isForMethods: false,
    declare: (place) => ({ kind: 'health', ...place, options: Object.freeze({ ...options }) }),
  });
}
