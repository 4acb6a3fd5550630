import { Injectable, McpTool, type Limits, type McpApplication, type McpContext } from 'perch-mcp';
import { closeApps, createApp, overHttp } from '../support/app';
import { ask, INITIALIZE, JSON_HEADERS, messageOf, openSession, type HttpAnswer } from '../support/wire';

let finish: (value: string) => void = () => undefined;
let enter: () => void = () => undefined;
let entered: Promise<void>;
let aborted: Promise<void>;

@Injectable()
class Tools {
  @McpTool({ name: 'wait', description: 'Waits' })
  wait(_input: unknown, context: McpContext): Promise<string> {
    aborted = new Promise((resolve) => context.signal.addEventListener('abort', () => resolve()));
    enter();
    return new Promise((resolve) => (finish = resolve));
  }
}

let app: McpApplication;
let url: string;
let headers: Record<string, string>;

beforeEach(async () => {
  entered = new Promise((resolve) => (enter = resolve));
  await serve();
});

afterEach(closeApps);

async function serve(limits: Partial<Limits> = {}): Promise<void> {
  app = await createApp([Tools], { limits });
  url = await overHttp(app);
  headers = await openSession(url);
}

function post(message: object, more: Record<string, string> = {}): Promise<HttpAnswer> {
  return ask(url, { headers: { ...headers, ...more }, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
}

const WAIT = { id: 5, method: 'tools/call', params: { name: 'wait' } };
const CANCEL = { method: 'notifications/cancelled', params: { requestId: 5 } };

test('H2: a second POST under an id in flight is refused, and the first is answered', async () => {
  const first = post(WAIT);
  await entered;
  const second = await post({ id: 5, method: 'ping' });
  expect(second.status).toBe(400);
  expect(JSON.parse(second.text)).toMatchObject({ id: null, error: { code: -32600 } });
  finish('done');
  expect(messageOf(await first)).toMatchObject({ id: 5, result: { content: [{ text: 'done' }] } });
  expect(messageOf(await post({ id: 5, method: 'ping' }))).toMatchObject({ id: 5, result: {} });
});

test('H2: an id under which a request was refused is free again [http.version]', async () => {
  expect((await post({ id: 5, method: 'ping' }, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
  expect(messageOf(await post({ id: 5, method: 'ping' }))).toMatchObject({ id: 5, result: {} });
});

test('H3: the POST of a request that was cancelled ends without an answer, its id is free, and its end is not waited for [cancel.silent] [http.accepted]', async () => {
  const first = post(WAIT);
  await entered;
  expect((await post(CANCEL)).status).toBe(202);
  await aborted;
  expect((await first).text).not.toContain('"id":5');
  expect(messageOf(await post({ id: 5, method: 'ping' }))).toMatchObject({ id: 5, result: {} });
  finish('too late');
  const from = performance.now();
  await app.close();
  expect(performance.now() - from).toBeLessThan(2_000);
});

test('H3: a session whose requests were cancelled ends when it is idle', async () => {
  await serve({ sessionIdleMs: 200 });
  const first = post(WAIT);
  await entered;
  await post(CANCEL);
  await first;
  finish('too late');
  let status = 200;
  for (let left = 50; left > 0 && status !== 404; left -= 1) {
    await new Promise((resolve) => setTimeout(resolve, 450));
    status = (await post({ id: 6, method: 'ping' })).status;
  }
  expect(status).toBe(404);
});

test('H3: cancelling what is not open changes nothing [cancel.unknown]', async () => {
  expect((await post(CANCEL)).status).toBe(202);
  expect(messageOf(await post({ id: 5, method: 'ping' }))).toMatchObject({ id: 5, result: {} });
  expect((await post(CANCEL)).status).toBe(202);
});

test.each(['*/*', 'application/*, text/*', 'application/json;q=0.5, text/event-stream', 'text/html, */*;q=0.1'])(
  'A19: the Accept "%s" is served',
  async (accept) => {
    expect(messageOf(await post({ id: 1, method: 'ping' }, { accept }))).toMatchObject({ id: 1, result: {} });
    const { status } = await ask(url, { headers: { ...JSON_HEADERS, accept }, body: JSON.stringify(INITIALIZE) });
    expect(status).toBe(200);
  },
);

test.each([
  'application/json',
  'text/event-stream',
  'text/html',
  '',
  '*/*;q=0',
  'application/json, text/event-stream;q=0',
  'application/json, text/*;q=0, */*',
])('A19: the Accept "%s" is answered 406 as JSON, and the id is free', async (accept) => {
  const answer = await post({ id: 1, method: 'ping' }, { accept });
  expect([answer.status, answer.headers['content-type']]).toEqual([406, 'application/json']);
  expect((await post({ id: 1, method: 'ping' })).status).toBe(200);
});
