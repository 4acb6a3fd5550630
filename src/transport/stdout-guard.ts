import { Writable } from 'node:stream';
import { McpSetupError } from '../errors/setup-error';
import { makeStderrHarmless, toStderr } from './to-stderr';

/** Stdout while only the protocol may use it. */
export interface GuardedStdout {
  /** Writes to the real stdout; emits `error` when the reader has gone. */
  readonly output: Writable;
  /** Gives stdout back to the program. */
  readonly restore: () => void;
}

/** What a program could write to stdout with. */
const WRITERS = ['write', 'end'] as const;

/** The guard that holds from the first line of the program, until a transport takes it or it is given back. */
let early: GuardedStdout | undefined;
/** True while a transport has stdout: a second would write to what the first has put in its place. */
let isTaken = false;

/** Keeps stdout for the protocol from now on, before it is known whether the program will speak it there. */
export function guardStdoutEarly(): void {
  if (!isTaken) early ??= guard();
}

/** Gives back what `guardStdoutEarly` took, if no transport has it. */
export function giveStdoutBack(): void {
  early?.restore();
  early = undefined;
}

/**
 * Keeps stdout for the protocol: what else writes to `process.stdout`, the console included, goes to stderr. A child process that
 * inherited stdout, and code that writes to the descriptor itself, are out of reach. Throws an `McpSetupError` while another transport has it.
 */
export function guardStdout(): GuardedStdout {
  if (isTaken) throw stdoutInUse();
  const { output, restore } = early ?? guard();
  early = undefined;
  isTaken = true;
  let isMine = true;
  return {
    output,
    restore: () => {
      if (!isMine) return;
      isMine = isTaken = false;
      restore();
    },
  };
}

function stdoutInUse(): McpSetupError {
  return new McpSetupError([
    {
      code: 'MCP_TRANSPORT_FAILED',
      problem: 'The stdin and stdout of this process serve a client already, and there is one of each',
      where: 'The transport stdio',
      fix: 'Close the other handle or application first, or pass streams of its own to this one.',
    },
  ]);
}

function guard(): GuardedStdout {
  const { stdout } = process;
  const own = WRITERS.map((name) => [name, Object.getOwnPropertyDescriptor(stdout, name)] as const);
  const output = throughTo(stdout.write.bind(stdout));
  const onError = (error: Error): void => void output.destroy(error);
  const onClose = (): void => void output.destroy();
  stdout.on('error', onError);
  stdout.on('close', onClose);
  makeStderrHarmless();
  stdout.write = toStderr;
  stdout.end = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) toStderr(chunk);
    return stdout;
  };
  return {
    output,
    restore: () => {
      for (const [name, descriptor] of own) restoreProperty(stdout, name, descriptor);
      stdout.off('close', onClose);
      // A reader that goes away later must not end the program either, so the error listener stays until the next tick has passed.
      setImmediate(() => stdout.off('error', onError));
    },
  };
}

function throughTo(write: typeof process.stdout.write): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string, encoding, callback) => {
      const done = (error?: Error | null): void => callback(error ?? null);
      try {
        write(chunk, encoding, done);
      } catch (error) {
        // A file is written at once, and a full disk is thrown.
        done(error as Error);
      }
    },
  });
}

function restoreProperty(object: object, name: string, descriptor: PropertyDescriptor | undefined): void {
  if (descriptor === undefined) Reflect.deleteProperty(object, name);
  else Object.defineProperty(object, name, descriptor);
}
