import type { ListenOptions, Limits, McpApplication, McpContext } from 'perch-mcp';
import { closeApps, createApp } from '../support/app';
import { EventStream, type ServerEvent } from '../support/event-stream';
import { HeldCalls } from '../support/held-calls';
import { ask, messageOf, openSession, type HttpAnswer } from '../support/wire';

type Headers = Record<string, string>;

let app: McpApplication;
let calls: HeldCalls;
let url: string;
let headers: Headers;

async function serve(
  limits: Partial<Limits> = {},
  options: Pick<ListenOptions, 'sessions'> = { sessions: { replay: true } },
): Promise<void> {
  app = await createApp([HeldCalls], { limits });
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false, ...options });
  url = app.handles[0]?.url ?? '';
  calls = app.get(HeldCalls);
  headers = await openSession(url);
}

afterEach(async () => {
  calls.finish('the test is over');
  await closeApps();
});

const CALL = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'held', _meta: { progressToken: 'p' } } };

/** Begins the call; its stream's first event, and its context. */
async function begin(more: Headers = {}): Promise<{ stream: EventStream; primed: string; context: McpContext }> {
  const stream = await EventStream.open(url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(CALL) });
  const context = await calls.entered();
  const first = more['mcp-protocol-version'] === undefined ? await stream.next() : undefined;
  return { stream, primed: first?.id ?? '', context };
}

function listen(lastEventId?: string, more: Headers = {}): Promise<EventStream> {
  return EventStream.open(url, {
    headers: { ...headers, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }), ...more },
  });
}

function post(message: object): Promise<HttpAnswer> {
  return ask(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
}

async function refusal(lastEventId: string, more: Headers = {}): Promise<{ status: number; body: unknown }> {
  const { status, text } = await ask(url, { method: 'GET', headers: { ...headers, 'last-event-id': lastEventId, ...more } });
  return { status, body: JSON.parse(text) as unknown };
}

const REFUSED = {
  status: 400,
  body: {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32000, message: 'Bad request: nothing can follow the event that Last-Event-ID names' },
  },
};

const messages = (events: readonly ServerEvent[]): unknown[] => events.map(({ data }) => JSON.parse(data) as unknown);
const progressOf = (event: ServerEvent | undefined): unknown =>
  (JSON.parse(event?.data ?? '{}') as { params?: { progress?: number } }).params?.progress;
const changed = (name: string): void => void app.tools.register({ name, execute: () => '' });
const ANSWER = { jsonrpc: '2.0', id: 5, result: { content: [{ type: 'text', text: 'done' }] } };

describe('the first event of a stream', () => {
  test.each([
    [{ replay: true }, '1000'],
    [{ replay: true, retryMs: 250 }, '250'],
  ])('[replay.prime] with %j it has an id, no data, and says to come back after %s ms', async (sessions, retry) => {
    await serve({}, { sessions });
    const stream = await EventStream.open(url, { method: 'POST', headers, body: JSON.stringify(CALL) });
    expect(await stream.next()).toEqual({ id: expect.stringMatching(/^1\.[\w-]{12}\./) as string, retry, data: '' });
    await calls.entered();
    calls.finish('done');
    expect(messages(await stream.rest())).toEqual([ANSWER]);
  });

  test('without replay, which is the default, there are no ids and every Last-Event-ID is refused', async () => {
    await serve({}, {});
    const { text } = await post({ id: 1, method: 'ping' });
    expect(text).not.toMatch(/^(?:id|retry):/m);
    expect(await refusal('1.abcdefghijkl._GET_stream')).toEqual(REFUSED);
    expect((await post({ id: 2, method: 'ping' })).status).toBe(200);
  });
});

describe('context.http.closeStream()', () => {
  test('ends the stream while the call runs, and the client that comes back gets the answer', async () => {
    await serve();
    const { stream, primed, context } = await begin();
    context.http?.closeStream();
    expect(await stream.rest()).toEqual([]);
    const back = await listen(primed);
    expect([back.status, back.headers['content-type']]).toEqual([200, 'text/event-stream']);
    calls.finish('done');
    expect(messages(await back.rest())).toEqual([ANSWER]);
  });

  test('works again on the stream that the client came back to, and an answer given meanwhile is kept', async () => {
    await serve();
    const { primed, context } = await begin();
    context.http?.closeStream();
    const second = await listen(primed);
    await context.progress(1);
    const event = await second.next();
    context.http?.closeStream();
    expect(await second.rest()).toEqual([]);
    calls.finish('done');
    expect(messages(await (await listen(event?.id)).rest())).toEqual([ANSWER]);
  });

  test('does nothing without replay', async () => {
    await serve({}, { sessions: { replay: false } });
    const stream = await EventStream.open(url, { method: 'POST', headers, body: JSON.stringify(CALL) });
    (await calls.entered()).http?.closeStream();
    calls.finish('done');
    expect(messages(await stream.rest())).toEqual([ANSWER]);
  });

  test('does nothing for a client of an older revision, which would not come back', async () => {
    await serve();
    const { stream, context } = await begin({ 'mcp-protocol-version': '2025-06-18' });
    context.http?.closeStream();
    calls.finish('done');
    expect(messages(await stream.rest())).toEqual([ANSWER]);
  });
});

