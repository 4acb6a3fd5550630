// What engines cost beside tool classes that do the same work: at boot, and for each call, over HTTP and in process.
// npm run bench:engines [-- rounds]
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endLoad, load } from '../load.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const ROUNDS = Number(process.argv[2] ?? 11);
const KINDS = ['tool', 'engine'];
const CLASSES = 1_000;
const HTTP_CALLS = 480;
const INSIDE_CALLS = 6_000;
// They take a tenth of a second each, so that one neighbour of this process on the machine spoils few of many.
const CALL_ROUNDS = 4 * ROUNDS;
const MOST_AT_BOOT = 1.5;
const MOST_PER_CALL = 1.1;

/** Takes a sample of each kind by turns, the first of a pair changing, and keeps the medians. */
async function sample(take, rounds = ROUNDS) {
  const samples = { tool: [], engine: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of round % 2 === 0 ? KINDS : [...KINDS].reverse()) samples[kind].push(await take(kind));
  }
  return { tool: median(samples.tool), engine: median(samples.engine) };
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

async function boot(withInput) {
  return sample((kind) => {
    const printed = execFileSync(process.execPath, [here('boot.mjs'), kind, String(CLASSES), String(withInput)], { encoding: 'utf8' });
    return JSON.parse(printed).boot;
  });
}

/** Both servers run all the while and only one of them works; each round is a share of the same minutes. */
async function calls(withInput) {
  const servers = Object.fromEntries(await Promise.all(KINDS.map(async (kind) => [kind, await startServer(kind, withInput)])));
  const overHttp = async (kind, count = HTTP_CALLS) => {
    const { used: before } = await servers[kind].ask({});
    await load(servers[kind].url, count);
    return ((await servers[kind].ask({})).used - before) / count;
  };
  const inside = async (kind, count = INSIDE_CALLS) => (await servers[kind].ask({ inside: count })).inside / count;
  // Until the code is compiled as it will stay.
  for (const kind of KINDS) {
    await overHttp(kind, 8 * HTTP_CALLS);
    await inside(kind, 4 * INSIDE_CALLS);
  }
  const measured = { http: await sample((kind) => overHttp(kind), CALL_ROUNDS), inside: await sample((kind) => inside(kind), CALL_ROUNDS) };
  for (const { child } of Object.values(servers)) child.disconnect();
  return measured;
}

async function startServer(kind, withInput) {
  const child = fork(here('call-server.mjs'), [kind, String(withInput)]);
  const [{ url }] = await once(child, 'message');
  const ask = async (question) => {
    child.send(question);
    return (await once(child, 'message'))[0];
  };
  return { child, url, ask };
}

const rows = [];
for (const withInput of [false, true]) {
  const input = withInput ? 'a class' : 'any object';
  const { http, inside } = await calls(withInput);
  rows.push({ what: `boot of ${CLASSES}`, input, ...(await boot(withInput)), most: MOST_AT_BOOT, unit: 'ms' });
  rows.push({ what: 'one call over HTTP', input, ...http, most: MOST_PER_CALL, unit: 'µs' });
  rows.push({ what: 'one call in process', input, ...inside, most: MOST_PER_CALL, unit: 'µs' });
}
endLoad();

console.log(
  `Node ${process.version}, medians of ${ROUNDS} boots and ${CALL_ROUNDS} rounds of calls a side; calls in CPU time of the server, 16 at a time\n`,
);
console.log('| | input | engines/tools | at most | engines | tools |');
console.log('|---|---|---|---|---|---|');
for (const { what, input, engine, tool, most, unit } of rows) {
  console.log(
    `| ${what} | ${input} | ${(engine / tool).toFixed(2)} | ${most} | ${engine.toFixed(1)} ${unit} | ${tool.toFixed(1)} ${unit} |`,
  );
}

const missed = rows.filter(({ engine, tool, most }) => engine > tool * most);
if (missed.length > 0) {
  console.error(`\nSlower than meant: ${missed.map(({ what, input }) => `${what}, input ${input}`).join('; ')}.`);
  process.exitCode = 1;
}
