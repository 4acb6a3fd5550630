import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildServer } from '../support/child-server';
import { ask, INITIALIZE, messageOf, modern } from '../support/wire';

const PROGRAM = `
const { McpFactory, Module } = require(${JSON.stringify(join(__dirname, '../../dist'))});
const FAULTS = { throws: () => { throw new Error('SECRET'); }, rejects: () => Promise.reject(new Error('SECRET')), hangs: () => new Promise(() => {}) };
class Lower { onModuleInit() { console.error('lower begins'); } onModuleDestroy() { console.error('lower ends'); } }
class LowerModule {}
Module({ providers: [Lower] })(LowerModule);
class Upper { onModuleInit() { return FAULTS[process.env.FAULT]?.(); } onModuleDestroy() { console.error('upper ends'); } }
class AppModule {}
Module({ imports: [LowerModule], providers: [Upper] })(AppModule);
setInterval(() => {}, 1000);
const limits = { graceMs: Number(process.env.GRACE ?? 10000), hookMs: 200 };
McpFactory.create(AppModule, { name: 'ends', version: '1.0.0', limits }).then(async (app) => {
  app.tools.register({ name: 'slow', execute: () => new Promise((resolve) => { console.error('entered'); setTimeout(() => resolve('done'), 300); }) });
  app.tools.register({ name: 'hang', execute: (_input, { signal }) => new Promise(() => { console.error('entered'); signal.addEventListener('abort', () => console.error('aborted')); }) });
  await app.listen();
  console.error('ready');
}).catch((error) => { console.error(error.message); process.exit(1); });
`;

let folder: string;
let program: string;
const servers: ChildServer[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perch-ends-'));
  program = join(folder, 'program.js');
  writeFileSync(program, PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

function run(args: readonly string[], env: Record<string, string> = {}): ChildServer {
  const server = new ChildServer(program, args, env);
  servers.push(server);
  return server;
}

const HTTP = ['--transport', 'http', '--port', '0'];
const endings = (server: ChildServer): readonly string[] => server.stderr.match(/\w+ ends$/gm) ?? [];

/** A server with one running call: its answer, and what asks one more. */
async function begin(where: string, tool: string, env: Record<string, string> = {}) {
  const server = run(where === 'stdio' ? [] : HTTP, env);
  await server.sees(/ready/);
  if (where === 'stdio') {
    server.send(INITIALIZE);
    await server.next();
    server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool } });
    await server.sees(/entered/);
    return { server, answer: server.next() };
  }
  const [, url = ''] = await server.sees(/Serving MCP on (http:\S+)/);
  const answer = ask(url, modern('tools/call', { name: tool })).then(messageOf);
  await server.sees(/entered/);
  return { server, answer, again: () => ask(url, modern('tools/list')) };
}

describe.each(['stdio', 'http'])('over %s', (where) => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'B1: %s while a call of 300 ms runs: it is answered, the hooks run once in reverse order, new work is refused, exit 0',
    async (signal) => {
      const { server, answer, again } = await begin(where, 'slow');
      server.kill(signal);
      expect(await answer).toMatchObject({ result: { content: [{ text: 'done' }] } });
      expect(await server.exit()).toBe(0);
      expect(endings(server)).toEqual(['upper ends', 'lower ends']);
      if (again !== undefined) await expect(again()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    },
  );

  test('B2: SIGTERM while a call hangs: it is aborted at the end of the grace and answered, the log has one line, exit 1', async () => {
    const { server, answer } = await begin(where, 'hang', { GRACE: '100' });
    const since = performance.now();
    server.kill('SIGTERM');
    expect(await answer).toMatchObject({ result: { content: [{ text: 'Shutting down' }], isError: true } });
    expect(await server.exit()).toBe(1);
    expect(performance.now() - since).toBeLessThan(100 + 1_000);
    expect(server.stderr).toContain('aborted\n');
    expect(server.stderr.match(/^.*end of the grace period.*$/gm)).toEqual([expect.stringContaining('of 100 ms: 1.')]);
    expect(endings(server)).toEqual(['upper ends', 'lower ends']);
  });

  test('B3: a second signal ends the process at once with code 1, whatever runs', async () => {
    const { server, answer } = await begin(where, 'hang');
    const outcome = Promise.race([answer.catch(() => 'none'), server.exit().then(() => 'none')]);
    // Two signals of one kind that come together count as one.
    server.kill('SIGTERM');
    server.kill('SIGINT');
    expect([await server.exit(), await outcome]).toEqual([1, 'none']);
    expect(endings(server)).toEqual([]);
  });

  test.each([
    ['throws', /Upper\.onModuleInit\(\) failed/],
    ['rejects', /Upper\.onModuleInit\(\) failed/],
    ['hangs', /Upper\.onModuleInit\(\) did not finish within 200 ms/],
  ])('B15: onModuleInit that %s: nothing is served, what was begun is ended, exit 1', async (fault, text) => {
    const server = run(where === 'stdio' ? [] : HTTP, { FAULT: fault });
    server.send(INITIALIZE);
    expect(await server.exit()).toBe(1);
    expect(server.stderr).toMatch(text);
    expect(server.stderr).not.toMatch(/Serving MCP|SECRET/);
    expect(endings(server)).toContain('lower ends');
    expect(server.unread).toEqual([]);
  });

  test('B17: a port that is taken is one error with host and port, the hooks run, nothing else is served, exit 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const server = run(['--transport', where === 'stdio' ? 'stdio,http' : 'http', '--port', String(port)]);
    server.send(INITIALIZE);
    expect(await server.exit()).toBe(1);
    taken.close();
    expect(server.stderr.match(/^MCP_\w+: .*$/gm)).toEqual([
      `MCP_TRANSPORT_FAILED: The transport http cannot be opened on 127.0.0.1:${String(port)}: EADDRINUSE`,
    ]);
    expect(endings(server)).toEqual(['upper ends', 'lower ends']);
    expect([server.stderr.includes('Serving MCP'), server.unread]).toEqual([false, []]);
  });
});
