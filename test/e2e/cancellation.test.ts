import { request as httpRequest, type ClientRequest } from 'node:http';
import { once } from 'node:events';
import { jsonSchema, type McpApplication, type McpContext } from 'perch-mcp';
import { connectInMemory } from '../../src/bootstrap/mcp-application';
import { closeApps, createApp, overHttp, overStreams } from '../support/app';
import type { Era } from '../support/raw-doors';
import { overSocket } from '../support/socket';
import { ask, ENVELOPE, INITIALIZE, JSON_HEADERS, messageOf, modern, openSession } from '../support/wire';

afterEach(closeApps);

/** A call that the test ends. */
interface Waiting {
  readonly entered: Promise<McpContext>;
  readonly finish: (text: string) => void;
}

/** A tool `wait`, whose calls are told apart by their argument. */
class WaitingCalls {
  readonly #calls = new Map<string, { resolve: (context: McpContext) => void; waiting: Waiting; done: Promise<string> }>();

  /** What is known of the call with this key, before or after it begins. */
  at(key: string): Waiting {
    return this.#of(key).waiting;
  }

  run(key: string, context: McpContext): Promise<string> {
    const { resolve, done } = this.#of(key);
    resolve(context);
    return done;
  }

  #of(key: string): { resolve: (context: McpContext) => void; waiting: Waiting; done: Promise<string> } {
    const known = this.#calls.get(key);
    if (known !== undefined) return known;
    let resolve: (context: McpContext) => void = () => undefined;
    let finish: (text: string) => void = () => undefined;
    const entered = new Promise<McpContext>((done) => (resolve = done));
    const done = new Promise<string>((end) => (finish = end));
    const made = { resolve, waiting: { entered, finish }, done };
    this.#calls.set(key, made);
    return made;
  }
}

const KEY_SCHEMA = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] };

async function createWaiting(limits: object = {}): Promise<{ app: McpApplication; calls: WaitingCalls }> {
  const calls = new WaitingCalls();
  const app = await createApp([], { limits });
  app.tools.register({
    name: 'wait',
    description: 'Waits',
    input: jsonSchema(KEY_SCHEMA),
    execute: ({ key }: { key: string }, context) => calls.run(key, context),
  });
  return { app, calls };
}

async function whenAborted({ signal }: McpContext): Promise<unknown> {
  if (!signal.aborted) await once(signal, 'abort');
  return signal.reason;
}

type Message = Record<string, any>;

/** A connection on which a client may call, cancel, and see everything that comes back. */
interface Line {
  readonly name: string;
  readonly calls: Pick<WaitingCalls, 'at'>;
  /** Begins a call under this id. */
  readonly call: (id: number, key: string) => void;
  /** Resolves when the server has taken the notification. */
  readonly cancel: (requestId: unknown) => Promise<void>;
  /** Sends one more request, and gives back every answer up to and with its own. */
  readonly answersUntil: (id: number) => Promise<readonly Message[]>;
}

const CANCELLED = 'notifications/cancelled';
const waitFor = (id: number, key: string): Message => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'wait', arguments: { key } },
});
const enveloped = (message: Message): Message => ({ ...message, params: { ...message['params'], _meta: ENVELOPE } });

async function streamLine(
  name: string,
  era: Era,
  calls: WaitingCalls,
  { send, next }: { send: (message: object) => void; next: () => Promise<Message> },
): Promise<Line> {
  if (era === 'legacy') {
    send(INITIALIZE);
    await next();
  }
  const dress = (message: Message): Message => (era === 'modern' ? enveloped(message) : message);
  const line: Line = {
    name: `${name} ${era}`,
    calls,
    call: (id, key) => send(dress(waitFor(id, key))),
    cancel: async (requestId) => send(dress({ jsonrpc: '2.0', method: CANCELLED, params: { requestId } })),
    answersUntil: async (id) => {
      send(dress({ jsonrpc: '2.0', id, method: 'tools/list', params: {} }));
      const answers: Message[] = [];
      while (answers.at(-1)?.['id'] !== id && answers.at(-1)?.['error'] === undefined) answers.push(await next());
      return answers;
    },
  };
  await line.answersUntil(1_000);
  return line;
}

async function stdioLine(era: Era): Promise<Line> {
  const { app, calls } = await createWaiting();
  return streamLine('stdio', era, calls, await overStreams(app));
}

async function udsLine(era: Era): Promise<Line> {
  const { app, calls } = await createWaiting();
  return streamLine('uds', era, calls, await overSocket(app));
}

async function memoryLine(era: Era): Promise<Line> {
  const { app, calls } = await createWaiting();
  return streamLine('memory', era, calls, await memoryStream(app));
}

