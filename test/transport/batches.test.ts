import { IsInt } from 'class-validator';
import { Injectable, McpTool, Scopes, TokenVerifier, type McpApplicationOptions, type McpContext, type Principal } from 'perch-mcp';
import { connectInMemory } from '../../src/bootstrap/mcp-application';
import { closeApps, createApp, overHttp, overStreams, type StreamEnd } from '../support/app';
import { HeldCalls } from '../support/held-calls';
import { ask, ENVELOPE, INITIALIZE, JSON_HEADERS, messageOf, openSession, type HttpAnswer } from '../support/wire';

class OrderInput {
  @IsInt() place!: number;
}

/** Calls that end in the opposite order of that in which they began. */
@Injectable()
class Reversed {
  readonly #ends: ((value: string) => void)[] = [];

  @McpTool({ name: 'reversed', description: 'Ends when three have begun, the last one first', input: OrderInput })
  reversed({ place }: OrderInput): Promise<string> {
    return new Promise((resolve) => {
      this.#ends.push(() => resolve(String(place)));
      if (this.#ends.length === 3) setImmediate(() => void this.#endAll());
    });
  }

  async #endAll(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) {
      end('');
      await new Promise(setImmediate);
    }
  }

  @McpTool({ name: 'progress', description: 'Says how far it is' })
  progress(_input: object, context: McpContext): string {
    void context.progress(1);
    return 'done';
  }

  @McpTool({ name: 'ask', description: 'Asks for the roots' })
  async ask(_input: object, context: McpContext): Promise<string> {
    return String((await context.roots('roots')).length);
  }

  @McpTool({ name: 'scoped', description: 'Wants a scope' })
  @Scopes('write')
  scoped(): string {
    return 'in';
  }
}

class Anyone extends TokenVerifier {
  verify(token: string): Principal {
    return { id: token, scopes: [] };
  }
}

type Message = Record<string, any>;

const OLD = { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: '2025-03-26', capabilities: { roots: {} } } };
const request = (id: unknown, method: string, params?: object): object => ({ jsonrpc: '2.0', id, method, params });
const call = (id: unknown, name: string, args: object = {}, more: object = {}): object =>
  request(id, 'tools/call', { name, arguments: args, ...more });
const ping = (id: unknown): object => request(id, 'ping');
const reversed = (place: number): object => call(place, 'reversed', { place });
const NOTE = { jsonrpc: '2.0', method: 'notifications/initialized' };

let held = new HeldCalls();

function create(options: Partial<McpApplicationOptions> = {}): ReturnType<typeof createApp> {
  held = new HeldCalls();
  return createApp([Reversed, { provide: HeldCalls, useValue: held }], options);
}

afterEach(async () => {
  held.finish('');
  await closeApps();
});

/** A way in that takes any JSON and gives back the JSON that answers it, undefined where nothing does. */
interface WayIn {
  readonly name: string;
  readonly exchange: (body: unknown) => Promise<any>;
  /** Sends what is answered later or not at all. */
  readonly send: (body: unknown) => void;
}

async function overStream(initialize: object = OLD, options: Partial<McpApplicationOptions> = {}): Promise<WayIn> {
  const stream = await overStreams(await create(options));
  stream.send(initialize);
  await stream.next();
  return streamWay(stream);
}

let fences = 0;

function streamWay(stream: StreamEnd): WayIn {
  return {
    name: 'a stream',
    send: (body) => stream.send(`${JSON.stringify(body)}\n`),
    exchange: async (body) => {
      const fence = `fence ${String((fences += 1))}`;
      stream.send(`${JSON.stringify(body)}\n`);
      const first = stream.next();
      const isAnswered =
        !Array.isArray(body) || body.length === 0 || body.some((each) => !Object.hasOwn(each ?? {}, 'method') || 'id' in each);
      if (isAnswered) return first;
      stream.send(ping(fence));
      const next: Message = await first;
      return next['id'] === fence ? undefined : next;
    },
  };
}

async function session(url: string, initialize: object = OLD): Promise<Record<string, string>> {
  const answer = await ask(url, { headers: JSON_HEADERS, body: JSON.stringify(initialize) });
  return { ...JSON_HEADERS, 'mcp-session-id': String(answer.headers['mcp-session-id']) };
}

