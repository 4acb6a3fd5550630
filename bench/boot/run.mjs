// Boots applications of two sizes here and with NestJS, each in a process of its own and by turns, and compares the medians.
// npm run bench:boot [-- rounds]
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PROVIDERS_PER_MODULE } from './application.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const ROUNDS = Number(process.argv[2] ?? 11);
const MOST_OF_NEST = 1 / 3;
const MOST_MICROSECONDS = 2;

function run(program, ...args) {
  return JSON.parse(execFileSync(process.execPath, [here(program), ...args.map(String)], { encoding: 'utf8' }));
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function measure(modules) {
  const samples = { perch: [], nest: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    // The first of a pair changes, so that neither always follows the other.
    const sides = round % 2 === 0 ? ['perch', 'nest'] : ['nest', 'perch'];
    for (const side of sides) samples[side].push(run(`boot-${side}.mjs`, modules));
  }
  const of = (side, what) => median(samples[side].map((each) => each[what]));
  return {
    modules,
    perch: { boot: of('perch', 'boot'), load: of('perch', 'load') },
    nest: { boot: of('nest', 'boot'), load: of('nest', 'load') },
  };
}

function row({ modules, perch, nest }) {
  const cells = [
    modules * PROVIDERS_PER_MODULE,
    modules,
    ratio(perch.boot, nest.boot),
    ms(perch.boot),
    ms(nest.boot),
    ratio(perch.load, nest.load),
    ms(perch.load),
    ms(nest.load),
  ];
  return `| ${cells.join(' | ')} |`;
}

const ratio = (ours, theirs) => (ours / theirs).toFixed(2);
const ms = (value) => `${value.toFixed(1)} ms`;

const results = [20, 200].map(measure);
const scope = run('request-scope.mjs');
console.log(`Node ${process.version}, medians of ${ROUNDS} processes a side\n`);
console.log('| providers | modules | boot: Perch/NestJS | Perch | NestJS | load: Perch/NestJS | Perch | NestJS |');
console.log('|---|---|---|---|---|---|---|---|');
for (const each of results) console.log(row(each));
console.log(`\nOne request scope with three providers: ${scope.microseconds.toFixed(2)} µs`);

const missed = [
  ...results.filter(({ perch, nest }) => perch.boot > nest.boot * MOST_OF_NEST).map(({ modules }) => `boot of ${modules} modules`),
  ...(scope.microseconds > MOST_MICROSECONDS ? ['request scope'] : []),
];
if (missed.length > 0) {
  console.error(`Slower than meant: ${missed.join(', ')}.`);
  process.exitCode = 1;
}
