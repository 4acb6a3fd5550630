// What a guard, an interceptor and a filter cost a call, over HTTP and in process.
// npm run bench:calls [-- rounds]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endLoad, load } from '../load.mjs';

const ROUNDS = Number(process.argv[2] ?? 11);
const KINDS = ['bare', 'guarded'];
const HTTP_CALLS = 1_600;
const INSIDE_CALLS = 16_000;
// They take a tenth of a second each, so that one neighbour of this process on the machine spoils few of many.
const INSIDE_ROUNDS = 4 * ROUNDS;
const MOST = 1.3;

/** Takes a sample of each kind by turns, the first of a pair changing, and keeps the medians. */
async function sample(take, rounds) {
  const samples = { bare: [], guarded: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of round % 2 === 0 ? KINDS : [...KINDS].reverse()) samples[kind].push(await take(kind));
  }
  return { bare: median(samples.bare), guarded: median(samples.guarded) };
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

async function startServer(kind) {
  const child = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [kind]);
  const [{ url }] = await once(child, 'message');
  const ask = async (question) => {
    child.send(question);
    return (await once(child, 'message'))[0];
  };
  return { child, url, ask };
}

// Both servers run all the while and only one of them works; each round is a share of the same minutes.
const servers = Object.fromEntries(await Promise.all(KINDS.map(async (kind) => [kind, await startServer(kind)])));
const overHttp = async (kind) => {
  const { used: before } = await servers[kind].ask({});
  await load(servers[kind].url, HTTP_CALLS);
  return ((await servers[kind].ask({})).used - before) / HTTP_CALLS;
};
const inside = async (kind) => (await servers[kind].ask({ inside: INSIDE_CALLS })).inside / INSIDE_CALLS;
for (const kind of KINDS) {
  await overHttp(kind);
  await inside(kind);
}
const rows = [
  { what: 'one call over HTTP', ...(await sample(overHttp, ROUNDS)) },
  { what: 'one call in process', ...(await sample(inside, INSIDE_ROUNDS)) },
];
for (const { child } of Object.values(servers)) child.disconnect();
endLoad();

console.log(`Node ${process.version}, medians of ${ROUNDS} rounds; CPU time of the server, 16 calls at a time\n`);
console.log('| | with/without | at most | with | without |');
console.log('|---|---|---|---|---|');
for (const { what, bare, guarded } of rows) {
  console.log(`| ${what} | ${(guarded / bare).toFixed(2)} | ${MOST} | ${guarded.toFixed(1)} µs | ${bare.toFixed(1)} µs |`);
}

const missed = rows.filter(({ bare, guarded }) => guarded > bare * MOST);
if (missed.length > 0) {
  console.error(`\nDearer than meant: ${missed.map(({ what }) => what).join('; ')}.`);
  process.exitCode = 1;
}
