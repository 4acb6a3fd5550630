import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MOST_GROWTH = 0.05;
const MOST_BYTES = 2 ** 20;
const PROGRAM = fileURLToPath(new URL('boot-and-close.mjs', import.meta.url));

/** Starts and closes an application in one process again and again: the process then holds what it held before the first. */
export async function bootCycles({ count, transports, program = PROGRAM }) {
  const child = fork(program, [String(count), transports.join(',')], {
    execArgv: ['--expose-gc'],
    stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
  });
  const [told] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [undefined])]);
  child.kill();
  if (told === undefined) return { faults: ['the process ended'], measured: {} };
  const { start, early, late, signals } = told;
  const faults = [];
  const growth = late.heap / early.heap - 1;
  if (growth > MOST_GROWTH && late.heap - early.heap > MOST_BYTES) faults.push(`the heap grew by ${(100 * growth).toFixed(1)} %`);
  if (late.listeners > start.listeners) faults.push(`listeners of the process: ${start.listeners} → ${late.listeners}`);
  if (late.descriptors > early.descriptors) faults.push(`descriptors: ${early.descriptors} → ${late.descriptors}`);
  if (signals > 0) faults.push(`${String(signals)} listeners for signals`);
  const [before, after] = [start, late].map(({ resources }) => JSON.stringify(resources));
  if (after !== before) faults.push(`open: ${before} → ${after}`);
  faults.push(...late.warnings.map((name) => `warned: ${name}`));
  const measured = { cycles: count, early: mib(early.heap), late: mib(late.heap), listeners: `${start.listeners} → ${late.listeners}` };
  return { faults, measured };
}

const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
