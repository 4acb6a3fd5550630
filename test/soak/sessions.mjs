import { Child } from './child.mjs';
import { HttpClient, JSON_HEADERS } from './http-client.mjs';
import { until } from './within.mjs';

const MOST = 100;
const IDLE_MS = 2_000;
const GONE_MS = 30_000;

/** Clients that begin a session and vanish: sessions end when they are idle, and above the most there may be new ones get 503. */
export async function sessions({ count, program }) {
  const child = await Child.start({ program, transports: ['http'], limits: { sessions: MOST, sessionIdleMs: IDLE_MS } });
  const faults = [];
  const measured = { sessions: 0, refused: 0 };
  const keeper = new HttpClient(child.url);
  try {
    await keeper.initialize();
    const alive = keepAlive(keeper, faults);
    while (measured.sessions < count && faults.length === 0) {
      const wave = await flood(child.url);
      measured.sessions += wave.begun;
      measured.refused += wave.refused;
      if (wave.other.length > 0) faults.push(`initialize was answered ${wave.other.join()}`);
      if (wave.refused === 0) faults.push(`${String(wave.begun)} sessions at once, over the most of ${String(MOST)}`);
      if (!(await until(GONE_MS, () => begins(child.url)))) faults.push('idle sessions are not ended');
      // The one that was just begun to find out counts as well.
      measured.sessions += 1;
    }
    alive.stop();
    await alive.stopped;
    return { faults, measured };
  } finally {
    keeper.end();
    await child.stop();
  }
}

async function flood(url) {
  const client = new HttpClient(url);
  const statuses = await Promise.all(Array.from({ length: MOST + 20 }, () => initialize(client)));
  client.end();
  const of = (status) => statuses.filter((each) => each === status).length;
  return { begun: of(200), refused: of(503), other: statuses.filter((each) => ![200, 503].includes(each)) };
}

async function begins(url) {
  const client = new HttpClient(url);
  const status = await initialize(client);
  client.end();
  return status === 200;
}

async function initialize(client) {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1.0.0' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const { status, headers } = await client.send({ headers: JSON_HEADERS, body });
  return status === 503 && headers['retry-after'] === undefined ? '503 without Retry-After' : status;
}

/** A session that is used all the while, whatever others do. */
function keepAlive(client, faults) {
  let isOn = true;
  const ask = async () => {
    while (isOn) {
      const answer = await client.ask('tools/list').catch((error) => ({ error: error.message }));
      if (answer.result === undefined) return void faults.push(`a session in use was answered ${JSON.stringify(answer).slice(0, 200)}`);
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS / 20));
    }
  };
  return { stopped: ask(), stop: () => (isOn = false) };
}
