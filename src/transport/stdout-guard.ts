import { Writable } from 'node:stream';

/** Stdout while only the protocol may use it. */
export interface GuardedStdout {
  /** Writes to the real stdout; emits `error` when the reader has gone. */
  readonly output: Writable;
  /** Gives stdout back to the program. */
  readonly restore: () => void;
}

/**
 * Keeps stdout for the protocol: what else writes to `process.stdout`, the console included, goes to stderr. A child process that
 * inherited stdout is out of reach.
 */
export function guardStdout(): GuardedStdout {
  const { stdout, stderr } = process;
  const own = Object.getOwnPropertyDescriptor(stdout, 'write');
  const write = stdout.write.bind(stdout);
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, callback) => void write(chunk, encoding, (error) => callback(error ?? null)),
  });
  const onError = (error: Error): void => void output.destroy(error);
  stdout.on('error', onError);
  stdout.write = stderr.write.bind(stderr);
  return {
    output,
    restore: () => {
      if (own === undefined) delete (stdout as { write?: unknown }).write;
      else Object.defineProperty(stdout, 'write', own);
      // A reader that goes away later must not end the program either, so the error listener stays until the next tick has passed.
      setImmediate(() => stdout.off('error', onError));
    },
  };
}
