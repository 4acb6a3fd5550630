import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChildServer } from '../support/child-server';
import { askOver, connectTo, freshSocketPath, privateFolder, removeFolders, type SocketEnd } from '../support/socket';
import { INITIALIZE, modern } from '../support/wire';

const DIST = JSON.stringify(join(__dirname, '../../dist'));

const PROGRAM = `
const { McpFactory, Module } = require(${DIST});
class Hooks { onModuleDestroy() { console.error('destroyed'); } }
class AppModule {}
Module({ providers: [Hooks] })(AppModule);
setInterval(() => {}, 1000);
McpFactory.create(AppModule, { name: 'slow', version: '1.0.0' }).then(async (app) => {
  app.tools.register({ name: 'slow', description: '', execute: () => {
    console.error('entered');
    return new Promise((resolve) => { setTimeout(() => resolve('done'), Number(process.env.TAKES ?? 200)).unref(); });
  } });
  await app.listen();
  console.error('ready');
});
`;

/** Tries to listen whenever it is told a path; says whether it won, and lets go when it is told so. */
const RUNNER = `
const { createServer } = require('node:net');
const { listenPrivately } = require(${DIST} + '/transport/uds/private-socket');
let server, socket;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { path } = JSON.parse(line);
  if (path === undefined) { socket?.remove(); server?.close(); server = socket = undefined; return console.log('{"isOpen":false}'); }
  const made = createServer((client) => { client.on('error', () => {}); client.end(JSON.stringify({ pid: process.pid }) + '\\n'); });
  listenPrivately(made, path).then((opened) => { server = made; socket = opened; console.log('{"isOpen":true}'); }, (error) => console.log(JSON.stringify({ isOpen: false, problem: error.message })));
});
`;

const servers: ChildServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  removeFolders();
});

function start(text: string, args: readonly string[] = [], env: Record<string, string> = {}): ChildServer {
  const program = join(privateFolder(), 'program.js');
  writeFileSync(program, text);
  const server = new ChildServer(program, args, env);
  servers.push(server);
  return server;
}

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } };
const DONE = { id: 1, result: { content: [{ text: 'done' }] } };

async function initialized(path: string): Promise<SocketEnd> {
  const client = await connectTo(path);
  client.send(INITIALIZE);
  expect(await client.next()).toMatchObject({ id: 'init', result: {} });
  return client;
}

test('B4, B1, B3: a killed server leaves its sockets, the next one takes them over, answers what runs at SIGTERM, and a second signal ends it', async () => {
  const folder = privateFolder();
  const [path, httpPath] = [join(folder, 'mcp.sock'), join(folder, 'http.sock')];
  const args = ['--transport', 'uds,http', '--socket', path, '--http-socket', httpPath];
  const first = start(PROGRAM, args);
  await first.sees(/ready/);
  await initialized(path);
  first.kill('SIGKILL');
  await first.exit();
  expect(readdirSync(folder).sort()).toEqual(['http.sock', 'mcp.sock']);

  const second = start(PROGRAM, args);
  await second.sees(/ready/);
  expect(readdirSync(folder).sort()).toEqual(['http.sock', 'mcp.sock']);
  const client = await initialized(path);
  client.send(CALL);
  await second.sees(/entered/);
  const overHttp = askOver(httpPath, modern('tools/call', { name: 'slow' }));
  await second.sees(/entered[^]*entered/);
  second.kill('SIGTERM');
  expect(await client.next()).toMatchObject(DONE);
  expect((await overHttp).text).toContain('done');
  expect(await second.exit()).toBe(0);
  expect(second.stderr.match(/destroyed/g)).toHaveLength(1);
  expect(readdirSync(folder)).toEqual([]);

  const third = start(PROGRAM, args, { TAKES: '60000' });
  await third.sees(/ready/);
  (await initialized(path)).send(CALL);
  await third.sees(/entered/);
  third.kill('SIGTERM');
  third.kill('SIGINT');
  expect(await third.exit()).toBe(1);
});

test('B5: the end of stdin lets calls on the socket finish too, and then nothing is left of it', async () => {
  const path = freshSocketPath();
  const server = start(PROGRAM, ['--transport', 'stdio,uds'], { PERCH_SOCKET: path });
  await server.sees(/ready/);
  const client = await initialized(path);
  client.send(CALL);
  await server.sees(/entered/);
  server.endInput();
  expect(await client.next()).toMatchObject(DONE);
  expect(await server.exit()).toBe(0);
  expect(existsSync(path)).toBe(false);
});

test('B18: of several processes that start at one path at once exactly one wins, whether the path is free or has a dead socket', async () => {
  const runners = Array.from({ length: 3 }, () => start(RUNNER));
  const folder = privateFolder();
  for (let round = 0; round < 16; round += 1) {
    const path = join(folder, `${String(round % 2)}.sock`);
    if (round >= 2) expect(existsSync(path)).toBe(round % 4 >= 2);
    for (const runner of runners) runner.send({ path });
    const said = await Promise.all(runners.map((runner) => runner.next()));
    const winners = runners.filter((_, at) => said[at]?.['isOpen'] === true);
    expect([round, winners.length]).toEqual([round, 1]);
    expect(await (await connectTo(path)).next()).toEqual({ pid: winners[0]?.pid });
    for (const { problem } of said) if (problem !== undefined) expect(problem).toContain('in use');
    if (round % 4 < 2) {
      // A killed winner leaves its socket for the round after next.
      winners[0]?.kill('SIGKILL');
      await winners[0]?.exit();
      runners[runners.indexOf(winners[0] as ChildServer)] = start(RUNNER);
    } else {
      for (const runner of runners) runner.send({});
      await Promise.all(runners.map((runner) => runner.next()));
    }
  }
});
