import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Injectable, McpTool, type McpContext, type TokenVerifier } from 'perch-mcp';
import { closeApps, createApp, RecordingLogger } from '../support/app';
import { ChildServer, compiled } from '../support/child-server';
import { ask, INITIALIZE, JSON_HEADERS, messageOf, modern, type HttpAnswer } from '../support/wire';

const MAIN = compiled('samples/01-hello/main');
const TOKEN = 'kept-between-the-operator-and-the-caller';
const servers: ChildServer[] = [];

afterEach(() => Promise.all([closeApps(), ...servers.splice(0).map((server) => server.stop())]));

function start(token: string, ...args: string[]): ChildServer {
  return startWith({ PERCH_AUTH_TOKEN: token }, ...args);
}

function startWith(env: Record<string, string>, ...args: string[]): ChildServer {
  const server = new ChildServer(MAIN, ['--transport', 'http', '--port', '0', ...args], { PERCH_TRANSPORT: '', ...env });
  servers.push(server);
  return server;
}

test('D12: the token stands in no answer, on no stream and in no command line [http.token]', async () => {
  const server = start(TOKEN);
  const [, url = ''] = await server.sees(/Serving MCP on (http:\/\/127\.0\.0\.1:\d+\/mcp)/);
  const greet = modern('tools/call', { name: 'greet', arguments: { name: 'Ada' } });
  const initialize = { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) };
  const answers = [];
  for (const authorization of [`Bearer ${TOKEN}`, `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, `Bearer ${TOKEN}, Bearer ${TOKEN}`])
    for (const question of [greet, initialize, { ...greet, body: '{' }, { path: `/${TOKEN}` }, { method: 'GET' }, modern('no/such')])
      answers.push(await ask(url, { ...question, headers: { ...question.headers, authorization } }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 404, 400, 404, ...Array<number>(18).fill(401)]);
  expect(answers[0] && messageOf(answers[0])).toMatchObject({ result: { content: [{ text: 'Hello, Ada!' }] } });
  expect((await ask(url, greet)).status).toBe(401);
  const cmdline = `/proc/${String(server.pid)}/cmdline`;
  if (existsSync(cmdline)) expect(readFileSync(cmdline, 'utf8')).not.toContain(TOKEN);
  server.kill('SIGTERM');
  expect(await server.exit()).toBe(0);
  expect(server.stderr).toContain('"reason":"token not accepted"');
  for (const text of [JSON.stringify(answers), server.stderr, server.unread.join('\n')]) expect(text).not.toContain(TOKEN);
});

test('D12: what keeps a server from starting does not tell the token', async () => {
  const refused = [
    start(TOKEN, '--port', '99999'),
    start(`${TOKEN} `),
    start(TOKEN, '--transport', 'tcp'),
    start(TOKEN, '--host', '203.0.113.1'),
  ];
  for (const server of refused) {
    expect(await server.exit()).toBe(1);
    expect(server.stderr).toMatch(/MCP_OPTION_INVALID|MCP_TRANSPORT_FAILED/);
    expect(server.stderr).not.toContain(TOKEN);
  }
});

const CRASHING = `
const { McpFactory, Module } = require(${JSON.stringify(join(__dirname, '../../dist'))});
class AppModule {}
Module({})(AppModule);
McpFactory.create(AppModule, { name: 'crashes', version: '1.0.0' }).then(async (app) => {
  await app.listen({ transports: ['http'], port: 0 });
  process.stdin.on('data', () => { throw Object.assign(new Error('outside of a call: ' + require('node:util').inspect(app, { depth: 20, showHidden: true })), { app }); });
});
`;

test('D12: an error outside of any call, with the application in it, ends the program and tells no token', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perch-crash-'));
  const program = join(folder, 'crashes.js');
  writeFileSync(program, CRASHING);
  const server = new ChildServer(program, [], { PERCH_AUTH_TOKEN: TOKEN, PERCH_TRANSPORT: '' });
  servers.push(server);
  const [, url = ''] = await server.sees(/Serving MCP on (http:\S+)/);
  const question = modern('tools/list');
  const answer = await ask(url, { ...question, headers: { ...question.headers, authorization: `Bearer ${TOKEN}` } });
  expect(answer.status).toBe(200);
  const cmdline = `/proc/${String(server.pid)}/cmdline`;
  if (existsSync(cmdline)) expect(readFileSync(cmdline, 'utf8')).not.toContain(TOKEN);
  server.send('now\n');
  expect(await server.exit()).toBe(1);
  rmSync(folder, { recursive: true });
  expect(server.stderr).toContain('outside of a call: McpApplication');
  for (const text of [server.stderr, server.unread.join('\n'), JSON.stringify(answer)]) expect(text).not.toContain(TOKEN);
});

test('D5: a program that other machines could reach starts only with a token [http.loopback]', async () => {
  const open = start('', '--host', '0.0.0.0');
  expect(await open.exit()).toBe(1);
  expect(open.stderr).toContain('PERCH_AUTH_TOKEN is not a token');
  const nameless = start(TOKEN, '--host', '0.0.0.0');
  expect(await nameless.exit()).toBe(1);
  expect(nameless.stderr).toContain('under which names it is reached');
  const closed = startWith({ PERCH_AUTH_TOKEN: TOKEN, PERCH_ALLOWED_HOSTS: 'mcp.example, 127.0.0.1' }, '--host', '0.0.0.0');
  const [, port = ''] = await closed.sees(/Serving MCP on http:\/\/0\.0\.0\.0:(\d+)\/mcp/);
  const url = `http://127.0.0.1:${port}/mcp`;
  const question = modern('tools/list');
  expect((await ask(url, question)).status).toBe(401);
  expect((await ask(url, { ...question, headers: { ...question.headers, authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
});

/** Everything that a program, or a person with a debugger, sees of a value. */
const everythingOf = (value: unknown): string =>
  inspect(value, { depth: Infinity, showHidden: true, maxArrayLength: null, maxStringLength: null });

const seen: unknown[] = [];

@Injectable()
class Curious {
  @McpTool({ name: 'look', description: 'Keeps what it is given, and fails with it' })
  look(input: object, context: McpContext): never {
    seen.push(input, context, context.principal, context.meta, context.http);
    throw new Error(`It was ${everythingOf(context)}`, { cause: context });
  }
}

const admitting: TokenVerifier = { verify: (token) => (token === TOKEN ? { id: 'ada', scopes: [] } : undefined) };
const throwing: TokenVerifier = {
  verify: (token) => {
    throw new Error(`cannot look up ${token}`);
  },
};

test.each([
  ['a shared token', { authToken: TOKEN }],
  ['a verifier', { verifier: admitting }],
  ['a verifier that throws it', { verifier: throwing }],
])('D12: with %s it stands in no log down to debug, no error, no answer, and nowhere in the application', async (_what, options) => {
  const logger = new RecordingLogger();
  const printed = (['stdout', 'stderr'] as const).map((name) => jest.spyOn(process[name], 'write').mockReturnValue(true));
  const app = await createApp([Curious], { logger });
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false, allowedOrigins: ['https://app.example'], ...options });
  const url = app.handles[0]?.url ?? '';
  const answers: HttpAnswer[] = [];
  const initialize = { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) };
  for (const authorization of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `Basic ${TOKEN}`, `Bearer ${TOKEN}, x`, TOKEN])
    for (const question of [
      modern('tools/call', { name: 'look' }),
      initialize,
      { ...initialize, body: '{' },
      { method: 'PUT' },
      { path: '/x' },
    ])
      answers.push(await ask(url, { ...question, headers: { origin: 'https://app.example', ...question.headers, authorization } }));
  const thrown: unknown = await app.listen({ transports: ['http'], port: 0, ...options }).catch((error: unknown) => error);
  const whole = everythingOf([app, app.handles, app.getMetadata(), logger.lines, answers, thrown, seen.splice(0)]);
  await app.close();
  const output = printed.flatMap((spy) => spy.mock.calls.map(([text]) => String(text))).join('');
  for (const spy of printed) spy.mockRestore();
  expect(answers.some(({ status }) => status === 401)).toBe(true);
  expect(whole).toContain('127.0.0.1');
  for (const text of [whole, output]) expect(text.includes(TOKEN)).toBe(false);
});

test('D12: a place that kept it would be noticed', () => {
  class Careless {
    readonly #token = TOKEN;
    readonly inner = { token: this.#token };
  }
  expect(everythingOf([{ app: new Careless() }])).toContain(TOKEN);
});
