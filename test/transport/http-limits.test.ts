import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { IsString } from 'class-validator';
import { Injectable, McpResource, McpTool, type ListenOptions, type McpApplication, type McpContext } from 'perch-mcp';
import { closeApps, createApp, RecordingLogger } from '../support/app';
import { EventStream } from '../support/event-stream';
import { HeldCalls } from '../support/held-calls';
import { ask, INITIALIZE, JSON_HEADERS, messageOf, modern, openSession } from '../support/wire';

class EchoInput {
  @IsString() text!: string;
}

const gone: Promise<void>[] = [];
let leave: () => void = () => undefined;

/** Lets sockets be read and written. */
const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

@Injectable()
class Tools {
  @McpResource({ uri: 'note://{id}', name: 'note' })
  note(): string {
    return 'noted';
  }

  @McpTool({ name: 'echo', description: 'Echoes', input: EchoInput })
  echo({ text }: EchoInput): string {
    return text;
  }

  /** 200 MB at most: more than the sockets of both sides take. */
  @McpTool({ name: 'flood', description: 'Sends 10,000 notifications' })
  async flood(_input: object, context: McpContext): Promise<string> {
    gone.push(
      new Promise((resolve) => {
        leave = resolve;
        context.signal.addEventListener('abort', () => resolve(), { once: true });
      }),
    );
    const text = 'x'.repeat(20_000);
    for (let count = 0; count < 10_000 && !context.signal.aborted; count += 1) {
      await context.progress(count, { message: text });
      await aTurn();
    }
    return 'flooded';
  }
}

let held: HeldCalls;
const logger = new RecordingLogger();

beforeEach(() => {
  held = new HeldCalls();
  gone.length = 0;
  logger.lines.length = 0;
});
afterEach(async () => {
  held.finish('late');
  leave();
  await closeApps();
});

async function serve(limits: Record<string, number>, options: ListenOptions = {}): Promise<[string, McpApplication]> {
  const app = await createApp([Tools, { provide: HeldCalls, useValue: held }], { limits, logger });
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false, ...options });
  return [app.handles[0]?.url ?? '', app];
}

const HELD = modern('tools/call', { name: 'held' }, 'held');
const echo = (text: string, id: string | number = 1) => modern('tools/call', { name: 'echo', arguments: { text } }, id);
const legacy = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });

