import { Child } from './child.mjs';

const MOST_GROWTH = 0.05;

/** Calls one after the other: the heap after garbage collection at the end is within 5 % of what it was at a tenth, and no scope is left. */
export async function heap({ count, program }) {
  const child = await Child.start({ program, transports: ['stdio'] });
  const faults = [];
  try {
    const client = child.lines();
    await client.initialize();
    await call(client, { from: 0, to: count / 10 });
    const early = await child.state();
    await call(client, { from: count / 10, to: count });
    const late = await child.state();
    const growth = late.heap / early.heap - 1;
    if (growth > MOST_GROWTH) faults.push(`the heap grew by ${percent(growth)} from ${mib(early.heap)} to ${mib(late.heap)}`);
    if (late.made !== late.disposed || late.made !== count)
      faults.push(`${String(late.made)} instances were made for ${String(count)} calls, and ${String(late.disposed)} disposed`);
    const measured = {
      calls: count,
      early: mib(early.heap),
      late: mib(late.heap),
      growth: percent(growth),
      made: late.made,
      disposed: late.disposed,
    };
    return { faults, measured };
  } finally {
    await child.stop();
  }
}

async function call(client, { from, to }) {
  for (let at = from; at < to; at += 1) {
    const text = `text ${String(at)}`;
    const answer = await client.ask('tools/call', { name: 'echo', arguments: { text } });
    if (answer.result?.content?.[0]?.text !== text)
      throw new Error(`call ${String(at)} was answered ${JSON.stringify(answer).slice(0, 200)}`);
  }
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