async function overSession(initialize: object = OLD, options: Partial<McpApplicationOptions> = {}): Promise<WayIn> {
  const url = await overHttp(await create(options));
  const headers = await session(url, initialize);
  const post = (body: unknown): Promise<HttpAnswer> => ask(url, { headers, body: JSON.stringify(body) });
  return {
    name: 'a session',
    send: (body) => void post(body),
    exchange: async (body) => {
      const answer = await post(body);
      if (answer.status === 202) return undefined;
      expect(answer.headers['content-type']).toMatch('application/json');
      return JSON.parse(answer.text) as unknown;
    },
  };
}

describe.each([
  ['a stream', overStream],
  ['an HTTP session', overSession],
])('over %s', (_name, open) => {
  test('parity A8: a batch is answered as one array in request order, whatever ends first; notifications leave nothing in it', async () => {
    const { exchange } = await open();
    const answers = await exchange([reversed(1), NOTE, reversed(2), ping('p'), reversed(3)]);
    expect(answers).toMatchObject([
      { id: 1, result: { content: [{ text: '1' }] } },
      { id: 2, result: { content: [{ text: '2' }] } },
      { id: 'p', result: {} },
      { id: 3, result: { content: [{ text: '3' }] } },
    ]);
  });

  test('parity A8: an empty batch is one -32600, and a batch of notifications is silent', async () => {
    const { exchange } = await open();
    expect(await exchange([])).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await exchange([NOTE, NOTE])).toBeUndefined();
    expect(await exchange([ping(1)])).toMatchObject([{ id: 1, result: {} }]);
  });

  test('an element that is no message has its own -32600, and refuses no other', async () => {
    const { exchange } = await open();
    expect(await exchange([42, ping(1), { id: 5 }, [ping(2)], [], null, request(6, 'tools/call', {}), ping(3)])).toMatchObject([
      { id: null, error: { code: -32600 } },
      { id: 1, result: {} },
      { id: 5, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: 6, error: { code: -32602 } },
      { id: 3, result: {} },
    ]);
  });

  test('initialize and subscriptions/listen never stand in a batch', async () => {
    const { exchange } = await open();
    expect(await exchange([OLD, ping(1), request(2, 'subscriptions/listen', { notifications: {} })])).toMatchObject([
      { id: 'init', error: { code: -32600 } },
      { id: 1, result: {} },
      { id: 2, error: { code: -32600 } },
    ]);
  });

  test('a second element under an id of its batch is refused, also when the first has been answered already', async () => {
    const { exchange } = await open();
    expect(await exchange([ping(1), ping(1), request(2, 'tools/call', {}), ping(2), { id: 1 }])).toMatchObject([
      { id: 1, result: {} },
      { id: null, error: { code: -32600 } },
      { id: 2, error: { code: -32602 } },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
    ]);
  });

  test('the ids of a batch are taken until it is answered, and free afterwards', async () => {
    const { exchange } = await open();
    const first = exchange([ping(1), call(2, 'held')]);
    await held.entered();
    const answers = [first, exchange([ping(1), ping(2), ping(3)])];
    // On a stream the answers come in the order in which they are ready, and so do these promises.
    await Promise.race(answers);
    held.finish('late');
    const [short, long] = (await Promise.all(answers)).sort((one, other) => one.length - other.length);
    expect(long.map((each: Message) => each['error']?.code)).toEqual([-32600, -32600, undefined]);
    expect(short).toMatchObject([{ id: 1 }, { id: 2, result: { content: [{ text: 'late' }] } }]);
    expect(await exchange([ping(1), ping(2)])).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: {} },
    ]);
  });

  test('an element that is cancelled leaves no answer in the array, and the rest is answered', async () => {
    const { exchange, send } = await open();
    const answer = exchange([call(1, 'held'), ping(2)]);
    const { signal } = await held.entered();
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await answer).toMatchObject([{ id: 2, result: {} }]);
    expect(signal.aborted).toBe(true);
    const inside = exchange([call(3, 'held'), ping(4), { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } }]);
    expect(await inside).toMatchObject([{ id: 4, result: {} }]);
  });

  test('a batch of more elements than the limit is one -32600, and one of exactly as many is answered', async () => {
    const { exchange } = await open(OLD, { limits: { batchElements: 20 } });
    const batch = Array.from({ length: 20 }, (_, id) => ping(id));
    expect(await exchange([...batch, ping(20)])).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await exchange(batch)).toHaveLength(20);
  });

  test('at most streamCalls elements of a batch run at a time, and all are answered', async () => {
    const { exchange } = await open(OLD, { limits: { streamCalls: 3 } });
    const answers = exchange(Array.from({ length: 8 }, (_, id) => call(id, 'held')));
    for (const round of [3, 3, 2]) {
      for (let count = 0; count < round; count += 1) await held.entered();
      await new Promise(setImmediate);
      expect(held.running).toBe(round);
      held.finish('ok');
    }
    expect((await answers).map(({ id }: Message) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('a revision without batches answers an array with one -32600, and none of it runs', async () => {
    const { exchange } = await open(INITIALIZE);
    expect(await exchange([call(1, 'held'), ping(2)])).toMatchObject({ id: null, error: { code: -32600 } });
    expect(held.running).toBe(0);
  });

  test("`batch: 'accept'` answers batches of a revision without them", async () => {
    const { exchange } = await open(INITIALIZE, { batch: 'accept' });
    expect(await exchange([reversed(1), reversed(2), reversed(3)])).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });
});

test('on a stream, a batch behind initialize waits for the revision that decides it', async () => {
  const stream = await overStreams(await create());
  stream.send([OLD, [ping(1), ping(2)]].map((each) => `${JSON.stringify(each)}\n`).join(''));
  expect(await stream.next()).toMatchObject({ id: 'init' });
  expect(await stream.next()).toMatchObject([{ id: 1 }, { id: 2 }]);
});

test('on a stream, a batch before initialize is one -32600, and an accepted one has its elements told to initialize first', async () => {
  const stream = await overStreams(await create());
  stream.send(`${JSON.stringify([call(1, 'held')])}\n`);
  expect(await stream.next()).toMatchObject({ id: null, error: { code: -32600 } });
  const accepting = await overStreams(await create({ batch: 'accept' }));
  accepting.send(`${JSON.stringify([call(1, 'held'), ping(2)])}\n`);
  expect(await accepting.next()).toMatchObject([
    { id: 1, error: { code: -32600 } },
    { id: 2, result: {} },
  ]);
});

test("on a stream, `batch: 'accept'` answers batches of modern requests too", async () => {
  const stream = await overStreams(await create({ batch: 'accept' }));
  const modern = (id: number, method: string, params: object = {}): object => request(id, method, { ...params, _meta: ENVELOPE });
  stream.send(`${JSON.stringify([modern(1, 'tools/call', { name: 'progress' }), modern(2, 'tools/list'), ping(3)])}\n`);
  expect(await stream.next()).toMatchObject([
    { id: 1, result: { content: [{ text: 'done' }] } },
    { id: 2, result: { tools: expect.any(Array) } },
    { id: 3, error: { code: -32601 } },
  ]);
});

test('on a stream, progress of a call in a batch comes as it is made, and the call can ask its client', async () => {
  const stream = await overStreams(await create());
  stream.send(OLD);
  await stream.next();
  stream.send(`${JSON.stringify([call(1, 'progress', {}, { _meta: { progressToken: 't' } }), call(2, 'ask')])}\n`);
  const said = [await stream.next(), await stream.next()];
  expect(said.map(({ method }) => method).sort()).toEqual(['notifications/progress', 'roots/list']);
  const question = said.find(({ method }) => method === 'roots/list');
  stream.send(`${JSON.stringify([{ jsonrpc: '2.0', id: question?.['id'], result: { roots: [] } }])}\n`);
  expect(await stream.next()).toMatchObject([{ id: 1 }, { id: 2, result: { content: [{ text: '0' }] } }]);
});

test('in memory, a batch is answered as on a stream', async () => {
  const { client } = await connectInMemory(await create());
  const answers: unknown[] = [];
  const answered = new Promise<void>((resolve) => {
    client.onmessage = (message) => {
      answers.push(message);
      if (Array.isArray(message)) resolve();
    };
  });
  await client.start();
  await client.send(OLD);
  await client.send([reversed(1), reversed(2), reversed(3)] as never);
  await answered;
  expect(answers[1]).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }]);
});

