// npm run conformance: serves test/conformance/fixture on a free port and lets the official referee examine it in both eras.
//   npm run conformance                         every scenario the referee has for a version, at both versions
//   npm run conformance -- --scenario tools-list     one scenario, at every version that has it
//   npm run conformance -- --suite active       another suite of the referee
//   npm run conformance -- --list               the referee's own list
// The referee's full output goes to .build/conformance.
import { execFile, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from './build.mjs';

const VERSIONS = ['2025-11-25', '2026-07-28'];

const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 15_000;

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const SHIM = new URL('../test/conformance/shim/register.mjs', import.meta.url).href;
const REFEREE = path('node_modules/@modelcontextprotocol/conformance/dist/index.js');
const FIXTURE = path('.build/test/conformance/fixture/main.js');
const RESULTS = path('.build/conformance');

/** The running fixture and the URL it says it listens on. */
async function startFixture() {
  const child = spawn(process.execPath, [FIXTURE, '--transport', 'http'], {
    env: { ...process.env, PERCH_PORT: '0' },
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
  throw new Error(`The fixture never said where it listens:\n${said.join('\n')}`);
}

/** Closes the fixture as an operator would. False when that does not end with exit code 0. */
async function stopFixture(child) {
  if (child.exitCode !== null) return false;
  const exited = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  child.kill('SIGTERM');
  const [code] = await exited;
  clearTimeout(timer);
  return code === 0;
}

function runReferee(args) {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', SHIM, REFEREE, ...args], { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: stdout + stderr });
    });
  });
}

/** Examines one scenario or suite at one version: what was counted, by scenario. */
async function examine(url, version, choice) {
  const folder = `${RESULTS}/${version}`;
  mkdirSync(folder, { recursive: true });
  const before = new Set(readdirSync(folder));
  const { failed, output } = await runReferee(['server', '--url', url, '--spec-version', version, '-o', folder, ...choice]);
  appendFileSync(`${RESULTS}/${version}.log`, output);
  const examined = readdirSync(folder).filter((each) => !before.has(each) && existsSync(`${folder}/${each}/checks.json`));
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

/** Prints one version's scenarios and its total. True when all of it ran and nothing failed. */
function report(version, examined) {
  const scenarios = examined.flatMap((each) => each.scenarios);
  for (const { name, passed, failures } of scenarios) {
    console.log(`${failures.length === 0 ? 'ok  ' : 'FAIL'} ${version} ${name}: ${passed} passed, ${failures.length} failed`);
    for (const failure of failures) console.log(`       ${failure}`);
  }
  const broken = examined.filter((each) => each.failed || (each.scenarios.length === 0 && !each.notApplicable));
  for (const each of broken) if (each.scenarios.length === 0) console.log(each.output);
  const passed = scenarios.reduce((sum, each) => sum + each.passed, 0);
  const failed = scenarios.reduce((sum, each) => sum + each.failures.length, 0);
  console.log(`${version}: ${passed} passed, ${failed} failed, ${scenarios.length} scenarios`);
  return broken.length === 0 && failed === 0 && passed > 0;
}

function choiceOf({ suite = 'all', scenario }) {
  return scenario === undefined ? ['--suite', suite] : ['--scenario', scenario];
}

/** Everything at every version, one after the other, as `[version, what was counted]`. */
async function examineAll(url, choice) {
  const examined = [];
  for (const version of choice.version === undefined ? VERSIONS : [choice.version]) {
    const runs = [await examine(url, version, choiceOf(choice))];
    // A scenario that one era does not have leaves nothing to say about it.
    if (!runs.every((run) => run.notApplicable)) examined.push([version, runs]);
  }
  return examined;
}

async function main() {
  const options = { suite: { type: 'string' }, scenario: { type: 'string' }, version: { type: 'string' }, list: { type: 'boolean' } };
  const { values } = parseArgs({ options });
  if (values.list) return console.log((await runReferee(['list', '--server'])).output);
  buildIfNeeded();
  if (!existsSync(FIXTURE)) throw new Error(`There is no ${FIXTURE}; test/conformance/fixture/main.ts is its source`);
  rmSync(RESULTS, { recursive: true, force: true });
  const { child, url } = await startFixture();
  const examined = await examineAll(url, values).catch(async (error) => {
    await stopFixture(child);
    throw error;
  });
  const closed = await stopFixture(child);
  const verdicts = examined.map(([version, runs]) => report(version, runs));
  if (!closed) console.log('FAIL the fixture did not exit with 0 on SIGTERM');
  process.exitCode = closed && verdicts.length > 0 && verdicts.every(Boolean) ? 0 : 1;
}

await main();
