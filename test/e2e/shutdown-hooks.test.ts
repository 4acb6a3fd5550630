import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildServer } from '../support/child-server';
import { ask, messageOf, modern } from '../support/wire';

const PROGRAM = `
const { McpFactory, Module, connectStdio, connectStreamableHttp } = require(${JSON.stringify(join(__dirname, '../../dist'))});
class Hooks { onModuleDestroy() { console.error('destroyed'); } onApplicationShutdown(signal) { console.error('by ' + signal); } }
class AppModule {}
Module({ providers: [Hooks] })(AppModule);
const create = async (name) => {
  const app = await McpFactory.create(AppModule, { name, version: '1.0.0' });
  app.tools.register({ name: 'slow', execute: () => new Promise((resolve) => { console.error('entered'); setTimeout(() => resolve('done'), 300); }) });
  return app;
};
const RUNS = {
  init: async () => { setInterval(() => {}, 1000); const app = await create('init'); app.enableShutdownHooks(); app.enableShutdownHooks(['SIGTERM', 'SIGUSR2']); await app.init(); },
  refuse: async () => { const app = await create('refuse'); for (const name of ['SIGKILL', 'SIGNONE', '__proto__']) { try { app.enableShutdownHooks([name]); } catch (error) { console.error('refused ' + error.code); } } process.exit(0); },
  two: async () => { await (await create('http')).listen({ transports: ['http'], port: 0 }); await (await create('stdio')).listen({ transports: ['stdio'] }); },
  twice: async () => { const app = await create('twice'); const handle = await connectStdio(app); await connectStdio(app).catch((error) => console.error(error.message)); await handle.close(); await (await connectStdio(app)).close(); console.log('"free"'); process.exit(0); },
};
RUNS[process.argv[2]]().then(() => console.error('ready'));
`;

let folder: string;
const servers: ChildServer[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perch-hooks-'));
  writeFileSync(join(folder, 'program.js'), PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

function run(what: string): ChildServer {
  const server = new ChildServer(join(folder, 'program.js'), [what]);
  servers.push(server);
  return server;
}

test.each(['SIGTERM', 'SIGINT', 'SIGUSR2'] as const)(
  'enableShutdownHooks: %s closes a program that only called init, once, exit 0',
  async (signal) => {
    const server = run('init');
    await server.sees(/ready/);
    server.kill(signal);
    expect(await server.exit()).toBe(0);
    expect(server.stderr.match(/destroyed|by \w+/g)).toEqual(['destroyed', `by ${signal}`]);
  },
);

test('enableShutdownHooks refuses what is no signal, and what the system keeps for itself', async () => {
  const server = run('refuse');
  expect(await server.exit()).toBe(0);
  expect(server.stderr.match(/refused MCP_OPTION_INVALID/g)).toHaveLength(3);
});

test('the end of stdin lets the calls of another application of the process finish, and runs its hooks', async () => {
  const server = run('two');
  await server.sees(/ready/);
  const [, url = ''] = await server.sees(/Serving MCP on (http:\S+)/);
  const slow = ask(url, modern('tools/call', { name: 'slow' }));
  await server.sees(/entered/);
  server.endInput();
  expect(messageOf(await slow)).toMatchObject({ result: { content: [{ text: 'done' }] } });
  expect(await server.exit()).toBe(0);
  expect(server.stderr.match(/destroyed/g)).toHaveLength(2);
});

test('a second server on the stdin and stdout of one process is refused while the first has them; then stdout is free again', async () => {
  const server = run('twice');
  expect(await server.next()).toBe('free');
  expect(await server.exit()).toBe(0);
  expect(server.stderr).toContain('serve a client already');
});