test('over HTTP, a call in a batch cannot ask its client, and its progress goes to the stream of the session or nowhere', async () => {
  const { exchange } = await overSession();
  const answers = await exchange([call(1, 'ask'), call(2, 'progress', {}, { _meta: { progressToken: 't' } })]);
  expect(answers).toMatchObject([
    { id: 1, result: { isError: true, content: [{ text: expect.stringContaining('did not answer') }] } },
    { id: 2, result: { content: [{ text: 'done' }] } },
  ]);
});

test('over HTTP, an array in the modern era, without a session or for another revision than the session has is one -32600 or 400', async () => {
  const url = await overHttp(await create({ batch: 'accept' }));
  const body = JSON.stringify([ping(1)]);
  const headers = await session(url);
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'ping' };
  for (const each of [{ ...JSON_HEADERS, ...modern }, { ...headers, ...modern }, JSON_HEADERS]) {
    const answer = await ask(url, { headers: each, body });
    expect([answer.status, messageOf(answer)]).toMatchObject([400, { id: null, error: { code: -32600 } }]);
  }
  expect((await ask(url, { headers: { ...headers, 'mcp-protocol-version': '2025-11-25' }, body })).status).toBe(400);
  expect((await ask(url, { headers: { ...headers, 'mcp-protocol-version': '2025-03-26' }, body })).status).toBe(200);
  expect((await ask(url, { headers: { ...headers, 'mcp-session-id': 'no' }, body })).status).toBe(404);
});

