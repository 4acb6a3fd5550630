import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { Injectable, McpTool, type McpContext } from 'perch-mcp';
import { closeApps, createApp, overStreams } from '../support/app';
import { HeldCalls } from '../support/held-calls';
import { ask, JSON_HEADERS, openSession, INITIALIZE } from '../support/wire';

const HOUR = 3_600_000;

@Injectable()
class Tools {
  @McpTool({ name: 'hangs', description: 'Never ends', timeoutMs: 40 })
  hangs(_input: object, { signal }: McpContext): Promise<string> {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')));
  }

  @McpTool({ name: 'fetch', description: 'Fetches from nobody' })
  async fetch(): Promise<string> {
    return (await fetch('http://127.0.0.1:1/')).statusText;
  }

  @McpTool({ name: 'file', description: 'Reads what is not there' })
  file(): Promise<string> {
    return readFile('/nowhere/at/all', 'utf8');
  }

  @McpTool({ name: 'dns', description: 'Asks for a name that is too long for any network to be asked' })
  async dns(): Promise<string> {
    return (await lookup('x'.repeat(300))).address;
  }
}

type Message = Record<string, any>;

const call = (id: number, name: string): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

/** Only the wall clock is a fake: timers and the monotonic clock go on as they are. */
function holdTheWallClock(): void {
  const others = [
    'hrtime',
    'nextTick',
    'performance',
    'queueMicrotask',
    'setImmediate',
    'clearImmediate',
    'setInterval',
    'clearInterval',
  ] as const;
  jest.useFakeTimers({ now: 1_800_000_000_000, doNotFake: [...others, 'setTimeout', 'clearTimeout'] });
}

afterEach(async () => {
  jest.useRealTimers();
  await closeApps();
});

test.each([
  ['an hour forward', HOUR],
  ['an hour back', -HOUR],
])('B22: a clock that jumps %s changes no timeout, no session and no grace period', async (_what, jump) => {
  holdTheWallClock();
  const held = new HeldCalls();
  const limits = { callTimeoutMs: 60_000, sessionIdleMs: 600_000, graceMs: 20_000 };
  const app = await createApp([Tools, { provide: HeldCalls, useValue: held }], { limits });
  const stream = await overStreams(app, ['http']);
  const url = app.handles.find(({ mode }) => mode === 'http')?.url ?? '';
  const session = await openSession(url);
  stream.send(INITIALIZE);
  await stream.next();
  stream.send(call(1, 'held'));
  await held.entered();
  stream.send(call(2, 'hangs'));
  jest.setSystemTime(Date.now() + jump);
  // The timeout of the second call comes as it should, and the first, which may take a minute, is not cut off by the hour.
  expect(await stream.next()).toMatchObject({ id: 2, result: { isError: true, content: [{ text: 'Timed out' }] } });
  expect((await ask(url, { headers: session, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) })).status).toBe(200);
  expect((await ask(url, { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) })).status).toBe(200);
  const closed = app.close();
  jest.setSystemTime(Date.now() + jump);
  held.finish('in time');
  expect(await stream.next()).toMatchObject({ id: 1, result: { content: [{ text: 'in time' }] } });
  await closed;
});

test.each(['fetch', 'file', 'dns'])(
  'B22: a tool whose %s fails has failed, and the client is told no more than a reference',
  async (name) => {
    const stream = await overStreams(await createApp([Tools]));
    stream.send(INITIALIZE);
    await stream.next();
    stream.send(call(1, name));
    const answer: Message = await stream.next();
    expect(answer).toMatchObject({ id: 1, result: { isError: true } });
    expect(answer['result'].content).toEqual([{ type: 'text', text: expect.stringMatching(/^Internal error \(ref \w+\)$/) }]);
  },
);
