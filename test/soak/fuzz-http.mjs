import { connect } from 'node:net';
import { Child } from './child.mjs';
import { dueTo, faultOf } from './due.mjs';
import { HttpClient, JSON_HEADERS, messagesIn } from './http-client.mjs';
import { memoryOf } from './memory.mjs';
import { mutant } from './mutate.mjs';
import { Random } from './random.mjs';
import { within } from './within.mjs';

const CLIENTS = 4;
const ROUND = 100;
const ANSWER_MS = 10_000;
const GOOD_MS = 1_000;

/** Sends bodies and headers that are wrong in every way over HTTP, several clients at once, each in a session of its own if legacy. */
export async function fuzzHttp({ era, count, seed, program }) {
  const faults = [];
  const measured = { frames: 0, answers: 0, MiB: 0 };
  const child = await Child.start({ program, transports: ['http'], heapMiB: 256, log: true });
  const memory = memoryOf(child.pid);
  try {
    const share = Math.ceil(count / CLIENTS);
    const one = (index) =>
      new HttpFuzz(child, { era, random: new Random(seed + index), ids: index * share, faults, measured, memory }).send(share);
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => one(index)));
    measured.MiB = memory.most;
    faults.push(...memory.faults(450));
    if (!child.isAlive) faults.push(`the server ended with ${String(child.code)}`);
  } catch (error) {
    faults.push(error.message);
  } finally {
    await child.stop();
  }
  return { faults, measured };
}

class HttpFuzz {
  constructor(child, options) {
    this.child = child;
    Object.assign(this, options);
    this.client = new HttpClient(child.url, { maxSockets: 2 });
  }

  async send(count) {
    try {
      await this.#open();
      for (let sent = 0; sent < count && this.faults.length < 20; sent += 1) {
        const id = this.ids + sent + 1;
        if (this.random.chance(0.05)) await this.#sendBytes(id);
        else await this.#sendRequest(id);
        this.measured.frames += 1;
        if (sent % ROUND === ROUND - 1) await this.#mustServe();
      }
      await this.#mustServe();
    } finally {
      this.client.end();
    }
  }

  async #open() {
    if (this.era === 'legacy') await this.client.initialize();
  }

  #headersFor(body) {
    if (this.era === 'legacy') return { ...this.client.sessionHeaders };
    const { method, params } = parsed(body);
    const subject = params?.name ?? params?.uri;
    return {
      ...JSON_HEADERS,
      'mcp-protocol-version': '2026-07-28',
      ...(isHeader(method) ? { 'mcp-method': method } : {}),
      ...(isHeader(subject) ? { 'mcp-name': subject } : {}),
    };
  }

  async #sendRequest(id) {
    const body = mutant(this.random, id, this.era);
    const headers = this.#headersFor(body);
    const isBent = this.random.chance(0.2);
    const method = isBent && this.random.chance(0.1) ? this.random.pick(['PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH']) : 'POST';
    if (isBent) bend(headers, this.random);
    const what = `${method} ${JSON.stringify(headers).slice(0, 300)} ${body.toString().slice(0, 300)}`;
    let answer;
    try {
      answer = await within(ANSWER_MS, this.client.send({ method, headers, body }), 'no answer');
    } catch (error) {
      // A client may not be able to send such a header, or finds the connection closed behind an answer to a body without end.
      if (isBent && ['ERR_INVALID_CHAR', 'ECONNRESET', 'EPIPE', 'ERR_HTTP_INVALID_HEADER_VALUE'].includes(error.code)) return;
      throw new Error(`${error.message}: ${what}`, { cause: error });
    }
    this.measured.answers += 1;
    const fault = faultOfAnswer(answer, isBent ? undefined : dueTo(body), dueTo(body));
    if (fault !== undefined)
      this.faults.push(`${this.era}, frame ${String(id)}: ${fault}; ${String(answer.status)} ${answer.text.slice(0, 200)} to ${what}`);
    if (this.era === 'legacy' && method === 'DELETE') await this.#open();
  }

  /** A whole request with broken bytes, and then the end of the connection: it is answered or closed, and never held. */
  async #sendBytes(id) {
    const body = mutant(this.random, id, this.era);
    const { hostname, port, host } = new URL(this.child.url);
    const lines = Object.entries({ host, ...this.#headersFor(body), 'content-length': body.length }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const bytes = Buffer.concat([Buffer.from(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), body]);
    const head = bytes.length - body.length;
    for (let each = this.random.below(3); each >= 0; each -= 1) bytes[this.random.below(head)] = this.random.below(256);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    socket.end(this.random.chance(0.3) ? bytes.subarray(0, this.random.below(bytes.length)) : bytes);
    await within(ANSWER_MS, new Promise((resolve) => socket.once('close', resolve)), 'held').catch(() =>
      this.faults.push(`${this.era}, bytes ${String(id)}: the connection is held: ${bytes.toString('latin1').slice(0, 300)}`),
    );
    socket.destroy();
    if (text !== '' && !text.startsWith('HTTP/1.1 ')) this.faults.push(`${this.era}, bytes ${String(id)}: no HTTP: ${text.slice(0, 200)}`);
    if (/^HTTP\/1\.1 5/.test(text))
      this.faults.push(`${this.era}, bytes ${String(id)}: ${text.slice(0, 200)} to ${bytes.toString('latin1').slice(0, 500)}`);
    if (/\n\s+at |node_modules|planted-secret|<html/i.test(text))
      this.faults.push(`${this.era}, bytes ${String(id)}: ${text.slice(0, 300)}`);
  }

  async #mustServe() {
    this.memory.look();
    // A machine that is busy may be late once.
    if ((await this.#goodMs()) <= GOOD_MS || (await this.#goodMs()) <= GOOD_MS) return;
    this.faults.push(`a good request took over ${String(GOOD_MS)} ms`);
  }

  async #goodMs() {
    const asked = performance.now();
    const asking = this.era === 'legacy' ? this.client.ask('tools/list', {}, 'good') : this.client.modern('tools/list');
    const answer = await within(ANSWER_MS, asking, 'a good request is not answered');
    if (!Array.isArray(answer.result?.tools)) this.faults.push(`a good request was answered ${JSON.stringify(answer).slice(0, 200)}`);
    return performance.now() - asked;
  }
}

