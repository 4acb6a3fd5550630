// Runs a compiled server over HTTP on a free port, for the scripts that let somebody else look at it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 15_000;

/** The running program and the URL it says it listens on. `env` is added to this process's own. */
export async function serve(program, env = {}) {
  const child = spawn(process.execPath, [program, '--transport', 'http'], {
    env: { ...process.env, PERCH_PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  const said = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    const [url] = /https?:\/\/\S+\/mcp\b/.exec(line) ?? [];
    if (url === undefined) continue;
    clearTimeout(timer);
    child.stderr.resume();
    return { child, url };
  }
  clearTimeout(timer);
  throw new Error(`${program} never said where it listens:\n${said.join('\n')}`);
}

/** Closes the program as an operator would. False when that does not end with exit code 0. */
export async function stop(child) {
  if (child.exitCode !== null) return false;
  const exited = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  child.kill('SIGTERM');
  const [code] = await exited;
  clearTimeout(timer);
  return code === 0;
}
