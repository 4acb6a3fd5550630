import type { RateDemand } from '../contracts/security';
import { demand } from './demand';

/**
 * Lets one caller run this many operations of the entry in a time. `RateLimitGuard` counts; an entry with `@RateLimit()` that no such guard
 * stands before stops the boot.
 *
 * Throws a `TypeError` at decoration for numbers that are not positive and whole.
 */
export function RateLimit({ points, durationMs }: RateDemand): ClassDecorator & MethodDecorator {
  const isPositive = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
  if (!isPositive(points) || !isPositive(durationMs))
    throw new TypeError('@RateLimit() takes whole numbers of points and of milliseconds, 1 or more.');
  return demand('@RateLimit()', { rates: [Object.freeze({ points, durationMs })] });
}
