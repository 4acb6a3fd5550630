import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { GraphSpec } from './graph-spec';
import { refusal, type Observation } from './observe';

// A circle of transient providers keeps NestJS busy for ever.
const PATIENCE_MS = 4_000;

/** The real NestJS, in a process of its own: it is an ES module, which jest cannot load. */
export class NestProcess {
  #running: Runner | undefined;

  /** Boots one graph and tells what became of it. One at a time. */
  async observe(spec: GraphSpec): Promise<Observation> {
    this.#running ??= await start();
    const answer = await this.#running.ask(spec);
    if (answer !== 'never ends') return answer;
    this.#running = undefined;
    return refusal(['never ends']);
  }

  async stop(): Promise<void> {
    await this.#running?.end();
  }
}

interface Runner {
  ask(spec: GraphSpec): Promise<Observation | 'never ends'>;
  end(): Promise<void>;
}

async function start(): Promise<Runner> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'nest-runner.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('The process that runs NestJS has ended; its error stands above.');
    return value;
  };
  const end = async (): Promise<void> => {
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  await next();
  return {
    end,
    async ask(spec) {
      child.stdin.write(`${JSON.stringify(spec)}\n`);
      const answer = await orSilence(next());
      if (answer !== undefined) return JSON.parse(answer) as Observation;
      child.kill('SIGKILL');
      await end();
      return 'never ends';
    },
  };
}

function orSilence<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  return Promise.race([promise, silence]).finally(() => clearTimeout(timer));
}
