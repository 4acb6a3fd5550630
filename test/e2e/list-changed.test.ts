import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { closeApps, createApp, overHttp, overStreams } from '../support/app';
import { INITIALIZE } from '../support/wire';

afterEach(closeApps);

const LATE = { name: 'late', description: 'Registered at run time', execute: () => 'here' };
const INFO = { name: 'listener', version: '1.0.0' };

test('a legacy client over HTTP is told of a tool that is registered and unregistered at run time [tools.changed]', async () => {
  const app = await createApp([]);
  const client = new Client1(INFO);
  let told: () => void = () => undefined;
  const nextChange = (): Promise<void> => new Promise((resolve) => (told = resolve));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => told());
  const opened = new Promise<void>((resolve) => {
    const listening: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method === 'GET') resolve();
      return response;
    };
    void overHttp(app).then((url) => client.connect(new Http1(new URL(url), { fetch: listening }) as Parameters<Client1['connect']>[0]));
  });
  await opened;
  const added = nextChange();
  app.tools.register(LATE);
  await added;
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['late']);
  expect(await client.callTool({ name: 'late' })).toMatchObject({ content: [{ text: 'here' }] });
  const removed = nextChange();
  app.tools.unregister('late');
  await removed;
  expect((await client.listTools()).tools).toEqual([]);
  await client.close();
});

test('a modern client over HTTP is told through its subscription [tools.changed]', async () => {
  const app = await createApp([]);
  const url = await overHttp(app);
  let told: (names: readonly string[]) => void = () => undefined;
  const names = new Promise<readonly string[]>((resolve) => (told = resolve));
  const client = new Client2(INFO, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    listChanged: { tools: { autoRefresh: true, debounceMs: 0, onChanged: (_error, tools) => told((tools ?? []).map(({ name }) => name)) } },
  });
  await client.connect(new Http2(new URL(url)));
  app.tools.register(LATE);
  expect(await names).toEqual(['late']);
  await client.close();
});

test('a client on a stream is told without asking', async () => {
  const app = await createApp([]);
  const client = await overStreams(app);
  client.send(INITIALIZE);
  await client.next();
  client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  app.tools.register(LATE);
  expect(await client.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
});

test('a thousand tools that are registered together are told of once', async () => {
  const app = await createApp([]);
  const client = await overStreams(app);
  client.send(INITIALIZE);
  await client.next();
  client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  for (let count = 0; count < 1_000; count += 1) app.tools.register({ ...LATE, name: `late_${String(count)}` });
  expect(await client.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  client.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
  expect(await client.next()).toMatchObject({ id: 1 });
});
