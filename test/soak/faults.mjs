import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { Child } from './child.mjs';
import { CALLS, openClients } from './mixed-clients.mjs';
import { Random } from './random.mjs';
import { within } from './within.mjs';

const LATE = 16;
const END_MS = 20_000;
const HOOKS = ['onModuleInit', 'onApplicationBootstrap', 'onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'];

/** What happens to the server, or to a part of its clients, while the calls run. */
const FAULTS = {
  SIGTERM: (child) => child.kill('SIGTERM'),
  SIGINT: (child) => child.kill('SIGINT'),
  'end of input': (child) => child.stdin.end(),
  disconnect: (_child, clients) => {
    for (const client of clients) if (client.leaves) client.drop();
  },
};

/** Rounds of each fault under calls on all transports at once: every call is answered once, and nothing stays behind. */
export async function faultRuns({ count, seed, transports, program, kinds = Object.keys(FAULTS) }) {
  const faults = [];
  const measured = { rounds: 0, calls: 0, answered: 0, lost: 0, doubled: 0 };
  for (const kind of kinds) {
    for (let round = 0; round < count; round += 1) {
      const run = { kind, random: new Random(seed + round), transports, program, measured };
      for (const fault of await faultRound(run).catch((error) => [error.stack])) faults.push(`${kind}, round ${String(round)}: ${fault}`);
      measured.rounds += 1;
      if (faults.length > 20) return { faults, measured };
    }
  }
  return { faults, measured };
}

async function faultRound({ kind, random, transports, program, measured }) {
  const child = await Child.start({ program, transports });
  const clients = await openClients(child, transports);
  try {
    const entered = child.entered(CALLS);
    const calls = clients.flatMap((client) => client.begin({ share: CALLS / clients.length, random }));
    await within(END_MS, entered, 'not every call was entered');
    FAULTS[kind](child, clients);
    const late = kind === 'disconnect' ? [] : lateCalls(clients, random);
    const outcomes = await within(END_MS, Promise.all(calls), 'a call is neither answered nor refused');
    const faults = faultsOfAnswers(outcomes, { measured, isLeft: kind === 'disconnect' });
    faults.push(...(await within(END_MS, Promise.all(late), 'a late call is neither answered nor refused')).flatMap(faultOfLate));
    if (kind === 'disconnect') faults.push(...(await goesOn(child, transports, measured)));
    await within(END_MS, child.ended, 'the server does not end');
    for (const { strays } of clients) measured.doubled += strays().length;
    faults.push(...clients.flatMap(({ strays }) => strays()).map((line) => `said without being asked: ${line.slice(0, 200)}`));
    return [...faults, ...(await faultsOfEnd(child))];
  } finally {
    for (const client of clients) client.drop();
    await child.stop();
  }
}

function lateCalls(clients, random) {
  return clients.slice(0, LATE).flatMap((client) => client.begin({ share: 1, random }));
}

function faultsOfAnswers(outcomes, { measured, isLeft }) {
  const staying = outcomes.filter(({ leaves }) => !(isLeft && leaves));
  measured.calls += staying.length;
  const lost = staying.filter(({ right }) => !right);
  measured.answered += staying.length - lost.length;
  measured.lost += lost.length;
  return lost.map(({ name, said }) => `lost on ${name}: ${said}`);
}

/** What comes in after the end began is answered, refused, or finds the door closed; never answered with something else. */
function faultOfLate({ right, name, said }) {
  return right || /Shutting down|shutting down|503|ECONN|EPIPE|hang up|ended without/.test(said) ? [] : [`late on ${name}: ${said}`];
}

/** A server whose clients have left serves those who come, and ends as if nothing had been. */
async function goesOn(child, transports, measured) {
  const state = await child.state();
  const clients = await openClients(
    child,
    transports.filter((transport) => transport !== 'stdio'),
  );
  const calls = await within(
    END_MS,
    Promise.all(clients.flatMap((client) => client.begin({ share: 1, random: new Random(1) }))),
    'no answer',
  );
  measured.aborted = (measured.aborted ?? 0) + state.aborted;
  for (const client of clients) client.drop();
  child.kill('SIGTERM');
  return calls.filter(({ right }) => !right).map(({ name, said }) => `behind the disconnect, on ${name}: ${said}`);
}

async function faultsOfEnd(child) {
  const faults = child.code === 0 ? [] : [`exit code ${String(child.code)}: ${child.stderr.slice(-300)}`];
  const hooks = existsSync(child.hooksFile) ? readFileSync(child.hooksFile, 'utf8').trim().split('\n') : [];
  if (hooks.join() !== HOOKS.join()) faults.push(`hooks ran ${hooks.join(' ')}`);
  if (existsSync(child.socketPath)) faults.push('the socket file is left behind');
  if (child.url !== undefined && !(await isFree(Number(new URL(child.url).port)))) faults.push('the port is left behind');
  return faults;
}

async function isFree(port) {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
