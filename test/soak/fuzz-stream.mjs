import { Child } from './child.mjs';
import { dueTo, faultOf } from './due.mjs';
import { mutant } from './mutate.mjs';
import { Random } from './random.mjs';
import { ENVELOPE } from './line-client.mjs';
import { memoryOf } from './memory.mjs';

const BATCH = 100;
const ANSWER_MS = 10_000;
const GOOD_MS = 1_000;
const NEWLINE = 0x0a;

/** Sends frames that are wrong in every way over a stream, half of them in each era, and holds each to what it is due. */
export async function fuzzStream({ transport, count, seed, program }) {
  const faults = [];
  const measured = { frames: 0, answers: 0, MiB: 0 };
  for (const [index, era] of ['legacy', 'modern'].entries()) {
    const child = await Child.start({ program, transports: [transport], heapMiB: 256, log: true });
    try {
      const run = new StreamFuzz(child, { transport, era, random: new Random(seed + index), faults, measured });
      await run.send(count / 2);
    } catch (error) {
      faults.push(`${era}: ${error.message}`);
    } finally {
      await child.stop();
    }
  }
  return { faults, measured };
}

class StreamFuzz {
  #received = [];
  #wake = () => undefined;
  #id = 0;

  constructor(child, options) {
    this.child = child;
    Object.assign(this, options);
  }

  async send(count) {
    this.client = this.transport === 'uds' ? await this.child.socket() : this.child.lines();
    if (this.era === 'legacy') await this.client.initialize();
    else await this.client.modern('tools/list');
    this.client.onLine = (line) => {
      this.#received.push(line);
      this.#wake();
      return true;
    };
    const memory = memoryOf(this.child.pid);
    for (let sent = 0; sent < count; sent += BATCH) {
      await this.#batch(Math.min(BATCH, count - sent));
      if (this.faults.length > 20) return;
      memory.look();
    }
    this.measured.MiB = Math.max(this.measured.MiB, memory.most);
    this.faults.push(...memory.faults(400).map((fault) => `${this.era}: ${fault}`));
    if (!this.child.isAlive) this.faults.push(`${this.era}: the server ended with ${String(this.child.code)}`);
  }

  async #batch(size) {
    const frames = Array.from({ length: size }, () => mutant(this.random, (this.#id += 1), this.era));
    const bytes = Buffer.concat(frames.flatMap((frame) => [frame, Buffer.from([NEWLINE])]));
    const due = linesOf(bytes).map((line) => ({ line, ...dueTo(line) }));
    for (const piece of this.#pieces(bytes)) this.client.write(piece);
    const good = { due: 'answer', id: `good ${String(this.#id)}` };
    const params = this.era === 'modern' ? { params: { _meta: ENVELOPE } } : {};
    this.client.write(`${JSON.stringify({ jsonrpc: '2.0', id: good.id, method: 'tools/list', ...params })}\n`);
    await this.#until(() => this.#received.some((line) => line.includes(good.id)), 'the good request behind a batch is not answered');
    // One frame may be many elements to read; what is held to its time is a good request by itself.
    await this.#mustServe();
    const expected = [...due, good].filter(({ due: kind }) => kind !== 'nothing');
    const lines = this.#received.splice(0);
    this.measured.frames += size;
    this.measured.answers += lines.length;
    this.faults.push(...compare(expected, lines).map((fault) => `${this.era}, behind frame ${String(this.#id)}: ${fault}`));
  }

  /** A good request, on its own, is answered soon; and behind its answer stands whatever was still to come. */
  async #mustServe() {
    // A machine that is busy may be late once.
    if ((await this.#goodMs()) <= GOOD_MS || (await this.#goodMs()) <= GOOD_MS) return;
    this.faults.push(`${this.era}: a good request took over ${String(GOOD_MS)} ms`);
  }

  async #goodMs() {
    const id = `alone ${String(this.#id)}`;
    // The calls that wait a moment have ended by then.
    const params = { name: 'wait', arguments: { text: id, ms: 5 }, ...(this.era === 'modern' ? { _meta: ENVELOPE } : {}) };
    const asked = performance.now();
    this.client.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
    await this.#until(() => this.#received.some((line) => line.includes(id)), 'a good request alone is not answered');
    this.#received.splice(
      this.#received.findIndex((line) => line.includes(id)),
      1,
    );
    return performance.now() - asked;
  }

  /** Cuts the bytes at odd places, now and then into single bytes. */
  #pieces(bytes) {
    const pieces = [];
    for (let at = 0; at < bytes.length;) {
      const size = this.random.chance(0.02) ? 1 : 1 + this.random.below(20_000);
      pieces.push(bytes.subarray(at, at + size));
      at += size;
    }
    return pieces;
  }

  async #until(isTrue, otherwise) {
    const deadline = performance.now() + ANSWER_MS;
    while (!isTrue()) {
      if (performance.now() > deadline || !this.child.isAlive) throw new Error(otherwise);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, 500);
        this.#wake = () => (clearTimeout(timer), resolve());
      });
    }
  }
}

/** The lines as a reader of bytes sees them: a broken frame may have become two. */
function linesOf(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, start);
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

/** What was due and did not come, and what came and was not due. A request under an id that is in use may be refused without an id. */
function compare(expected, lines) {
  const faults = [];
  const count = new Map();
  const add = (key, by) => count.set(key, (count.get(key) ?? 0) + by);
  for (const line of lines) {
    const fault = faultOf(line);
    if (fault !== undefined) faults.push(`${fault}: ${line.slice(0, 300)}`);
    const { id = null } = safely(line);
    add(JSON.stringify(id), 1);
  }
  const asked = new Map();
  for (const { due, id = null } of expected) {
    const key = due === 'refusal' ? 'null' : JSON.stringify(id);
    asked.set(key, (asked.get(key) ?? 0) + 1);
  }
  for (const key of new Set([...count.keys(), ...asked.keys()])) {
    if (key === 'null') continue;
    const [came, due] = [count.get(key) ?? 0, asked.get(key) ?? 0];
    const lines = expected.filter(({ id }) => JSON.stringify(id) === key).map(({ line }) => line?.toString().slice(0, 300));
    if (came > due || (due > 0 && came === 0))
      faults.push(`${String(came)} answers for ${String(due)} requests with the id ${key.slice(0, 60)}: ${lines.join(' ')}`);
    else add('null', came - due);
  }
  const [came, due] = [count.get('null') ?? 0, asked.get('null') ?? 0];
  if (came !== due) faults.push(`${String(came)} refusals without an id for ${String(due)} frames`);
  return faults;
}

function safely(line) {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
}
