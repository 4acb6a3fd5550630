import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeApps, createApp, overHttp, overStreams } from '../support/app';
import { ChildServer, compiled } from '../support/child-server';
import { ask, INITIALIZE, messageOf, modern } from '../support/wire';

const MAIN = compiled('samples/01-hello/main');
const PROGRAM = `
const { McpFactory, Module } = require(${JSON.stringify(join(__dirname, '../../dist'))});
class Hooks { onModuleDestroy() { console.error('destroyed'); } }
class AppModule {}
Module({ providers: [Hooks] })(AppModule);
setInterval(() => {}, 1000);
McpFactory.create(AppModule, { name: 'slow', version: '1.0.0', limits: { graceMs: Number(process.env.GRACE ?? 10000) } }).then(async (app) => {
  app.tools.register({ name: 'slow', description: 'Takes its time', execute: (_input, context) => {
    console.log('entered');
    return new Promise((resolve) => { setTimeout(() => resolve('done'), Number(process.env.TAKES ?? 200)).unref(); context.signal.addEventListener('abort', () => console.log('aborted')); });
  } });
  await app.listen();
  console.error('ready');
});
`;

let folder: string;
let program: string;
const servers: ChildServer[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perch-shutdown-'));
  program = join(folder, 'slow.js');
  writeFileSync(program, PROGRAM);
});

afterAll(() => rmSync(folder, { recursive: true }));

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await closeApps();
});

async function start(args: readonly string[], env: Record<string, string> = {}): Promise<ChildServer> {
  const server = new ChildServer(program, args, env);
  servers.push(server);
  await server.sees(/ready/);
  return server;
}

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } };

test('B5: the end of stdin ends an idle server at once, with hooks and exit code 0, whatever keeps the event loop busy [stdio.end]', async () => {
  const server = await start([]);
  server.endInput();
  expect(await server.exit()).toBe(0);
  expect(server.stderr).toContain('destroyed');
});

test('B5: the end of stdin lets a running call finish, and its answer leaves before the process does', async () => {
  const server = await start([]);
  server.send(INITIALIZE);
  expect(await server.next()).toMatchObject({ id: 'init' });
  server.send(CALL);
  server.endInput();
  expect(await server.next()).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
  expect(await server.exit()).toBe(0);
});

test.each(['SIGTERM', 'SIGINT'] as const)('B1: %s lets a running call finish, runs the hooks and exits 0', async (signal) => {
  const server = await start([]);
  server.send(INITIALIZE);
  await server.next();
  server.send(CALL);
  await server.sees(/entered/);
  server.kill(signal);
  expect(await server.next()).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
  expect(await server.exit()).toBe(0);
  expect(server.stderr).toContain('destroyed');
});

test('B2: a call that outlasts the grace period is aborted and answered, and the exit code is 1', async () => {
  const server = await start([], { GRACE: '50', TAKES: '60000' });
  server.send(INITIALIZE);
  await server.next();
  server.send(CALL);
  await server.sees(/entered/);
  server.kill('SIGTERM');
  expect(await server.next()).toMatchObject({ id: 1, result: { content: [{ text: 'Shutting down' }], isError: true } });
  expect(await server.exit()).toBe(1);
  expect(server.stderr).toContain('aborted');
});

test('B3: a second signal exits at once with 1', async () => {
  const server = await start([], { TAKES: '60000' });
  server.send(INITIALIZE);
  await server.next();
  server.send(CALL);
  await server.sees(/entered/);
  server.kill('SIGTERM');
  server.kill('SIGINT');
  expect(await server.exit()).toBe(1);
});

test('B20: what a program prints goes to stderr, and stdout carries protocol only [stdio.clean]', async () => {
  const server = await start([]);
  server.send(INITIALIZE);
  await server.next();
  server.send(CALL);
  expect(await server.next()).toMatchObject({ id: 1 });
  expect(server.unread).toEqual([]);
  expect(server.stderr).toContain('entered');
});

test('B6: a client that closes its end of stdout ends the server, and not by a crash', async () => {
  const server = await start([]);
  server.send(INITIALIZE);
  await server.next();
  server.closeStdout();
  server.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
  expect(await server.exit()).toBe(0);
  expect(server.stderr).toContain('destroyed');
});

test('B1: SIGTERM over HTTP answers the running call, refuses new ones and exits 0', async () => {
  const server = new ChildServer(MAIN, ['--transport', 'http', '--port', '0']);
  servers.push(server);
  const [, url = ''] = await server.sees(/Serving MCP on (http:\S+)/);
  expect((await ask(url, modern('tools/call', { name: 'greet', arguments: { name: 'Ada' } }))).status).toBe(200);
  server.kill('SIGTERM');
  expect(await server.exit()).toBe(0);
  await expect(ask(url, modern('tools/list'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('close() waits for running calls on every transport, answers them and leaves nothing open', async () => {
  const app = await createApp([]);
  let finish: (value: string) => void = () => undefined;
  const entered = new Promise<void>((resolve) => {
    app.tools.register({
      name: 'wait',
      execute: () => {
        resolve();
        return new Promise<string>((done) => (finish = done));
      },
    });
  });
  const url = await overHttp(app);
  const answer = ask(url, modern('tools/call', { name: 'wait' }));
  await entered;
  const closed = Promise.all([app.close(), app.close()]);
  finish('done');
  await closed;
  expect(messageOf(await answer)).toMatchObject({ result: { content: [{ text: 'done' }] } });
  expect(app.isStarted()).toBe(false);
});

test('an injected stream that ends closes the application and leaves the process and its stdout alone', async () => {
  const before = process.stdout.write;
  const app = await createApp([]);
  const client = await overStreams(app);
  expect(process.stdout.write).toBe(before);
  client.send(INITIALIZE);
  await client.next();
  client.endInput();
  await app.close();
  expect(app.isStarted()).toBe(false);
});