describe('A31: a connection that broke', () => {
  test('[replay.resume] the stream of a call goes on where it was, with nothing twice and nothing left out', async () => {
    await serve();
    const { stream, context } = await begin();
    await context.progress(1);
    const last = await stream.next();
    stream.drop();
    await context.progress(2);
    const back = await listen(last?.id);
    await context.progress(3);
    calls.finish('done');
    const events = await back.rest();
    expect(events.slice(0, 2).map(progressOf)).toEqual([2, 3]);
    expect(messages(events.slice(2))).toEqual([ANSWER]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  });

  test('an old connection that only the server believes in is taken over', async () => {
    await serve();
    const { stream, primed } = await begin();
    const back = await listen(primed);
    expect(await stream.rest()).toEqual([]);
    calls.finish('done');
    expect(messages(await back.rest())).toEqual([ANSWER]);
  });

  test("the session's own stream goes on where it was, and a second one is refused while it is open", async () => {
    await serve();
    const first = await listen();
    changed('one');
    const event = await first.next();
    expect(event?.data).toContain('list_changed');
    expect((await listen()).status).toBe(409);
    first.drop();
    await first.ended;
    changed('two');
    const back = await listen(event?.id);
    const missed = await back.next();
    changed('three');
    const live = await back.next();
    expect([missed?.data, live?.data]).toEqual([event?.data, event?.data]);
    expect(new Set([event?.id, missed?.id, live?.id]).size).toBe(3);
    expect((await listen()).status).toBe(409);
    back.drop();
  });

  test('[replay.own] a stream holds what belongs to it and nothing of another', async () => {
    await serve();
    const own = await listen();
    const { stream, primed, context } = await begin();
    stream.drop();
    changed('one');
    await own.next();
    await context.progress(1);
    calls.finish('done');
    const back = await (await listen(primed)).rest();
    expect(back.map(progressOf)).toEqual([1, undefined]);
    expect(JSON.stringify(back)).not.toContain('list_changed');
    own.drop();
  });
});

describe('A31: Last-Event-ID', () => {
  test('the newest of a stream that has ended tells the client not to come back', async () => {
    await serve();
    const { stream } = await begin();
    calls.finish('done');
    const [last] = await stream.rest();
    const { status, text } = await ask(url, { method: 'GET', headers: { ...headers, 'last-event-id': last?.id ?? '' } });
    expect([status, text]).toEqual([204, '']);
  });

  test('[replay.own] of another session it is refused without data, and neither session suffers', async () => {
    await serve();
    const { primed, stream } = await begin();
    stream.drop();
    const victim = headers;
    headers = await openSession(url);
    expect(await refusal(primed)).toEqual(REFUSED);
    const own = await listen();
    changed('one');
    const event = await own.next();
    own.drop();
    headers = victim;
    expect(await refusal(event?.id ?? '')).toEqual(REFUSED);
    const back = await listen(primed);
    calls.finish('done');
    expect(messages(await back.rest())).toEqual([ANSWER]);
  });

  test.each([
    ['garbage', 'garbage'],
    ['a number', '5'],
    ['a path', '../..'],
    ['what looks like one', '1.aaaaaaaaaaaa._GET_stream'],
    ['JSON', '{"id":1}'],
    ['8,000 digits', '9'.repeat(8_000)],
  ])('that is %s is refused', async (_what, id) => {
    await serve();
    expect(await refusal(id)).toEqual(REFUSED);
    expect((await post({ id: 1, method: 'ping' })).status).toBe(200);
  });

  test('of a session that has ended it is answered 404, and in the modern era 405', async () => {
    await serve();
    const { primed } = await begin();
    const deleted = await ask(url, { method: 'DELETE', headers });
    expect(deleted.status).toBe(200);
    expect((await refusal(primed)).status).toBe(404);
    const modern = await ask(url, { method: 'GET', headers: { 'mcp-protocol-version': '2026-07-28', 'last-event-id': primed } });
    expect([modern.status, modern.headers['allow']]).toEqual([405, 'POST']);
  });
});

describe('what fell out of the window', () => {
  test('replayEvents: a client that would miss a message is told so', async () => {
    await serve({ replayEvents: 1 });
    const own = await listen();
    changed('one');
    const event = await own.next();
    own.drop();
    await own.ended;
    for (const name of ['two', 'three']) {
      const listening = new Promise<void>((resolve) => setImmediate(resolve));
      changed(name);
      await listening;
    }
    await post({ id: 1, method: 'ping' });
    expect(await refusal(event?.id ?? '')).toEqual(REFUSED);
    expect((await listen()).status).toBe(200);
  });

  test('replayMs: so is one that stayed away too long', async () => {
    await serve({ replayMs: 1 });
    const { stream, primed } = await begin();
    stream.drop();
    calls.finish('done');
    let status = 200;
    for (let left = 200; left > 0 && status === 200; left -= 1) {
      const back = await listen(primed);
      status = back.status;
      await back.rest();
    }
    expect(status).toBe(400);
  });

  test('replayBytes: so is one whose answer was too large to keep', async () => {
    await serve({ replayBytes: 2_000 });
    const { stream, primed, context } = await begin();
    context.http?.closeStream();
    await stream.ended;
    calls.finish('x'.repeat(3_000));
    const answered = await refusal(primed);
    expect(answered).toEqual(REFUSED);
  });
});

describe('a call whose client is away', () => {
  test('H2: keeps its id', async () => {
    await serve();
    const { primed, context } = await begin();
    context.http?.closeStream();
    expect(JSON.parse((await post({ id: 5, method: 'ping' })).text)).toMatchObject({ id: null, error: { code: -32600 } });
    calls.finish('done');
    expect(messages(await (await listen(primed)).rest())).toEqual([ANSWER]);
    expect(messageOf(await post({ id: 5, method: 'ping' }))).toMatchObject({ id: 5, result: {} });
  });

  test('H3: is cancelled as any other; then there is nothing to come back to, and its id is free', async () => {
    await serve();
    const { primed, context } = await begin();
    context.http?.closeStream();
    await post({ method: 'notifications/cancelled', params: { requestId: 5 } });
    expect(context.signal.aborted).toBe(true);
    const back = await ask(url, { method: 'GET', headers: { ...headers, 'last-event-id': primed } });
    expect([back.status, back.text]).toEqual([204, '']);
    expect(messageOf(await post({ id: 5, method: 'ping' }))).toMatchObject({ id: 5, result: {} });
  });

  test('keeps its session, however long it runs', async () => {
    await serve({ sessionIdleMs: 500 });
    const { primed, context } = await begin();
    const mine = headers;
    headers = await openSession(url);
    context.http?.closeStream();
    let status = 202;
    for (let left = 50; left > 0 && status !== 404; left -= 1) {
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      status = (await post({ method: 'notifications/initialized' })).status;
    }
    expect(status).toBe(404);
    headers = mine;
    calls.finish('done');
    expect(messages(await (await listen(primed)).rest())).toEqual([ANSWER]);
  });
});

test('the end of a session answers the calls that run in it, aborts them, and forgets what was kept', async () => {
  await serve();
  const { stream, context } = await begin();
  const aborted = new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
  expect((await ask(url, { method: 'DELETE', headers })).status).toBe(200);
  await aborted;
  expect(messages(await stream.rest())).toEqual([{ jsonrpc: '2.0', id: 5, error: { code: -32000, message: 'Session ended' } }]);
});

describe('at shutdown', () => {
  test('a client that came back is waited for and gets its answer', async () => {
    await serve();
    const { primed, context } = await begin();
    context.http?.closeStream();
    const back = await listen(primed);
    const closed = app.close();
    calls.finish('x'.repeat(1_000_000));
    const [answer] = messages(await back.rest()) as { result: { content: { text: string }[] } }[];
    expect(answer?.result.content[0]?.text).toHaveLength(1_000_000);
    await closed;
  });

  test("a client that came back to the session's own stream is not waited for", async () => {
    await serve();
    const own = await listen();
    changed('one');
    const event = await own.next();
    own.drop();
    const back = await listen(event?.id);
    const from = performance.now();
    await app.close();
    expect(performance.now() - from).toBeLessThan(5_000);
    await back.ended;
  });
});