test('over HTTP, the elements of a batch are calls of the principal who sent it, and @Scopes holds for each', async () => {
  const app = await createApp([Reversed, { provide: TokenVerifier, useClass: Anyone }]);
  const url = await overHttp(app);
  const authorization = { authorization: 'Bearer ada' };
  const answer = await ask(url, { headers: { ...JSON_HEADERS, ...authorization }, body: JSON.stringify(OLD) });
  const headers = { ...JSON_HEADERS, ...authorization, 'mcp-session-id': String(answer.headers['mcp-session-id']) };
  const answers = await ask(url, { headers, body: JSON.stringify([call(1, 'scoped'), call(2, 'progress')]) });
  expect(JSON.parse(answers.text)).toMatchObject([
    { id: 1, result: { isError: true, content: [{ text: 'Forbidden' }] } },
    { id: 2, result: { content: [{ text: 'done' }] } },
  ]);
  const other = await ask(url, { headers: { ...headers, authorization: 'Bearer bob' }, body: JSON.stringify([ping(1)]) });
  expect(other.status).toBe(404);
});

test('over HTTP, the end of a session answers a batch that runs, also what has not begun', async () => {
  const url = await overHttp(await create({ limits: { streamCalls: 1 } }));
  const headers = await session(url);
  const answer = ask(url, { headers, body: JSON.stringify([call(1, 'held'), call(2, 'held')]) });
  await held.entered();
  await ask(url, { method: 'DELETE', headers });
  expect(JSON.parse((await answer).text)).toMatchObject([
    { id: 1, error: { message: 'Session ended' } },
    { id: 2, error: { message: 'Session ended' } },
  ]);
  expect(held.running).toBe(1);
});

test('over HTTP, the elements of a batch count among the calls of the server, and one too many is told so in its place', async () => {
  const url = await overHttp(await create({ limits: { httpCalls: 2 } }));
  const headers = await session(url);
  const answer = ask(url, { headers, body: JSON.stringify([call(1, 'held'), call(2, 'held'), call(3, 'held')]) });
  await held.entered();
  await held.entered();
  held.finish('ok');
  expect(JSON.parse((await answer).text)).toMatchObject([
    { id: 1, result: {} },
    { id: 2, result: {} },
    { id: 3, error: { code: -32000 } },
  ]);
  const again = ask(url, { headers, body: JSON.stringify([ping(1), ping(2)]) });
  expect(JSON.parse((await again).text)).toMatchObject([
    { id: 1, result: {} },
    { id: 2, result: {} },
  ]);
});

test('an option batch that is not "accept" refuses the boot', async () => {
  await expect(create({ batch: 'yes' as 'accept' })).rejects.toThrow('The option "batch" is not "accept"');
});

test('batches leave the sessions of clients that send none as they are', async () => {
  const url = await overHttp(await create());
  const headers = await openSession(url);
  expect(messageOf(await ask(url, { headers, body: JSON.stringify(ping(1)) }))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});
