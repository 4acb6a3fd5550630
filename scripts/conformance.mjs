// npm run conformance: serves test/conformance/fixture on a free port and lets the official referee examine it in both eras.
//   npm run conformance                         the suites "all" and "active", at both versions, and "all" again with a token
//   npm run conformance -- --token              with a token only; a proxy adds it, since the referee cannot send one
//   npm run conformance -- --scenario tools-list     one scenario, at every version that has it
//   npm run conformance -- --suite active       one suite of the referee
//   npm run conformance -- --list               the referee's own list
// The referee's full output goes to .build/conformance.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from './build.mjs';
import { serve, stop } from './serve.mjs';
import { addToken } from './token-proxy.mjs';

const VERSIONS = ['2025-11-25', '2026-07-28'];
const SUITES = ['all', 'active'];

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const SHIM = new URL('../test/conformance/shim/register.mjs', import.meta.url).href;
const REFEREE = path('node_modules/@modelcontextprotocol/conformance/dist/index.js');
const FIXTURE = path('.build/test/conformance/fixture/main.js');
const RESULTS = path('.build/conformance');

function runReferee(args) {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', SHIM, REFEREE, ...args], { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: stdout + stderr });
    });
  });
}

/** Examines one scenario or suite at one version: what was counted, by scenario. */
async function examine(url, { version, title, args }) {
  const folder = `${RESULTS}/${title}`;
  mkdirSync(folder, { recursive: true });
  const { failed, output } = await runReferee(['server', '--url', url, '--spec-version', version, '-o', folder, ...args]);
  appendFileSync(`${folder}.log`, output);
  const examined = readdirSync(folder).filter((each) => existsSync(`${folder}/${each}/checks.json`));
  const scenarios = examined.map((each) => readScenario(folder, each));
  return { failed, output, scenarios, notApplicable: output.includes('is not applicable at spec version') };
}

function readScenario(folder, name) {
  const checks = JSON.parse(readFileSync(`${folder}/${name}/checks.json`, 'utf8'));
  const failures = checks.filter((check) => check.status === 'FAILURE');
  return {
    name: name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
    passed: checks.filter((check) => check.status === 'SUCCESS').length,
    failures: failures.map((check) => `${check.id}: ${check.errorMessage ?? check.description}`),
  };
}

/** Prints the scenarios of one examination and its total. True when all of it ran and nothing failed. */
function report(title, { failed, output, scenarios }) {
  for (const { name, passed, failures } of scenarios) {
    console.log(`${failures.length === 0 ? 'ok  ' : 'FAIL'} ${title} ${name}: ${passed} passed, ${failures.length} failed`);
    for (const failure of failures) console.log(`       ${failure}`);
  }
  if (scenarios.length === 0) console.log(output);
  const passed = scenarios.reduce((sum, each) => sum + each.passed, 0);
  const wrong = scenarios.reduce((sum, each) => sum + each.failures.length, 0);
  console.log(`${title}: ${passed} passed, ${wrong} failed, ${scenarios.length} scenarios`);
  return !failed && wrong === 0 && passed > 0;
}

/** What is to be examined: one scenario, one suite or the usual suites, at every version. */
function choicesOf({ suite, scenario, version }, withToken) {
  const versions = version === undefined ? VERSIONS : [version];
  const what = scenario === undefined ? suitesOf(suite, withToken).map((name) => ['--suite', name]) : [['--scenario', scenario]];
  const suffix = withToken ? ' with a token' : '';
  return what.flatMap((args) => versions.map((each) => ({ version: each, args, title: `${each} ${args[1]}${suffix}` })));
}

/** "active" is part of "all", so that a token has to be tried with one of them only. */
function suitesOf(suite, withToken) {
  if (suite !== undefined) return [suite];
  return withToken ? ['all'] : SUITES;
}

/** Everything that was chosen, one after the other, as `[title, what was counted]`. */
async function examineAll(url, choices) {
  const examined = [];
  for (const choice of choices) {
    const counted = await examine(url, choice);
    // A scenario that one era does not have leaves nothing to say about it.
    if (!counted.notApplicable) examined.push([choice.title, counted]);
  }
  return examined;
}

/** Serves the fixture, with a token or without, and examines it. True when nothing failed. */
async function examineServer(values, withToken) {
  const token = withToken ? randomBytes(32).toString('hex') : undefined;
  const { child, url } = await serve(FIXTURE, token === undefined ? {} : { PERCH_AUTH_TOKEN: token });
  const door = token === undefined ? { url, close: () => undefined } : await addToken(url, token);
  const examined = await examineAll(door.url, choicesOf(values, withToken)).catch(async (error) => {
    await stop(child);
    throw error;
  });
  door.close();
  const closed = await stop(child);
  const verdicts = examined.map(([title, counted]) => report(title, counted));
  if (!closed) console.log('FAIL the fixture did not exit with 0 on SIGTERM');
  return closed && verdicts.length > 0 && verdicts.every(Boolean);
}

async function main() {
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  const { values } = parseArgs({ options: { suite: text, scenario: text, version: text, list: flag, token: flag } });
  if (values.list) return console.log((await runReferee(['list', '--server'])).output);
  buildIfNeeded();
  if (!existsSync(FIXTURE)) throw new Error(`There is no ${FIXTURE}; test/conformance/fixture/main.ts is its source`);
  rmSync(RESULTS, { recursive: true, force: true });
  const isUsual = values.suite === undefined && values.scenario === undefined;
  const servers = values.token ? [true] : isUsual ? [false, true] : [false];
  const verdicts = [];
  for (const withToken of servers) verdicts.push(await examineServer(values, withToken));
  process.exitCode = verdicts.every(Boolean) ? 0 : 1;
}

await main();
