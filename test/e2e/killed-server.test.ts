import { ChildServer, compiled } from '../support/child-server';
import { ask, modern } from '../support/wire';

const MAIN = compiled('samples/01-hello/main');
const servers: ChildServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(port: string): Promise<{ server: ChildServer; url: string }> {
  const server = new ChildServer(MAIN, ['--transport', 'http', '--port', port]);
  servers.push(server);
  const [, url = ''] = await server.sees(/Serving MCP on (http:\S+)/);
  return { server, url };
}

test('B4: a server that was killed starts again on its port', async () => {
  const first = await start('0');
  first.server.kill('SIGKILL');
  expect(await first.server.exit()).toBe('SIGKILL');
  const second = await start(new URL(first.url).port);
  expect(second.url).toBe(first.url);
  expect((await ask(second.url, modern('tools/list'))).status).toBe(200);
});
