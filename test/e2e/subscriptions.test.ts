import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { closeApps, createApp, overHttp, overStreams } from '../support/app';
import { ENVELOPE } from '../support/wire';

afterEach(closeApps);

const ID = 'io.modelcontextprotocol/subscriptionId';
const TOOL = { name: 'late', execute: () => 'x' };
const listen = (id: number, notifications: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'subscriptions/listen',
  params: { notifications, _meta: ENVELOPE },
});

test('a subscription is acknowledged first, and everything on it carries its id [listen.acknowledged] [listen.id]', async () => {
  const app = await createApp([]);
  const stream = await overStreams(app);
  stream.send(listen(7, { toolsListChanged: true }));
  stream.send(listen(8, { promptsListChanged: true }));
  const acknowledged = [await stream.next(), await stream.next()];
  expect(acknowledged).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: { toolsListChanged: true }, _meta: { [ID]: 7 } } },
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: { promptsListChanged: true }, _meta: { [ID]: 8 } } },
  ]);
  app.prompts.register({ name: 'late', get: () => 'x' });
  expect(await stream.next()).toMatchObject({ method: 'notifications/prompts/list_changed', params: { _meta: { [ID]: 8 } } });
  app.tools.register(TOOL);
  expect(await stream.next()).toMatchObject({ method: 'notifications/tools/list_changed', params: { _meta: { [ID]: 7 } } });
});

test('a subscription that the client cancels is silent, and others go on [listen.cancelled]', async () => {
  const app = await createApp([]);
  const stream = await overStreams(app);
  stream.send(listen(7, { toolsListChanged: true }));
  stream.send(listen(8, { promptsListChanged: true }));
  await stream.next();
  await stream.next();
  stream.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, _meta: ENVELOPE } });
  stream.send({ jsonrpc: '2.0', id: 9, method: 'tools/list', params: { _meta: ENVELOPE } });
  expect(await stream.next()).toMatchObject({ id: 9, result: {} });
  app.tools.register(TOOL);
  app.prompts.register({ name: 'late', get: () => 'x' });
  expect(await stream.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
});

test('a subscription of a server that closes is answered, so that its client knows it for an orderly end [listen.graceful]', async () => {
  const app = await createApp([]);
  const client = new Client2({ name: 'listener', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new Http2(new URL(await overHttp(app))));
  const subscription = await client.listen({ toolsListChanged: true });
  await app.close();
  expect(await subscription.closed).toBe('graceful');
  await client.close();
});
