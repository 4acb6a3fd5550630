/** What stderr may keep for a reader that does not read; above it, lines are lost. */
const MOST_BYTES = 16 * 1024 * 1024;

type Callback = (error?: Error | null) => void;

let isHarmless = false;

/** Keeps a reader of stderr that goes away from ending the process. */
export function makeStderrHarmless(): void {
  if (isHarmless) return;
  process.stderr.on('error', () => undefined);
  isHarmless = true;
}

/**
 * Writes to stderr as `process.stderr.write` does, but never fails and never grows without end: a line that nobody can take is lost, and the
 * server goes on.
 */
export function toStderr(chunk: string | Uint8Array, encoding?: BufferEncoding | Callback, callback?: Callback): boolean {
  const { stderr } = process;
  makeStderrHarmless();
  const done = typeof encoding === 'function' ? encoding : callback;
  if (stderr.writableLength > MOST_BYTES) return lose(done);
  try {
    return typeof encoding === 'string' ? stderr.write(chunk, encoding, done) : stderr.write(chunk, done);
  } catch {
    return lose(done);
  }
}

function lose(done: Callback | undefined): true {
  if (done !== undefined) process.nextTick(done);
  return true;
}
