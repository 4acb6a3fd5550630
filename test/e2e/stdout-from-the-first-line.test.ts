import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildServer } from '../support/child-server';
import { INITIALIZE } from '../support/wire';

const DIST = join(__dirname, '../../dist');
const PROGRAM = `
require(${JSON.stringify(join(DIST, 'stdio.js'))});
const say = (where) => {
  console.log(where + ' by console.log');
  console.info(where + ' by console.info');
  process.stdout.write(where + ' by stdout.write\\n');
};
say('top level');
const { McpFactory, Module, McpTool } = require(${JSON.stringify(DIST)});
const { spawnSync } = require('node:child_process');
class Loud {
  constructor() { say('constructor'); }
  onModuleInit() { say('hook'); }
  onModuleDestroy() { say('end hook'); }
  execute() {
    say('tool');
    process.stdout.end('tool by stdout.end\\n');
    require('node:stream').Readable.from(['tool by a pipe\\n']).pipe(process.stdout);
    return 'done';
  }
}
McpTool({ name: 'loud', description: 'Prints' })(Loud);
class Child {
  execute() {
    spawnSync(process.execPath, ['-e', 'console.log("from a child")'], { stdio: 'inherit' });
    return 'done';
  }
}
McpTool({ name: 'child', description: 'Starts a child that inherits stdout' })(Child);
class AppModule {}
Module({ providers: [Loud, Child] })(AppModule);
McpFactory.create(AppModule, { name: 'loud', version: '1.0.0' }).then((app) => app.listen()).then((app) => {
  say('after listen');
  if (app.handles[0].mode === 'http') app.close().then(() => say('after close'));
});
`;
const PLACES = ['top level', 'constructor', 'hook', 'after listen', 'tool'];
const WAYS = ['console.log', 'console.info', 'stdout.write'];

let folder: string;
let program: string;
const servers: ChildServer[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perch-first-line-'));
  program = join(folder, 'loud.js');
  writeFileSync(program, PROGRAM);
});

afterAll(() => rmSync(folder, { recursive: true }));

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function start(): Promise<ChildServer> {
  const server = new ChildServer(program, []);
  servers.push(server);
  server.send(INITIALIZE);
  // Everything on stdout has to be JSON, or this throws.
  expect(await server.next()).toMatchObject({ id: 'init' });
  return server;
}

test('B32, B20: after `perch-mcp/stdio` as the first line, whatever the program prints is on stderr, and stdout carries messages only', async () => {
  const server = await start();
  server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'loud' } });
  expect(await server.next()).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
  await server.sees(/tool by a pipe/);
  server.endInput();
  expect(await server.exit()).toBe(0);
  expect(server.unread).toEqual([]);
  for (const place of [...PLACES, 'end hook']) for (const way of WAYS) expect(server.stderr).toContain(`${place} by ${way}\n`);
  expect(server.stderr).toContain('tool by stdout.end\n');
});

test('B20: what a child process writes to an inherited stdout is out of reach, as the documentation says', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'child' } };
  const input = [INITIALIZE, call].map((each) => `${JSON.stringify(each)}\n`).join('');
  const { status, stdout } = spawnSync(process.execPath, [program], { input, encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout.split('\n')).toEqual([expect.stringContaining('"init"'), 'from a child', expect.stringContaining('"id":1'), '']);
});

test('B20: a program that serves HTTP and no stdio has its stdout back from listen on', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--transport', 'http', '--port', '0'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([
    0,
    ['after listen', 'end hook', 'after close'].flatMap((place) => WAYS.map((way) => `${place} by ${way}\n`)).join(''),
  ]);
  for (const place of ['top level', 'constructor', 'hook']) expect(stderr).toContain(`${place} by console.log\n`);
});
