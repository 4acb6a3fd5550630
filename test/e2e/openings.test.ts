import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { closeApps, createApp, overHttp, overStreams } from '../support/app';
import { ask, INITIALIZE, messageOf, modern } from '../support/wire';

afterEach(closeApps);

const INFO = { name: 'opener', version: '1.0.0' };
const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

async function serve(): Promise<string> {
  const app = await createApp([], { instructions: 'Be kind.' });
  app.tools.register({ name: 'tool', execute: () => 'x' });
  app.prompts.register({ name: 'prompt', get: () => 'x' });
  app.resources.register({ name: 'resource', uri: 'x://1', read: () => 'x' });
  return overHttp(app);
}

test('initialize says who serves, what it can do and how to use it [version.initialize] [tools.capability] [resources.capability] [prompts.capability] [completion.capability] [logging.capability]', async () => {
  const client = new Client1(INFO);
  await client.connect(new Http1(new URL(await serve())));
  expect(client.getServerVersion()).toMatchObject({ name: 'test', version: '1.0.0' });
  expect(client.getInstructions()).toBe('Be kind.');
  expect(client.getServerCapabilities()).toEqual(CAPABILITIES);
  await client.close();
});

test('server/discover says the same, and which revisions are served [discover.result] [tools.capability] [resources.capability] [prompts.capability] [completion.capability] [logging.capability]', async () => {
  const client = new Client2(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new Http2(new URL(await serve())));
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect(client.getServerVersion()).toMatchObject({ name: 'test', version: '1.0.0' });
  expect(client.getDiscoverResult()).toMatchObject({
    supportedVersions: ['2026-07-28'],
    capabilities: CAPABILITIES,
    instructions: 'Be kind.',
  });
  await client.close();
});

test.each(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'initialize with %s is answered with the same revision [version.negotiation]',
  async (protocolVersion) => {
    const stream = await overStreams(await createApp([]));
    stream.send({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } });
    expect(await stream.next()).toMatchObject({ result: { protocolVersion } });
  },
);

test('initialize with a revision that nobody knows is answered with the latest that has initialize [version.negotiation]', async () => {
  const stream = await overStreams(await createApp([]));
  stream.send({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: '1999-01-01' } });
  expect(await stream.next()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
});

const CACHEABLE: readonly (readonly [string, Record<string, unknown>])[] = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'x://1' }],
];

test.each(CACHEABLE)(
  '%s is complete, says who served it and how long it may be kept [caching.hints] [base.result-type]',
  async (...question) => {
    const { result } = messageOf(await ask(await serve(), modern(...question))) as { result: Record<string, unknown> };
    expect(result).toMatchObject({
      resultType: 'complete',
      cacheScope: expect.stringMatching(/^(public|private)$/) as string,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test' } },
    });
    expect(result['ttlMs']).toBeGreaterThanOrEqual(0);
  },
);
