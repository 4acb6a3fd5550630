import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildServer } from '../support/child-server';
import { ask, INITIALIZE, messageOf, modern } from '../support/wire';

const PROGRAM = `
const { EventEmitter } = require('node:events');
const { McpFactory, Module } = require(${JSON.stringify(join(__dirname, '../../dist'))});
class Hooks { onModuleDestroy() { console.error('destroyed'); if (process.env.AGAIN) { setImmediate(() => { throw new Error('second cause'); }); return new Promise((resolve) => setTimeout(resolve, 50)); } } }
class AppModule {}
Module({ providers: [Hooks] })(AppModule);
const emitter = new EventEmitter();
emitter.on('tick', () => { throw new Error('cause in a listener'); });
const FAULTS = {
  timeout: () => setTimeout(() => { throw new Error('cause in a timer'); }, 1),
  forgotten: () => void Promise.reject(new Error('cause in a promise')),
  emitter: () => setImmediate(() => emitter.emit('tick')),
  hostile: () => setImmediate(() => { throw { get message() { throw new Error('no message'); }, [Symbol.toPrimitive]: 5 }; }),
  nothing: () => setImmediate(() => { throw undefined; }),
};
const quiet = process.env.QUIET ? { logger: false } : {};
const create = async (name) => {
  const app = await McpFactory.create(AppModule, { name, version: '1.0.0', ...quiet });
  for (const [name, fault] of Object.entries(FAULTS)) app.tools.register({ name, execute: () => { fault(); return 'answered'; } });
  app.tools.register({ name: 'slow', execute: () => new Promise((resolve) => { console.error('entered'); setTimeout(() => resolve('finished'), 200); }) });
  return app;
};
setInterval(() => {}, 1000);
create('one').then(async (app) => {
  const options = process.env.LISTEN ? JSON.parse(process.env.LISTEN) : {};
  if (process.env.TWO) await (await create('two')).listen({ transports: ['http'], port: 0, ...options });
  await app.listen({ ...(process.env.TWO ? { transports: ['stdio'] } : {}), ...options });
  console.error('ready');
});
`;

let folder: string;
let program: string;
const servers: ChildServer[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perch-uncaught-'));
  program = join(folder, 'program.js');
  writeFileSync(program, PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

async function start(args: readonly string[], env: Record<string, string> = {}): Promise<ChildServer> {
  const server = new ChildServer(program, args, env);
  servers.push(server);
  await server.sees(/ready/);
  return server;
}

async function overStdio(env: Record<string, string> = {}): Promise<ChildServer> {
  const server = await start([], env);
  server.send(INITIALIZE);
  await server.next();
  return server;
}

const call = (id: number, name: string): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const says = (text: string): object => ({ result: { content: [{ text }] } });

test.each([
  ['timeout', /An error was not caught\. Shutting down\.[^]*Error: cause in a timer\n\s+at /],
  ['forgotten', /A rejection was not handled\. Shutting down\.[^]*Error: cause in a promise\n\s+at /],
  ['emitter', /An error was not caught\. Shutting down\.[^]*Error: cause in a listener\n\s+at /],
  ['hostile', /An error was not caught\. Shutting down\./],
  ['nothing', /An error was not caught\. Shutting down\.\n?.*undefined/],
] as const)(
  'B14: after a %s on stdio the answer is there, the running call finishes, the cause is logged, hooks run, exit 1',
  async (kind, logged) => {
    const server = await overStdio();
    server.send(call(1, 'slow'));
    await server.sees(/entered/);
    server.send(call(2, kind));
    expect(await server.next()).toMatchObject({ id: 2, ...says('answered') });
    expect(await server.next()).toMatchObject({ id: 1, ...says('finished') });
    expect(await server.exit()).toBe(1);
    expect(server.stderr).toMatch(logged);
    expect(server.stderr.match(/destroyed/g)).toHaveLength(1);
    expect(server.unread).toEqual([]);
  },
);

test.each(['timeout', 'forgotten', 'emitter'] as const)(
  'B14: after a %s over HTTP the answer is there, the running call finishes, hooks run, exit 1',
  async (kind) => {
    const server = await start(['--transport', 'http', '--port', '0']);
    const [, url = ''] = await server.sees(/Serving MCP on (http:\S+)/);
    const slow = ask(url, modern('tools/call', { name: 'slow' }));
    await server.sees(/entered/);
    expect(messageOf(await ask(url, modern('tools/call', { name: kind })))).toMatchObject(says('answered'));
    expect(messageOf(await slow)).toMatchObject(says('finished'));
    expect(await server.exit()).toBe(1);
    expect(server.stderr).toContain('Shutting down');
    expect(server.stderr.match(/destroyed/g)).toHaveLength(1);
  },
);

test('B14: unhandledRejections: "log" logs a rejection in full and goes on, and still ends at an uncaught error', async () => {
  const server = await overStdio({ LISTEN: '{"unhandledRejections":"log"}' });
  server.send(call(1, 'forgotten'));
  await server.next();
  await server.sees(/A rejection was not handled\.[^]*cause in a promise\n\s+at /);
  server.send(call(2, 'slow'));
  expect(await server.next()).toMatchObject({ id: 2, ...says('finished') });
  expect(server.stderr).not.toContain('destroyed');
  server.send(call(3, 'timeout'));
  expect(await server.next()).toMatchObject({ id: 3 });
  expect(await server.exit()).toBe(1);
});

test('B14: an error while closing is logged too, and neither hangs nor begins anew', async () => {
  const server = await overStdio({ AGAIN: '1' });
  server.send(call(1, 'timeout'));
  expect(await server.exit()).toBe(1);
  expect(server.stderr.match(/Shutting down/g)).toHaveLength(1);
  expect(server.stderr).toMatch(/An error was not caught\.\n[^]*second cause/);
  expect(server.stderr.match(/destroyed/g)).toHaveLength(1);
});

test.each(['SIGTERM', 'end of input'])('B14: an error during the end by %s makes the exit code 1', async (how) => {
  const server = await overStdio({ AGAIN: '1' });
  if (how === 'SIGTERM') server.kill('SIGTERM');
  else server.endInput();
  expect(await server.exit()).toBe(1);
  expect(server.stderr).toContain('second cause');
});

test('B14: of two applications in one process both are closed, running calls first', async () => {
  const server = await start([], { TWO: '1' });
  const [, url = ''] = await server.sees(/Serving MCP on (http:\S+)/);
  const slow = ask(url, modern('tools/call', { name: 'slow' }));
  await server.sees(/entered/);
  server.send(INITIALIZE);
  await server.next();
  server.send(call(1, 'timeout'));
  expect(await server.next()).toMatchObject({ id: 1, ...says('answered') });
  expect(messageOf(await slow)).toMatchObject(says('finished'));
  expect(await server.exit()).toBe(1);
  expect(server.stderr.match(/destroyed/g)).toHaveLength(2);
});

test('B14: an application without a log does not make the cause of the end disappear', async () => {
  const server = await overStdio({ QUIET: '1' });
  server.send(call(1, 'timeout'));
  expect(await server.exit()).toBe(1);
  expect(server.stderr).toContain('cause in a timer');
});

test('B14: with shutdownHooks: false an uncaught error is left to the program, which ends as Node ends it', async () => {
  const server = await overStdio({ LISTEN: '{"shutdownHooks":false}' });
  server.send(call(1, 'timeout'));
  expect(await server.exit()).toBe(1);
  expect(server.stderr).not.toContain('destroyed');
});
