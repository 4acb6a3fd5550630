import { Child } from './child.mjs';
import { HttpClient } from './http-client.mjs';
import { memoryOf } from './memory.mjs';
import { Random } from './random.mjs';
import { within } from './within.mjs';

const PER_SECOND = 200;
const TURN_MS = 50;
const P99_MS = 250;
const MOST_SLOPE = 1;
/** What loads and compiles at first is left out of the times. */
const WARM_MS = 5_000;
/** A shorter run shares its machine with other tests, and only its answers are held. */
const TIMED_S = 60;
/** Below this, what a young process grows by says nothing of the hours to come. */
const LONG_S = 20 * 60;
const ANSWER_MS = 20_000;

/** Good, bad and slow calls on all transports, two hundred a second: soon answered to the end, by a process that does not grow. */
export async function load({ count: seconds, seed, transports, program }) {
  const child = await Child.start({ program, transports, log: true });
  const run = new Load(child, new Random(seed));
  const memory = [];
  try {
    await run.open(transports);
    const begun = performance.now();
    for (let turn = 0; turn * TURN_MS < seconds * 1_000; turn += 1) {
      for (let each = 0; each < (PER_SECOND * TURN_MS) / 1_000; each += 1) run.call();
      const next = begun + (turn + 1) * TURN_MS;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
      if (turn % 20 === 0) memory.push(residentAt(child, begun));
    }
    await within(ANSWER_MS, run.whenDone(), 'calls are not answered');
    if (!child.isAlive) run.faults.push(`the server ended with ${String(child.code)}`);
  } catch (error) {
    run.faults.push(error.message);
  } finally {
    run.close();
    await child.stop();
  }
  return verdict(run, { seconds, memory });
}

function residentAt(child, begun) {
  const seen = memoryOf(child.pid);
  seen.look();
  return { minutes: (performance.now() - begun) / 60_000, MiB: seen.most };
}

function verdict({ faults, good, calls }, { seconds, memory }) {
  const slope = slopeOf(memory.slice(Math.floor(memory.length / 2)));
  const p99 = [...good].sort((a, b) => a - b)[Math.floor(good.length * 0.99)];
  if (seconds >= TIMED_S && p99 > P99_MS) faults.push(`the slowest hundredth of good calls took ${p99.toFixed(0)} ms and more`);
  if (seconds >= LONG_S && slope > MOST_SLOPE) faults.push(`the resident memory grew by ${slope.toFixed(2)} MiB a minute`);
  const measured = { seconds, calls, p99: `${p99.toFixed(0)} ms`, slope: `${slope.toFixed(2)} MiB/min`, MiB: memory.at(-1).MiB };
  return { faults: faults.slice(0, 20), measured };
}

/** Of the straight line that lies nearest. */
function slopeOf(points) {
  const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(({ minutes }) => minutes), mean(({ MiB }) => MiB)];
  const over = mean(({ minutes, MiB }) => (minutes - x) * (MiB - y));
  return (
    over /
    Math.max(
      mean(({ minutes }) => (minutes - x) ** 2),
      Number.EPSILON,
    )
  );
}

class Load {
  faults = [];
  good = [];
  calls = 0;
  #begun = performance.now();
  #clients = [];
  #running = new Set();

  constructor(child, random) {
    this.child = child;
    this.random = random;
  }

  async open(transports) {
    this.#begun = performance.now();
    if (transports.includes('stdio')) this.#add(await legacy(this.child.lines()));
    if (transports.includes('uds')) this.#add(await legacy(await this.child.socket()));
    if (!transports.includes('http')) return;
    const [session, http] = [new HttpClient(this.child.url), new HttpClient(this.child.url)];
    this.#add(await legacy(session, () => session.end()));
    this.#add({ ask: (method, params) => http.modern(method, params), drop: () => http.end() });
  }

  call() {
    const begun = this.#one(this.random.pick(this.#clients), this.random.next()).catch((error) => this.faults.push(error.message));
    this.#running.add(begun);
    void begun.then(() => this.#running.delete(begun));
    this.calls += 1;
  }

  async whenDone() {
    await Promise.all(this.#running);
  }

  close() {
    for (const { drop } of this.#clients) drop();
  }

  #add(client) {
    this.#clients.push(client);
  }

  /** Seven of ten are good, two are bad in one of four ways, and one takes its time. */
  async #one({ ask }, kind) {
    const text = `text ${String(kind)}`;
    const asked = performance.now();
    if (kind < 0.7) {
      this.#must((await ask('tools/call', { name: 'echo', arguments: { text } })).result?.content?.[0]?.text === text, 'a good call');
      if (asked - this.#begun > WARM_MS) this.good.push(performance.now() - asked);
      return;
    }
    if (kind < 0.75) return this.#must((await ask('tools/call', { name: 'nothing' })).error?.code === -32602, 'an unknown tool');
    if (kind < 0.8) return this.#must((await ask('tools/call', { name: 'echo', arguments: { text: 5 } })).result?.isError, 'a wrong field');
    if (kind < 0.85) return this.#must((await ask('tools/call', { name: 'fail' })).result?.isError, 'a failure');
    if (kind < 0.9) return this.#must((await ask('no/such', {})).error?.code === -32601, 'an unknown method');
    const ms = Math.floor(2_000 * (kind - 0.9) * 10);
    this.#must((await ask('tools/call', { name: 'wait', arguments: { text, ms } })).result?.content?.[0]?.text === text, 'a slow call');
  }

  #must(isRight, what) {
    if (!isRight) this.faults.push(`${what} was answered otherwise`);
  }
}

async function legacy(client, drop = () => client.drop()) {
  await client.initialize();
  return { ask: (method, params) => client.ask(method, params), drop };
}