/** Without `due`, headers were bent: the request may be refused for those, but never answered as if it were another's. */
function faultOfAnswer(answer, due, dueToBody) {
  if (answer.status >= 500) return 'a failure of the server';
  if (/html/.test(answer.headers['content-type'] ?? '')) return 'HTML';
  let messages;
  try {
    messages = messagesIn(answer);
  } catch {
    return 'no JSON';
  }
  const wrong = messages.map((message) => faultOf(JSON.stringify(message))).find((fault) => fault !== undefined);
  if (wrong !== undefined) return wrong;
  const answers = messages.filter(({ method }) => method === undefined);
  if (answers.length > 1) return `${String(answers.length)} answers`;
  const [only] = answers;
  if (due === undefined) return foreignId(only, dueToBody);
  // Over HTTP every request has a response; what is due nothing gets 202, or is told why it was not taken.
  if (due.due === 'nothing')
    return answers.length === 0
      ? answer.status === 202
        ? undefined
        : 'not 202'
      : (foreignId(only, due) ?? (answer.status === 400 ? undefined : 'not 400'));
  if (only === undefined) return 'no answer';
  if (due.due === 'refusal')
    return (only.id ?? null) === null && only.error !== undefined && answer.status >= 400 ? undefined : 'not refused';
  return JSON.stringify(only.id) === JSON.stringify(due.id) ? undefined : 'not its id';
}

function foreignId(answer, { id = null }) {
  const answered = answer?.id ?? null;
  return answered === null || JSON.stringify(answered) === JSON.stringify(id) ? undefined : 'an id that was not sent';
}

const VALUES = [
  '',
  'x',
  '2026-07-28',
  '2025-11-25',
  '1999-01-01',
  'text/plain',
  'application/json; charset=utf-16',
  '*/*',
  'a, b',
  'ä',
  'x'.repeat(5_000),
  'tools/list',
  '=?base64?eA==?=',
  '=?base64?!?=',
];
const HEADERS = [
  'content-type',
  'accept',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
  'content-encoding',
  'origin',
  'authorization',
  'last-event-id',
  'x-http-method-override',
  'expect',
];

function bend(headers, random) {
  for (let each = random.below(3); each >= 0; each -= 1) {
    const name = random.pick(HEADERS);
    if (random.chance(0.4)) delete headers[name];
    else headers[name] = random.chance(0.2) ? [random.pick(VALUES), random.pick(VALUES)] : random.pick(VALUES);
  }
}

function parsed(body) {
  try {
    return JSON.parse(body.toString()) ?? {};
  } catch {
    return {};
  }
}

/** What a header can carry as it is. */
function isHeader(value) {
  return typeof value === 'string' && /^[!-~]{1,5000}$/.test(value);
}
