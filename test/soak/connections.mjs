import { once } from 'node:events';
import { request } from 'node:http';
import { Child } from './child.mjs';
import { HttpClient, JSON_HEADERS, modernQuestion } from './http-client.mjs';
import { until, within } from './within.mjs';

const AT_ONCE = 10;
const SESSIONS = 20;
const BACK_MS = 20_000;
const ONE_MS = 20_000;

const HTTP_WAYS = [
  ['a connection that stays open', keptAlive],
  ['the stream of a session', sessionStream],
  ['a session that is ended', endedSession],
  ['a subscription', subscription],
];

/** Connects and disconnects in every way; what the process holds is then what it held at the start. */
export async function connections({ count, transports, program }) {
  const child = await Child.start({ program, transports: transports.filter((each) => each !== 'stdio'), limits: { sessions: SESSIONS } });
  const ways = transports.includes('uds') ? [['a socket', socketClient], ...HTTP_WAYS] : HTTP_WAYS;
  const faults = [];
  try {
    // What is loaded at the first use stays.
    await connect(child, ways, ways.length * AT_ONCE);
    const start = await settled(child, () => true);
    await connect(child, ways, count);
    const isBack = (now) => differences(start, now).length === 0;
    const end = await settled(child, isBack);
    faults.push(...differences(start, end), ...end.warnings.map((name) => `warned: ${name}`));
    faults.push(...(await sessionsAreBack(child)));
    return {
      faults,
      measured: {
        connections: count,
        descriptors: `${start.descriptors} → ${end.descriptors}`,
        listeners: `${start.listeners} → ${end.listeners}`,
      },
    };
  } catch (error) {
    return { faults: [error.message], measured: {} };
  } finally {
    await child.stop();
  }
}

async function connect(child, ways, count) {
  const one = async (worker) => {
    for (let at = worker; at < count; at += AT_ONCE) {
      const [name, way] = ways[at % ways.length];
      await within(ONE_MS, way(child), `${name} is not served`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, worker) => one(worker)));
}

async function settled(child, isBack) {
  let state = await child.state();
  await until(BACK_MS, async () => isBack((state = await child.state())));
  return state;
}

function differences(start, end) {
  const faults = [];
  for (const what of ['descriptors', 'listeners']) if (end[what] > start[what]) faults.push(`${what}: ${start[what]} → ${end[what]}`);
  for (const [what, count] of Object.entries(end.resources)) {
    const before = start.resources[what] ?? 0;
    if (count > before) faults.push(`${what}: ${String(before)} → ${String(count)}`);
  }
  return faults;
}

/** As many sessions as there may be can be begun, so none of those before is left. */
async function sessionsAreBack(child) {
  const clients = Array.from({ length: SESSIONS }, () => new HttpClient(child.url));
  try {
    for (const client of clients) await client.initialize();
    return [];
  } catch (error) {
    return [`sessions are left: ${error.message}`];
  } finally {
    for (const client of clients) client.end();
  }
}

async function socketClient(child) {
  const client = await child.socket();
  await client.initialize();
  mustList(await client.ask('tools/list'));
  client.drop();
  await client.closed;
}

async function keptAlive(child) {
  const client = new HttpClient(child.url);
  mustList(await client.modern('tools/list'));
  mustList(await client.modern('tools/list'));
  client.end();
}

async function sessionStream(child) {
  const client = new HttpClient(child.url);
  await client.initialize();
  const stream = await opened(child.url, { method: 'GET', headers: client.sessionHeaders });
  stream.destroy();
  await endSession(client);
}

async function endedSession(child) {
  const client = new HttpClient(child.url);
  await client.initialize();
  mustList(await client.ask('tools/list'));
  await endSession(client);
}

async function subscription(child) {
  const question = modernQuestion('subscriptions/listen', { notifications: { toolsListChanged: true } }, 1);
  const stream = await opened(child.url, { method: 'POST', ...question });
  await once(stream, 'data');
  stream.destroy();
}

async function endSession(client) {
  await client.send({ method: 'DELETE', headers: client.sessionHeaders });
  client.end();
}

/** The response while it is open. */
async function opened(url, { method, headers = JSON_HEADERS, body }) {
  const outgoing = request(url, { method, headers, agent: false }).on('error', () => undefined);
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  incoming.on('error', () => undefined);
  if (incoming.statusCode !== 200) throw new Error(`a stream was answered ${String(incoming.statusCode)}`);
  return incoming;
}

function mustList(answer) {
  if (!Array.isArray(answer.result?.tools)) throw new Error(`tools/list was answered ${JSON.stringify(answer).slice(0, 200)}`);
}