describe('C2: requests that are being answered on HTTP', () => {
  test('C2: one above the limit is told to come back, at once, and those that run are not touched', async () => {
    const [url] = await serve({ httpCalls: 2 });
    const session = await openSession(url);
    const first = ask(url, HELD);
    await held.entered();
    const second = ask(url, { headers: session, body: legacy({ id: 2, method: 'tools/call', params: { name: 'held' } }) });
    await held.entered();
    for (const question of [echo('x', 'over'), { headers: session, body: legacy({ id: 'over', method: 'ping' }) }]) {
      const refused = await ask(url, question);
      expect([refused.status, refused.headers['retry-after'], refused.headers['content-type']]).toEqual([503, '1', 'application/json']);
      expect(JSON.parse(refused.text)).toEqual({
        jsonrpc: '2.0',
        id: 'over',
        error: { code: -32000, message: 'Too many requests are being answered' },
      });
    }
    expect((await ask(url, { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) })).status).toBe(503);
    held.finish('done');
    for (const answer of await Promise.all([first, second]))
      expect(messageOf(answer)).toMatchObject({ result: { content: [{ text: 'done' }] } });
    expect(messageOf(await ask(url, echo('again')))).toMatchObject({ result: { content: [{ text: 'again' }] } });
    expect((await ask(url, { headers: session, body: legacy({ id: 2, method: 'ping' }) })).status).toBe(200);
  });

  test('C2: notifications, answers and streams that stay open are never refused, and take no place', async () => {
    const [url] = await serve({ httpCalls: 1 });
    const session = await openSession(url);
    const stream = await EventStream.open(url, { headers: { ...session, accept: 'text/event-stream' } });
    const listen = await EventStream.open(url, {
      method: 'POST',
      ...modern('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    });
    await listen.next();
    const call = ask(url, HELD);
    await held.entered();
    for (const body of [
      legacy({ method: 'notifications/roots/list_changed' }),
      legacy({ id: 'unknown', result: {} }),
      legacy({ id: 'unknown', error: { code: 1, message: 'no' } }),
    ])
      expect((await ask(url, { headers: session, body })).status).toBe(202);
    const another = await EventStream.open(url, {
      method: 'POST',
      ...modern('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    });
    expect([stream.status, another.status]).toEqual([200, 200]);
    expect((await ask(url, echo('x'))).status).toBe(503);
    held.finish('done');
    expect(messageOf(await call)).toMatchObject({ result: { content: [{ text: 'done' }] } });
    for (const each of [stream, listen, another]) each.drop();
  });

  test('C2: a legacy call whose client has gone keeps its place until it ends', async () => {
    const [url] = await serve({ httpCalls: 1 });
    const session = await openSession(url);
    const call = await EventStream.open(url, {
      method: 'POST',
      headers: session,
      body: legacy({ id: 1, method: 'tools/call', params: { name: 'held' } }),
    });
    await held.entered();
    call.drop();
    await call.ended;
    expect((await ask(url, echo('x'))).status).toBe(503);
    held.finish('unheard');
    expect((await ask(url, { method: 'DELETE', headers: session })).status).toBe(200);
    expect((await ask(url, echo('x'))).status).toBe(200);
  });

  test('C2: each way in which a call ends gives its place back', async () => {
    const [url] = await serve({ httpCalls: 1 });
    const session = await openSession(url);
    const dropped = connectTo(url, HELD);
    const context = await held.entered();
    const aborted = once(context.signal, 'abort');
    dropped.destroy();
    await aborted;
    expect((await ask(url, { ...echo('x'), headers: { ...echo('x').headers, 'mcp-name': 'other' } })).status).toBe(400);
    expect((await ask(url, modern('no/such'))).status).toBe(404);
    expect((await ask(url, { headers: { ...session, accept: 'text/html' }, body: legacy({ id: 1, method: 'ping' }) })).status).toBe(406);
    const ended = ask(url, { headers: session, body: legacy({ id: 3, method: 'tools/call', params: { name: 'held' } }) });
    await held.entered();
    await ask(url, { headers: session, body: legacy({ method: 'notifications/cancelled', params: { requestId: 3 } }) });
    await ended;
    expect(
      (await ask(url, { headers: { ...session, 'mcp-protocol-version': '1999-01-01' }, body: legacy({ id: 4, method: 'ping' }) })).status,
    ).toBe(400);
    expect((await ask(url, echo('x'))).status).toBe(200);
  });
});

describe('a call that is silent for long', () => {
  test('becomes an event stream whose last event is the answer [http.silent]', async () => {
    const [url] = await serve({ silentMs: 20 });
    const stream = await EventStream.open(url, { method: 'POST', ...HELD });
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
    });
    held.finish('at last');
    const events = await stream.rest();
    expect(events.map(({ data }) => JSON.parse(data) as unknown)).toEqual([
      expect.objectContaining({ id: 'held', result: expect.objectContaining({ content: [{ type: 'text', text: 'at last' }] }) as object }),
    ]);
  });

  test('says so at once, with a comment', async () => {
    const [url] = await serve({ silentMs: 20 });
    const socket = connectTo(url, HELD);
    let text = '';
    while (!text.includes('\n: ')) text += String(((await once(socket, 'data')) as [Buffer])[0]);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n[^]*\n: running\n\n/);
    socket.destroy();
  });

  test('goes on with what it tells before its end, as events in order', async () => {
    const [url] = await serve({ silentMs: 20 });
    const meta = { ...(JSON.parse(String(HELD.body)) as { params: { _meta: object } }).params._meta, progressToken: 'p' };
    const body = legacy({ id: 'held', method: 'tools/call', params: { name: 'held', _meta: meta } });
    const stream = await EventStream.open(url, { method: 'POST', headers: HELD.headers ?? {}, body });
    const context = await held.entered();
    await context.progress(1);
    await context.progress(2);
    held.finish('done');
    const messages = (await stream.rest()).map(({ data }) => JSON.parse(data) as Record<string, unknown>);
    expect(messages).toMatchObject([
      { method: 'notifications/progress', params: { progress: 1 } },
      { method: 'notifications/progress', params: { progress: 2 } },
      { id: 'held', result: { content: [{ text: 'done' }] } },
    ]);
  });

  test('and fails is answered by an event with its JSON-RPC error', async () => {
    const [url] = await serve({ silentMs: 20, callTimeoutMs: 100 });
    const stream = await EventStream.open(url, { method: 'POST', ...HELD });
    const [last] = await stream.rest();
    expect(JSON.parse(last?.data ?? '')).toMatchObject({ id: 'held', result: { isError: true, content: [{ text: 'Timed out' }] } });
  });

  test('stays JSON for a client that takes nothing else, and for one that hears something soon', async () => {
    const [url] = await serve({ silentMs: 20 });
    for (const accept of ['application/json', 'application/json, text/event-stream;q=0']) {
      const answer = ask(url, { ...HELD, headers: { ...HELD.headers, accept } });
      await held.entered();
      // Three times as long as it takes to become one; the one beside it has become one.
      const beside = await EventStream.open(url, { method: 'POST', ...HELD });
      await held.entered();
      held.finish('done');
      const { status, headers, text } = await answer;
      expect([status, headers['content-type']]).toEqual([200, 'application/json']);
      expect(JSON.parse(text)).toMatchObject({ id: 'held', result: { content: [{ text: 'done' }] } });
      expect(beside.headers['content-type']).toBe('text/event-stream');
      await beside.rest();
    }
    expect((await ask(url, echo('soon'))).headers['content-type']).toBe('application/json');
  });

  test('B12: is aborted when its client goes', async () => {
    const [url] = await serve({ silentMs: 20 });
    const stream = await EventStream.open(url, { method: 'POST', ...HELD });
    const { signal } = await held.entered();
    const aborted = once(signal, 'abort');
    stream.drop();
    await aborted;
    expect(signal.aborted).toBe(true);
  });

  test('B2: is answered at the end of the grace, and its connection ends with the server', async () => {
    const [url, app] = await serve({ silentMs: 20, graceMs: 50 });
    const stream = await EventStream.open(url, { method: 'POST', ...HELD });
    await held.entered();
    await app.close();
    const [last] = await stream.rest();
    expect(JSON.parse(last?.data ?? '')).toMatchObject({ id: 'held', result: { isError: true, content: [{ text: 'Shutting down' }] } });
  });

  test('B1: that falls silent while the server is closing ends its connection', async () => {
    const [url, app] = await serve({ silentMs: 150 });
    const call = EventStream.open(url, { method: 'POST', ...HELD });
    await held.entered();
    const closed = app.close();
    const stream = await call;
    expect([stream.headers['content-type'], stream.headers.connection]).toEqual(['text/event-stream', 'close']);
    held.finish('done');
    expect(JSON.parse((await stream.rest())[0]?.data ?? '')).toMatchObject({ result: { content: [{ text: 'done' }] } });
    await closed;
  });
});

function connectTo(
  url: string,
  { headers = {}, body = '', method = 'POST' }: { headers?: object; body?: string | Buffer; method?: string },
): Socket {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const lines = Object.entries({ host: 'localhost', ...headers, ...(body === '' ? {} : { 'content-length': String(body.length) }) });
  socket.write(`${method} ${pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  socket.write(body);
  return socket;
}

/** A client that reads the head of its answer and then nothing more. */
async function stopsReading(url: string, question: Parameters<typeof connectTo>[1]): Promise<Socket> {
  const socket = connectTo(url, question);
  await once(socket, 'readable');
  return socket;
}

describe('C7: a client that never reads its event stream', () => {
  const limits = { unreadBytes: 1024 * 1024 };
  const flood = (token: string): string => {
    const { params, ...rest } = JSON.parse(String(modern('tools/call', { name: 'flood' }).body)) as { params: { _meta: object } };
    return JSON.stringify({ ...rest, params: { ...params, _meta: { ...params._meta, progressToken: token } } });
  };
  const closings = (): number => logger.lines.filter(({ message }) => message.includes('does not read it')).length;

  async function othersAreServed(url: string): Promise<void> {
    expect(messageOf(await ask(url, echo('fine')))).toMatchObject({ result: { content: [{ text: 'fine' }] } });
  }

  test('C7: a modern call is cut off at the bound and aborted, and others are served', async () => {
    const [url] = await serve(limits);
    const socket = await stopsReading(url, { headers: modern('tools/call', { name: 'flood' }).headers ?? {}, body: flood('p') });
    await othersAreServed(url);
    await gone[0];
    expect(closings()).toBe(1);
    await othersAreServed(url);
    socket.destroy();
  });

  test('C7: one that reads is told everything', async () => {
    const [url] = await serve(limits);
    const stream = await EventStream.open(url, {
      method: 'POST',
      headers: modern('tools/call', { name: 'flood' }).headers ?? {},
      body: flood('p'),
    });
    const events = await stream.rest();
    expect(events).toHaveLength(10_001);
    expect(closings()).toBe(0);
  });

  const NOTE = `note://${'n'.repeat(20_000)}`;

  async function tellUntilClosed(app: McpApplication, url: string): Promise<void> {
    for (let count = 0; closings() === 0 && count < 10_000; count += 1) {
      app.resources.notifyUpdated(NOTE);
      await aTurn();
    }
    expect(closings()).toBe(1);
    await othersAreServed(url);
  }

  test('C7: the stream of a legacy session is cut off, and the session goes on', async () => {
    const [url, app] = await serve(limits);
    const session = await openSession(url);
    await ask(url, { headers: session, body: legacy({ id: 1, method: 'resources/subscribe', params: { uri: NOTE } }) });
    const socket = await stopsReading(url, { method: 'GET', headers: { ...session, accept: 'text/event-stream' } });
    await tellUntilClosed(app, url);
    expect(messageOf(await ask(url, { headers: session, body: legacy({ id: 6, method: 'ping' }) }))).toMatchObject({ result: {} });
    socket.destroy();
  });

  test('C7: a legacy call is cut off, and another stream of its session is not', async () => {
    const [url] = await serve(limits);
    const session = await openSession(url);
    const stream = await EventStream.open(url, { headers: { ...session, accept: 'text/event-stream' } });
    const body = legacy({ id: 5, method: 'tools/call', params: { name: 'flood', _meta: { progressToken: 'p' } } });
    const socket = await stopsReading(url, { headers: session, body });
    while (closings() === 0) await othersAreServed(url);
    expect(messageOf(await ask(url, { headers: session, body: legacy({ id: 6, method: 'ping' }) }))).toMatchObject({ result: {} });
    expect(await Promise.race([stream.ended.then(() => 'ended'), aTurn().then(() => 'open')])).toBe('open');
    for (const each of [stream, { drop: () => socket.destroy() }]) each.drop();
  });

  test('C7: a modern subscription is cut off, and another one is told everything', async () => {
    const [url, app] = await serve(limits);
    const question = modern('subscriptions/listen', { notifications: { resourceSubscriptions: [NOTE] } });
    const reader = await EventStream.open(url, { method: 'POST', ...question });
    await reader.next();
    const socket = await stopsReading(url, question);
    await tellUntilClosed(app, url);
    expect(JSON.parse((await reader.next())?.data ?? '')).toMatchObject({ method: 'notifications/resources/updated' });
    reader.drop();
    socket.destroy();
  });
});
