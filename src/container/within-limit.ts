/** Something that did not finish in its time. */
export class LimitExceededError extends Error {
  constructor(readonly limitMs: number) {
    super(`did not finish within ${limitMs} ms`);
    this.name = 'LimitExceededError';
  }
}

/** Settles as `running` does, or rejects once the limit is over; what comes after that is ignored. Leaves no timer behind. */
export async function withinLimit(running: PromiseLike<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LimitExceededError(limitMs)), limitMs);
  });
  try {
    await Promise.race([running, limit]);
  } finally {
    clearTimeout(timer);
  }
}
