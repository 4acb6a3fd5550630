import { ChildServer, compiled } from '../support/child-server';
import { CLIENTS, type AnyClient, type AnyPlace } from '../support/clients';
import { freshSocketPath, removeFolders } from '../support/socket';

const MAIN = compiled('samples/01-hello/main');

let server: ChildServer;
let url: string;
let socketPath: string;

beforeAll(async () => {
  socketPath = freshSocketPath();
  server = new ChildServer(MAIN, ['--transport', 'http,uds', '--socket', socketPath], { PERCH_PORT: '0' });
  url = (await server.sees(/Serving MCP on (http:\S+)/))[1] ?? '';
});

afterAll(async () => {
  await server.stop();
  removeFolders();
});

const PLACES: readonly (readonly [string, () => AnyPlace])[] = [
  ['over HTTP', () => ({ url })],
  ['over a Unix socket', () => ({ socketPath })],
  ['over stdio', () => ({ command: process.execPath, args: [MAIN, '--transport', 'stdio'] })],
];

describe.each(PLACES)('one server %s', (_where, place) => {
  test.each(CLIENTS)('answers %s [version.both] [tools.list] [tools.call] [tools.invalid] [tools.unknown]', async (_name, connect) => {
    const client: AnyClient = await connect(place());
    try {
      expect(client.getServerVersion()).toMatchObject({ name: 'hello', version: '1.0.0' });
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['greet', 'sign_guestbook', 'read_guestbook']);
      expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada', times: 2 } })).toMatchObject({
        content: [{ type: 'text', text: 'Hello, Ada!\nHello, Ada!' }],
      });
      expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada', times: 6 } })).toMatchObject({
        content: [{ type: 'text', text: 'times must be <= 5' }],
        isError: true,
      });
      await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
    } finally {
      await client.close();
    }
  });
});

test('one process serves stdio and HTTP at once, to clients of both eras [version.both]', async () => {
  const both = new ChildServer(MAIN, ['--transport', 'stdio,http', '--port', '0']);
  try {
    const [, address = ''] = await both.sees(/Serving MCP on (http:\S+)/);
    const clients = await Promise.all(CLIENTS.map(([, connect]) => connect({ url: address })));
    both.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    });
    expect(await both.next()).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25', serverInfo: { name: 'hello' } } });
    for (const client of clients) {
      expect(await client.callTool({ name: 'greet', arguments: { name: 'Bob' } })).toMatchObject({ content: [{ text: 'Hello, Bob!' }] });
      await client.close();
    }
    both.endInput();
    expect(await both.exit()).toBe(0);
  } finally {
    await both.stop();
  }
});
