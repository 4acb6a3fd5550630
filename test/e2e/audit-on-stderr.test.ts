import { join } from 'node:path';
import type { AuditRecord } from 'perch-mcp';
import { ChildServer } from '../support/child-server';
import { INITIALIZE } from '../support/wire';

const ROOT = join(__dirname, '../..');

/** A program that serves a few tools on stdio, with these options of `McpFactory.create` beside name and version. */
const program = (options: string): string => `
  process.chdir(${JSON.stringify(ROOT)});
  const { jsonSchema, McpFactory, Module } = require(${JSON.stringify(join(ROOT, 'dist/index.js'))});
  class AppModule {}
  Module({})(AppModule);
  McpFactory.create(AppModule, { name: 'audited', version: '1.0.0', ...${options} }).then(async (app) => {
    const tool = (name, execute) => app.tools.register({ name, description: name, input: jsonSchema({ type: 'object' }), execute });
    tool('greet', () => 'Hello');
    tool('fail', () => { throw new Error('wires crossed'); });
    await app.listen({ transports: ['stdio'] });
  });
`;

let server: ChildServer;
afterEach(() => server.stop());

async function start(options = '{}'): Promise<void> {
  server = new ChildServer('-e', [program(options)]);
  server.send(INITIALIZE);
  await server.next();
}

let id = 0;
async function call(name: string, args: object = {}): Promise<Record<string, unknown>> {
  server.send({ jsonrpc: '2.0', id: (id += 1), method: 'tools/call', params: { name, arguments: args } });
  return server.next();
}

/** The records on stderr once the program has ended, and that they are whole lines. */
async function records(): Promise<AuditRecord[]> {
  server.endInput();
  await server.exit();
  return server.stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as AuditRecord] : []));
}

test('E9: a program writes each refusal and failure to stderr as one line of JSON, and nothing of what went well', async () => {
  await start();
  await call('greet');
  await call('no_such');
  const ref = /ref (\w+)/.exec(JSON.stringify(await call('fail')))?.[1];
  const written = await records();
  const always = {
    time: expect.any(String),
    transport: 'stdio',
    operation: 'call',
    durationMs: expect.any(Number),
    ref: expect.any(String),
  };
  expect(written).toEqual([
    { ...always, name: 'no_such', outcome: 'unknown' },
    { ...always, name: 'fail', outcome: 'failed', ref },
  ]);
  expect(server.unread).toEqual([]);
});

test("E9: audit: 'all' writes what went well too, and never the arguments", async () => {
  await start("{ audit: 'all' }");
  await call('greet', { password: 'p4711' });
  expect((await records()).map(({ name, outcome }) => [name, outcome])).toEqual([['greet', 'ok']]);
  expect(server.stderr).not.toContain('p4711');
});

test('E9: audit: { arguments: true } writes what was sent', async () => {
  await start('{ audit: { arguments: true } }');
  await call('fail', { note: 'n4711' });
  expect(await records()).toEqual([expect.objectContaining({ name: 'fail', arguments: { note: 'n4711' } })]);
});

test('E9: logger: false writes nothing', async () => {
  await start('{ logger: false }');
  await call('fail');
  expect(await records()).toEqual([]);
  expect(server.stderr).toBe('');
});

test('E9, E4: one line for one record, whatever the names and arguments are', async () => {
  const hostile = [
    'a\r\n{"outcome":"ok"}',
    'a\u001b[2J\u009b31m',
    'a\u202Ecod.exe',
    'a\u2028b\u2029c\u0085d',
    'a\uD800b',
    '\u{E0001}tag',
    'x'.repeat(9_000),
  ];
  await start('{ audit: { arguments: true } }');
  for (const name of hostile) await call(name, { name });
  const written = await records();
  expect(written.map(({ name }) => name)).toEqual(hostile.map((name) => name.slice(0, 200)));
  const lines = server.stderr.split('\n').filter((line) => line.startsWith('{'));
  expect(lines).toHaveLength(hostile.length);
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
});
