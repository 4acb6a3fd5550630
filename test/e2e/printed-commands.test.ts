import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChildServer, compiled } from '../support/child-server';
import { readCurl } from '../support/curl';
import { fencesOf } from '../support/fences';
import { ask, INITIALIZE, messageOf } from '../support/wire';

const servers: ChildServer[] = [];

afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

function start(program: string, args: readonly string[], env: Record<string, string> = {}): ChildServer {
  const server = new ChildServer(program, args, env);
  servers.push(server);
  return server;
}

const START = join(__dirname, '../../scripts/start.mjs');

test('npm start prints the address, a line for each tool, and a command for each era that works when it is pasted', async () => {
  const server = start(START, [], { PERCH_PORT: '0', PERCH_TRANSPORT: '' });
  await server.sees(/2025-11-25[\s\S]*curl .*\n/);
  const [, url = ''] = await server.sees(/Serving MCP on (http:\/\/127\.0\.0\.1:\d+\/mcp)/);
  for (const tool of ['greet: Greets', 'sign_guestbook: Signs', 'read_guestbook: Reads']) expect(server.stderr).toContain(tool);
  const commands = server.stderr
    .split('\n')
    .filter((line) => line.startsWith('curl'))
    .map(readCurl);
  expect(commands.map((command) => command.url)).toEqual([url, url]);
  const [modern, legacy] = await Promise.all(commands.map((command) => ask(command.url, command)));
  expect(modern && messageOf(modern)).toMatchObject({ result: { resultType: 'complete', content: [{ text: 'Hello, Ada!' }] } });
  expect(legacy && messageOf(legacy)).toMatchObject({ result: { protocolVersion: '2025-11-25', serverInfo: { name: 'hello' } } });
  expect(server.unread).toEqual([]);
});

test('npm start -- --sample serves another sample, and refuses one that is not there', async () => {
  const server = start(START, ['--sample', '03-ask', '--transport', 'stdio']);
  server.send(INITIALIZE);
  expect(await server.next()).toMatchObject({ result: { serverInfo: { name: 'restaurant' } } });
  for (const name of ['04-nothing', '../samples/03-ask', '']) {
    const refused = start(START, ['--sample', name]);
    expect(await refused.exit()).toBe(1);
    expect(refused.stderr).toContain(`There is no samples/${name}`);
  }
});

test('npm start -- --transport stdio serves stdio', async () => {
  const server = start(START, ['--transport', 'stdio']);
  server.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  });
  expect(await server.next()).toMatchObject({ id: 1, result: { serverInfo: { name: 'hello' } } });
  server.endInput();
  expect(await server.exit()).toBe(0);
});

test('the command of the README gets the answer of the README', async () => {
  const fences = fencesOf(readFileSync(join(__dirname, '../../README.md'), 'utf8'));
  const at = fences.findIndex(({ language, text }) => language === 'sh' && text.startsWith('curl'));
  const server = start(compiled('samples/00-readme/main'), ['--transport', 'http', '--port', '0']);
  const [, url = ''] = await server.sees(/Serving MCP on (http:\S+)/);
  const command = readCurl(fences[at]?.text ?? '');
  expect(command.url).toBe('http://127.0.0.1:3000/mcp');
  expect((await ask(url, command)).text).toBe(fences[at + 1]?.text.trim());
});
