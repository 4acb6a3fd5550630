import { closeApps, createApp, overHttp, overStreams } from '../support/app';
import { HeldCalls } from '../support/held-calls';
import { ask, INITIALIZE, JSON_HEADERS, messageOf } from '../support/wire';

const OLD = { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: '2025-03-26' } };
const call = (id: number): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'held' } });
const ping = (id: number): object => ({ jsonrpc: '2.0', id, method: 'ping' });
const says = (text: string): object => ({ result: { content: [{ text }] } });
const TAKEN = { id: null, error: { code: -32600, message: expect.stringContaining('still running') } };

let held: HeldCalls;
const create = (): ReturnType<typeof createApp> => {
  held = new HeldCalls();
  return createApp([{ provide: HeldCalls, useValue: held }]);
};

afterEach(async () => {
  held.finish('');
  await closeApps();
});

test('on a stream, a bad element under the id of a call in flight does not take its answer away', async () => {
  const stream = await overStreams(await create());
  stream.send(OLD);
  await stream.next();
  stream.send(call(5));
  await held.entered();
  stream.send(`${JSON.stringify([{ id: 5 }, call(6)])}\n`);
  await held.entered();
  held.finish('done');
  expect(await stream.next()).toMatchObject({ id: 5, ...says('done') });
  expect(await stream.next()).toMatchObject([TAKEN, { id: 6, ...says('done') }]);
});

test('in an HTTP session, a bad element under the id of a call in flight does not take its answer away', async () => {
  const url = await overHttp(await create());
  const answer = await ask(url, { headers: JSON_HEADERS, body: JSON.stringify(OLD) });
  const headers = { ...JSON_HEADERS, 'mcp-session-id': String(answer.headers['mcp-session-id']) };
  const post = (body: unknown): ReturnType<typeof ask> => ask(url, { headers, body: JSON.stringify(body) });
  const single = post(call(5));
  await held.entered();
  const batch = post([{ id: 5 }, call(6)]);
  await held.entered();
  held.finish('done');
  expect(messageOf(await single)).toMatchObject({ id: 5, ...says('done') });
  expect(JSON.parse((await batch).text)).toMatchObject([TAKEN, { id: 6, ...says('done') }]);
});

test('on a stream, no refusal has the id of a call in flight, so that each id has one answer', async () => {
  const app = await create();
  const stream = await overStreams(app);
  stream.send(OLD);
  await stream.next();
  stream.send(call(7));
  await held.entered();
  for (const each of [{ id: 7 }, { ...OLD, id: 7 }, ping(7)]) {
    stream.send(each);
    expect(await stream.next()).toMatchObject(TAKEN);
  }
  const closed = app.close();
  stream.send(ping(7));
  expect(await stream.next()).toMatchObject(TAKEN);
  stream.send(ping(8));
  expect(await stream.next()).toMatchObject({ id: 8, error: { message: 'Shutting down' } });
  held.finish('done');
  expect(await stream.next()).toMatchObject({ id: 7, ...says('done') });
  await closed;
});

test('on a stream, no refusal has an id of a batch that is not answered', async () => {
  const stream = await overStreams(await create());
  stream.send(OLD);
  await stream.next();
  stream.send(`${JSON.stringify([ping(1), call(2)])}\n`);
  await held.entered();
  stream.send({ id: 1 });
  expect(await stream.next()).toMatchObject(TAKEN);
  held.finish('done');
  expect(await stream.next()).toMatchObject([{ id: 1 }, { id: 2 }]);
});