async function memoryStream(
  app: McpApplication,
): Promise<{ send: (message: object) => void; next: () => Promise<Message>; close: () => Promise<void> }> {
  const { client } = await connectInMemory(app);
  const messages: Message[] = [];
  let wake: () => void = () => undefined;
  client.onmessage = (message) => {
    messages.push(message);
    wake();
  };
  await client.start();
  return {
    send: (message) => void client.send(message as never),
    next: async () => {
      while (messages.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return messages.shift() as Message;
    },
    close: () => client.close(),
  };
}

/** Answers come on the stream of their own POST, so what has come is what has ended. */
async function sessionLine(): Promise<Line> {
  const { app, calls } = await createWaiting();
  return sessionOf(await overHttp(app), calls);
}

async function sessionOf(url: string, calls: WaitingCalls): Promise<Line> {
  const headers = await openSession(url);
  const answers: Message[] = [];
  const post = async (message: Message): Promise<number> => {
    const answer = await ask(url, { headers, body: JSON.stringify(message) });
    if (answer.text.includes('"jsonrpc"')) answers.push(messageOf(answer));
    return answer.status;
  };
  return {
    name: 'HTTP legacy',
    calls,
    call: (id, key) => void post(waitFor(id, key)),
    cancel: async (requestId) => {
      await post({ jsonrpc: '2.0', method: CANCELLED, params: { requestId } });
    },
    answersUntil: async (id) => {
      await post({ jsonrpc: '2.0', id, method: 'tools/list' });
      return answers.splice(0);
    },
  };
}

const LINES: readonly (readonly [string, () => Promise<Line>])[] = [
  ['stdio legacy', () => stdioLine('legacy')],
  ['stdio modern', () => stdioLine('modern')],
  ['uds legacy', () => udsLine('legacy')],
  ['uds modern', () => udsLine('modern')],
  ['memory legacy', () => memoryLine('legacy')],
  ['memory modern', () => memoryLine('modern')],
  ['HTTP legacy', sessionLine],
];

/** Everything that is wrong with the way a call is cancelled. What the server is told it knows once it has answered the next request. */
async function faultsOfCancelling(line: Line): Promise<string[]> {
  const faults: string[] = [];
  const must = (isSo: boolean, what: string): void => {
    if (!isSo) faults.push(what);
  };
  line.call(5, 'mine');
  const context = await line.calls.at('mine').entered;
  await line.cancel(5);
  const meanwhile = await line.answersUntil(6);
  must(context.signal.aborted, 'the signal is not aborted');
  line.calls.at('mine').finish('too late');
  const answers = [...meanwhile, ...(await line.answersUntil(7))];
  must(!answers.some(({ id }) => id === 5), 'a cancelled call is answered');
  must((await line.answersUntil(5)).at(-1)?.['id'] === 5, 'the id is not free again');
  return faults;
}

/** Everything that is wrong with cancelling what is not running: unknown, finished, no id at all, or not begun yet. */
async function faultsOfIgnoring(line: Line): Promise<string[]> {
  const faults: string[] = [];
  line.call(5, 'running');
  const context = await line.calls.at('running').entered;
  await line.answersUntil(6);
  for (const id of [99, 6, '5', {}, null, undefined, 20]) await line.cancel(id);
  const unasked = (await line.answersUntil(7)).filter(({ id }) => id !== 7);
  if (unasked.length > 0) faults.push(`a notification is answered: ${JSON.stringify(unasked)}`);
  if (context.signal.aborted) faults.push('another call is aborted');
  line.call(20, 'later');
  const later = await line.calls.at('later').entered;
  if (later.signal.aborted) faults.push('a call that began after it was cancelled is aborted');
  line.calls.at('running').finish('done');
  line.calls.at('later').finish('done');
  const answered = new Set<unknown>();
  for (let id = 30; !(answered.has(5) && answered.has(20)) && id < 200; id += 1)
    for (const answer of await line.answersUntil(id)) answered.add(answer['id']);
  if (!answered.has(5) || !answered.has(20)) faults.push('a call that goes on is not answered');
  return faults;
}

test.each(LINES)(
  'B13, B34: over %s a call that its client cancels is aborted before the next answer, and is never answered',
  async (_name, open) => {
    expect(await faultsOfCancelling(await open())).toEqual([]);
  },
);

test.each(LINES)('B13: over %s cancelling what is unknown, finished, wrong or not begun changes nothing', async (_name, open) => {
  expect(await faultsOfIgnoring(await open())).toEqual([]);
});

test('B13: a session cannot cancel what runs in another under the same id', async () => {
  const { app, calls } = await createWaiting();
  const url = await overHttp(app);
  const [mine, other] = [await sessionOf(url, calls), await sessionOf(url, calls)];
  mine.call(5, 'mine');
  const { signal } = await calls.at('mine').entered;
  await other.cancel(5);
  await other.answersUntil(6);
  expect(signal.aborted).toBe(false);
  await mine.cancel(5);
  await mine.answersUntil(6);
  expect(signal.aborted).toBe(true);
  calls.at('mine').finish('too late');
});

test('B13: two clients in memory cannot cancel for each other either', async () => {
  const { app, calls } = await createWaiting();
  const mine = await streamLine('memory', 'legacy', calls, await memoryStream(app));
  const other = await streamLine('memory', 'legacy', calls, await memoryStream(app));
  mine.call(5, 'mine');
  const { signal } = await calls.at('mine').entered;
  await other.cancel(5);
  await other.answersUntil(6);
  await mine.answersUntil(6);
  expect(signal.aborted).toBe(false);
  calls.at('mine').finish('done');
});

/** A server that has never heard of cancelling, and one that aborts whatever runs and says so. */
function weakLine(isDeaf: boolean): Line {
  const calls = new WaitingCalls();
  const answers: Message[] = [];
  const controller = new AbortController();
  return {
    name: 'weak',
    calls,
    call: (id, key) => void calls.run(key, { signal: controller.signal } as McpContext).then((text) => answers.push({ id, result: text })),
    cancel: async () => {
      if (isDeaf) return;
      controller.abort();
      answers.push({ id: null, error: { code: -32603, message: 'cancelled' } });
    },
    answersUntil: async (id) => {
      await new Promise((resolve) => setImmediate(resolve));
      return [...answers.splice(0), { id, result: {} }];
    },
  };
}

test('B13: a weak server is caught', async () => {
  expect(await faultsOfCancelling(weakLine(true))).toEqual(['the signal is not aborted', 'a cancelled call is answered']);
  expect(await faultsOfIgnoring(weakLine(false))).toHaveLength(3);
});

/** Sends a request whose connection the test will drop. */
function open(
  url: string,
  { headers, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Buffer },
): ClientRequest {
  const { hostname, port, pathname } = new URL(url);
  const outgoing = httpRequest({ host: hostname, port, path: pathname, method: 'POST', headers: { ...headers }, agent: false });
  outgoing.on('error', () => undefined);
  outgoing.end(body);
  return outgoing;
}

describe('a client that goes away', () => {
  test('B12, B34: over modern HTTP its call is aborted', async () => {
    const { app, calls } = await createWaiting();
    const url = await overHttp(app);
    const outgoing = open(url, modern('tools/call', { name: 'wait', arguments: { key: 'mine' } }));
    const context = await calls.at('mine').entered;
    outgoing.destroy();
    await whenAborted(context);
    calls.at('mine').finish('too late');
    expect((await ask(url, modern('tools/list'))).status).toBe(200);
  });

  test('B12, B34: in a session its call runs on until its time is up, and the session goes on', async () => {
    const { app, calls } = await createWaiting({ callTimeoutMs: 400 });
    const url = await overHttp(app);
    const headers = await openSession(url);
    const outgoing = open(url, { headers, body: JSON.stringify(waitFor(5, 'mine')) });
    const context = await calls.at('mine').entered;
    outgoing.destroy();
    await new Promise((closed) => outgoing.once('close', closed));
    for (const id of [6, 7]) {
      const answer = messageOf(await ask(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }) }));
      expect(answer).toEqual({ jsonrpc: '2.0', id, result: {} });
    }
    expect(await whenAborted(context)).toMatchObject({ message: 'Timed out' });
  });

  test.each(['legacy', 'modern'] as const)('B12: in memory its call is aborted and keeps nobody waiting, in the %s era', async (era) => {
    const { app, calls } = await createWaiting();
    const stream = await memoryStream(app);
    const line = await streamLine('memory', era, calls, stream);
    line.call(5, 'mine');
    const context = await calls.at('mine').entered;
    await stream.close();
    await whenAborted(context);
    calls.at('mine').finish('too late');
    const from = performance.now();
    await app.close();
    // The grace period is ten seconds.
    expect(performance.now() - from).toBeLessThan(5_000);
  });

  test.each(['legacy', 'modern'] as const)(
    'B34: at the end of its input on stdio its call finishes and is answered, in the %s era',
    async (era) => {
      const { app, calls } = await createWaiting();
      const end = await overStreams(app);
      const line = await streamLine('stdio', era, calls, end);
      line.call(5, 'mine');
      const { signal } = await calls.at('mine').entered;
      end.endInput();
      // Closing has begun once nothing new is taken.
      await expect(app.init()).resolves.toBe(app);
      expect(signal.aborted).toBe(false);
      calls.at('mine').finish('done');
      expect(await end.next()).toMatchObject({ id: 5, result: { content: [{ type: 'text', text: 'done' }] } });
      expect(signal.aborted).toBe(false);
    },
  );

  test.each(['legacy', 'modern'] as const)(
    'B34: one that outlasts the grace period is aborted and answered "Shutting down", in the %s era',
    async (era) => {
      const { app, calls } = await createWaiting({ graceMs: 100 });
      const end = await overStreams(app);
      const line = await streamLine('stdio', era, calls, end);
      line.call(5, 'mine');
      const context = await calls.at('mine').entered;
      end.endInput();
      expect(await end.next()).toMatchObject({ id: 5, result: { content: [{ text: 'Shutting down' }], isError: true } });
      expect(context.signal.aborted).toBe(true);
    },
  );
});
