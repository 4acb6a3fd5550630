import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { LineClient } from './line-client.mjs';

export const SERVER = fileURLToPath(new URL('server.mjs', import.meta.url));

/** A server in a process of its own, with a folder of its own for its socket and its notes. */
export class Child {
  #folder = mkdtempSync(join(tmpdir(), 'perch-soak-'));
  #process;
  #waiting = [];
  #watchers = new Set();
  stderr = '';
  url;

  /** Resolves once the server has said that it is ready. */
  static async start({ program = SERVER, transports = ['stdio'], limits = {}, heapMiB = 512, log = false } = {}) {
    const child = new Child();
    await child.#start({ program, transports, limits, heapMiB, log });
    return child;
  }

  async #start({ program, transports, limits, heapMiB, log }) {
    const env = {
      ...process.env,
      SOAK_TRANSPORTS: transports.join(','),
      SOAK_SOCKET: this.socketPath,
      SOAK_HOOKS: this.hooksFile,
      SOAK_LIMITS: JSON.stringify(limits),
      ...(log ? { SOAK_LOG: '1' } : {}),
    };
    const args = ['--expose-gc', `--max-old-space-size=${String(heapMiB)}`, program];
    this.#process = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
    this.#process.stdin.on('error', () => undefined);
    // Kept short: what a server logs under fire is not what is looked at.
    this.#process.stderr.setEncoding('utf8').on('data', (text) => (this.stderr = (this.stderr + text).slice(-20_000)));
    const ready = new Promise((resolve, reject) => {
      this.#process.on('message', (message) => {
        if (message.ready) resolve(message);
        else if (message.state) this.#waiting.shift()?.(message.state);
        else for (const watch of this.#watchers) watch(message);
      });
      this.#process.once('exit', (code) => reject(new Error(`The server exited with ${String(code)}:\n${this.stderr}`)));
    });
    ({ url: this.url } = await ready);
    this.ended = this.isAlive ? once(this.#process, 'close') : Promise.resolve();
  }

  get pid() {
    return this.#process.pid;
  }

  get socketPath() {
    return join(this.#folder, 'private', 'mcp.sock');
  }

  get hooksFile() {
    return join(this.#folder, 'hooks');
  }

  get isAlive() {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** The exit code, or the signal that ended the process. */
  get code() {
    return this.#process.exitCode ?? this.#process.signalCode;
  }

  get stdin() {
    return this.#process.stdin;
  }

  get stdout() {
    return this.#process.stdout;
  }

  /** The client on stdin and stdout. */
  lines() {
    return new LineClient(this.#process.stdout, this.#process.stdin);
  }

  /** A client on the Unix socket. */
  async socket() {
    const socket = connect(this.socketPath);
    await once(socket, 'connect');
    return new LineClient(socket, socket);
  }

  kill(signal) {
    this.#process.kill(signal);
  }

  /** What the process holds now, once its garbage is collected. */
  async state() {
    const answered = new Promise((resolve) => this.#waiting.push(resolve));
    this.#process.send({});
    return answered;
  }

  /** Resolves once this many calls have been entered. */
  async entered(calls) {
    await new Promise((resolve) => {
      const watch = ({ entered }) => {
        if (entered !== calls) return;
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
    });
  }

  /** Ends the process, if it still runs, and removes what belongs to it. */
  async stop() {
    if (this.isAlive) {
      this.#process.kill('SIGKILL');
      await this.ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
