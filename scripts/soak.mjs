// npm run soak: the checks that count, against dist, in processes of their own. One line a check; exit code 1 when one finds a fault.
//   npm run soak                                all of them, in full
//   npm run soak -- --tenth                     a tenth of each
//   npm run soak -- --only heap --tenth         one of them; several are separated by commas
//   npm run soak -- --only heap --count 500     as often as this
//   npm run soak -- --only heap --server FILE   against a server other than test/soak/server.mjs
//   npm run soak -- --transports stdio,http     without the Unix socket
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { CHECKS } from '../test/soak/checks.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    tenth: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    count: { type: 'string' },
    seed: { type: 'string' },
    server: { type: 'string' },
    transports: { type: 'string' },
  },
});

const wanted = values.only?.split(',') ?? CHECKS.map(({ name }) => name);
const unknown = wanted.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`There is no check "${unknown.join('", "')}". There are ${CHECKS.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

function countOf({ full, tenth, brief = tenth }) {
  if (values.count !== undefined) return Number(values.count);
  if (values.brief) return brief;
  return values.tenth ? tenth : full;
}

async function run(check) {
  const count = countOf(check);
  const begun = performance.now();
  const how = {
    count,
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
    ...(values.transports === undefined ? {} : { transports: values.transports.split(',') }),
    ...(values.server === undefined ? {} : { program: resolve(values.server) }),
  };
  const { faults, measured } = await check.run(how).catch((error) => ({ faults: [error.stack], measured: {} }));
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  const verdict = faults.length === 0 ? 'ok    ' : 'FAILED';
  const figures = Object.entries(measured).map(([name, value]) => `${name} ${String(value)}`);
  console.log(`${verdict} ${check.name} (${check.rows}): ${String(count)} ${check.unit}, ${seconds} s; ${figures.join(', ')}`);
  for (const fault of faults) console.log(`       ${fault}`);
  return faults.length === 0;
}

let isGood = true;
for (const check of CHECKS.filter(({ name }) => wanted.includes(name))) isGood = (await run(check)) && isGood;
process.exitCode = isGood ? 0 : 1;
