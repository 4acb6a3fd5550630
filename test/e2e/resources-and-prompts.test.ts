import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { McpFactory, type McpApplication } from 'perch-mcp';
import { connect } from 'perch-mcp/testing';
import { AppModule } from '../../samples/02-resources-and-prompts/app.module';
import { closeApps, createApp, overHttp, overStreams } from '../support/app';
import { CLIENTS } from '../support/clients';
import { ENVELOPE, INITIALIZE } from '../support/wire';

afterEach(closeApps);

const ERAS = ['legacy', 'modern'] as const;

async function notes(): Promise<McpApplication> {
  return McpFactory.create(AppModule, { name: 'notes', version: '1.0.0', logger: false });
}

test.each(ERAS)(
  'the sample lists, reads, completes and prompts for a client of the %s era [resources.list] [resources.templates] [resources.read] [prompts.list] [prompts.get] [completion.values]',
  async (era) => {
    const app = await notes();
    const client = await connect(app, { era });
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'library://folders',
      'library://cover',
      'notes://kitchen/bread',
      'notes://kitchen/soup',
      'notes://garden/roses',
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'notes://{folder}/{id}',
      'library://search{?text,limit}',
    ]);
    expect((await client.readResource({ uri: 'notes://kitchen/soup' })).contents).toEqual([
      { uri: 'notes://kitchen/soup', mimeType: 'text/markdown', text: '# Soup\n\nWhatever is left.' },
    ]);
    expect((await client.readResource({ uri: 'library://search?limit=1&text=March' })).contents).toMatchObject([{ text: '["Roses"]' }]);
    await expect(client.readResource({ uri: 'notes://kitchen/nothing' })).rejects.toMatchObject({ code: -32602 });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['rewrite_note', 'suggest_note']);
    expect(
      (await client.getPrompt({ name: 'rewrite_note', arguments: { folder: 'kitchen', id: 'bread', tone: 'pirate' } })).messages,
    ).toMatchObject([
      { content: { type: 'resource', resource: { text: 'Flour, water, salt, time.' } } },
      { content: { type: 'text', text: 'Rewrite the note above so that it sounds pirate.' } },
    ]);
    const ids = await client.complete({
      ref: { type: 'ref/resource', uri: 'notes://{folder}/{id}' },
      argument: { name: 'id', value: '' },
      context: { arguments: { folder: 'garden' } },
    });
    expect(ids.completion.values).toEqual(['roses']);
    await client.close();
    await app.close();
  },
);

test.each(CLIENTS)('%s reads and prompts over HTTP', async (_name, connectTo) => {
  const app = await notes();
  const client = (await connectTo({ url: await overHttp(app) })) as unknown as Client2;
  expect((await client.readResource({ uri: 'library://folders' })).contents).toMatchObject([
    { mimeType: 'application/json', text: '{"kitchen":2,"garden":1}' },
  ]);
  expect((await client.getPrompt({ name: 'suggest_note' })).messages).toHaveLength(1);
  await client.close();
  await app.close();
});

const LATE_PROMPT = { name: 'late', get: () => 'here' };
const LATE_RESOURCE = { uri: 'late://now', name: 'late', read: () => 'here' };

test('a legacy client on a stream is told of resources and prompts that come at run time, and of updates it subscribed to [resources.subscribe] [resources.changed] [prompts.changed]', async () => {
  const app = await createApp([]);
  const client = await overStreams(app);
  client.send(INITIALIZE);
  expect(await client.next()).toMatchObject({
    result: { capabilities: { completions: {}, prompts: { listChanged: true }, resources: { listChanged: true, subscribe: true } } },
  });
  client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  app.prompts.register(LATE_PROMPT);
  expect(await client.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/prompts/list_changed' });
  app.resources.register(LATE_RESOURCE);
  expect(await client.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/resources/list_changed' });
  app.resources.notifyUpdated(LATE_RESOURCE.uri);
  client.send({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: LATE_RESOURCE.uri } });
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  app.resources.notifyUpdated('late://other');
  app.resources.notifyUpdated(LATE_RESOURCE.uri);
  expect(await client.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: LATE_RESOURCE.uri } });
  client.send({ jsonrpc: '2.0', id: 2, method: 'resources/unsubscribe', params: { uri: LATE_RESOURCE.uri } });
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
  app.resources.notifyUpdated(LATE_RESOURCE.uri);
  client.send({ jsonrpc: '2.0', id: 3, method: 'resources/subscribe', params: { uri: 'late://nothing' } });
  expect(await client.next()).toMatchObject({ id: 3, error: { code: -32602, data: { uri: 'late://nothing' } } });
  app.resources.unregister(LATE_RESOURCE.uri);
  expect(await client.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/resources/list_changed' });
});

test('limits.subscriptions is how many resources one legacy client may follow', async () => {
  const app = await createApp([], { limits: { subscriptions: 1 } });
  app.resources.register({ uri: 'x://{id}', name: 'x', read: () => '' });
  const client = await connect(app, { era: 'legacy' });
  await client.subscribeResource({ uri: 'x://1' });
  await client.subscribeResource({ uri: 'x://1' });
  await expect(client.subscribeResource({ uri: 'x://2' })).rejects.toMatchObject({ code: -32603 });
  await client.unsubscribeResource({ uri: 'x://1' });
  await client.subscribeResource({ uri: 'x://2' });
  await client.close();
});

test('a modern client on a stream hears through subscriptions/listen of what it names, and nothing else [listen.filter] [resources.changed] [prompts.changed]', async () => {
  const app = await createApp([]);
  app.resources.register(LATE_RESOURCE);
  const client = await overStreams(app);
  const params = {
    _meta: ENVELOPE,
    // What does not exist is not acknowledged, just like what the caller may not know of.
    notifications: { promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: [LATE_RESOURCE.uri, 'late://other'] },
  };
  client.send({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
  expect(await client.next()).toMatchObject({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: { promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: [LATE_RESOURCE.uri] } },
  });
  app.prompts.register(LATE_PROMPT);
  expect(await client.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
  app.resources.register({ ...LATE_RESOURCE, uri: 'late://third', name: 'third' });
  expect(await client.next()).toMatchObject({ method: 'notifications/resources/list_changed' });
  app.resources.notifyUpdated('late://other');
  app.resources.notifyUpdated(LATE_RESOURCE.uri);
  expect(await client.next()).toMatchObject({ method: 'notifications/resources/updated', params: { uri: LATE_RESOURCE.uri } });
  client.send({ jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { _meta: ENVELOPE, uri: LATE_RESOURCE.uri } });
  expect(await client.next()).toMatchObject({ id: 2, error: { code: -32601 } });
});

test('a modern client over HTTP hears of updates through its subscription', async () => {
  const app = await notes();
  const url = await overHttp(app);
  const client = new Client2({ name: 'listener', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new Http2(new URL(url)));
  const updated = new Promise<string>((resolve) =>
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri)),
  );
  const subscription = await client.listen({ resourceSubscriptions: ['notes://kitchen/soup'] });
  await client.callTool({ name: 'write_note', arguments: { folder: 'kitchen', id: 'soup', title: 'Soup', text: 'Leeks.' } });
  expect(await updated).toBe('notes://kitchen/soup');
  await subscription.close();
  await client.close();
  await app.close();
});
