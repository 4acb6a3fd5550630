import { ChildServer, compiled } from '../support/child-server';
import { CLIENTS, type Place } from '../support/clients';

const MAIN = compiled('samples/08-functions/main');

const servers: ChildServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

const PLACES: readonly (readonly [string, () => Promise<Place>])[] = [
  ['stdio', () => Promise.resolve({ command: process.execPath, args: [MAIN] })],
  [
    'HTTP',
    async () => {
      const server = new ChildServer(MAIN, ['--transport', 'http', '--port', '0']);
      servers.push(server);
      return { url: (await server.sees(/Serving MCP on (http:\S+)/))[1] ?? '' };
    },
  ],
];

describe.each(PLACES)('the functions over %s', (_where, open) => {
  test.each(CLIENTS)('parity C1, C2: are served to %s, checked, and with defaults filled in', async (_name, connect) => {
    const client = await connect(await open());
    expect(client.getServerVersion()).toMatchObject({ name: 'measures', version: '1.0.0' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['convert', 'shopping_list']);
    expect(await client.callTool({ name: 'convert', arguments: { metres: 3.048 } })).toMatchObject({ content: [{ text: '{"feet":10}' }] });
    expect(await client.callTool({ name: 'convert', arguments: { metres: -1 } })).toMatchObject({ isError: true });
    expect(await client.callTool({ name: 'shopping_list' })).toMatchObject({ content: [{ text: '["bread","apples"]' }] });
    await client.close();
  });
});

test('parity C12: a function asks the policy of the operator', async () => {
  const server = new ChildServer(MAIN, [], { PERCH_PERM_ENFORCE: '1' });
  servers.push(server);
  server.send({
    jsonrpc: '2.0',
    id: 'init',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  });
  await server.next();
  server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'shopping_list' } });
  expect(await server.next()).toMatchObject({
    result: { isError: true, content: [{ text: 'The operator does not let this server read the list.' }] },
  });
  server.endInput();
  expect(await server.exit()).toBe(0);
});
