import type { LoggerService } from '../contracts/logger';

const LOOK_MS = 250;

/** How long nothing else may run, in milliseconds, before it is told. */
const BLOCKED_MS = 1_000;

/**
 * Logs a line whenever something has kept this process from doing anything else for over a second, once it is over. Costs a timer that keeps
 * nothing alive, and nothing per call. Returns the way to end it.
 */
export function watchLoop(logger: Pick<LoggerService, 'warn'>): () => void {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const blocked = now - last - LOOK_MS;
    last = now;
    if (blocked > BLOCKED_MS)
      logger.warn(
        `The event loop was blocked for ${(blocked / 1_000).toFixed(1)} s: nobody else was served. Look for a handler that computes, or that waits without await.`,
      );
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
