import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

const ROOT = join(__dirname, '../..');

/** A compiled program under .build, by its path without the extension. */
export function compiled(program: string): string {
  return join(ROOT, '.build', `${program}.js`);
}

/** A server in a process of its own, as a user would run it. */
export class ChildServer {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: string[] = [];
  readonly #waiting: ((line: string) => void)[] = [];
  stderr = '';

  constructor(program: string, args: readonly string[], env: Record<string, string> = {}) {
    this.#child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    this.#child.stdin.on('error', () => undefined);
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#child.emit('stderr-text');
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const wake = this.#waiting.shift();
      if (wake === undefined) this.#lines.push(line);
      else wake(line);
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Writes one message, or raw text as it is. */
  send(message: object | string): void {
    this.#child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  }

  /** The next line of stdout, which must be JSON. */
  async next(): Promise<Record<string, unknown>> {
    const line = this.#lines.shift() ?? (await new Promise<string>((resolve) => this.#waiting.push(resolve)));
    return JSON.parse(line) as Record<string, unknown>;
  }

  /** Lines of stdout that nobody has asked for. */
  get unread(): readonly string[] {
    return this.#lines;
  }

  /** Resolves with the first match of `pattern` on stderr. */
  async sees(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stderr);
      if (match !== null) return match;
      if (this.#child.exitCode !== null) throw new Error(`The server exited with ${String(this.#child.exitCode)}:\n${this.stderr}`);
      const woken = new AbortController();
      const events = ['stderr-text', 'exit'].map((event) => once(this.#child, event, { signal: woken.signal }));
      await Promise.race(events).finally(() => woken.abort());
    }
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  closeStdout(): void {
    this.#child.stdout.destroy();
  }

  /** The exit code, or the signal that ended the process. */
  async exit(): Promise<number | string | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close');
    return this.#child.exitCode ?? this.#child.signalCode;
  }

  /** Ends the process, if it still runs. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await this.exit();
  }
}
