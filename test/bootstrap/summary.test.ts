import {
  AuditSink,
  FLOW_STORE,
  Injectable,
  Policy,
  Scope,
  TokenVerifier,
  type AuditRecord,
  type ListenOptions,
  type McpApplicationOptions,
} from 'perch-mcp';
import { PassThrough } from 'node:stream';
import { closeApps, createApp, overHttp, RecordingLogger } from '../support/app';
import { freshSocketPath, removeFolders } from '../support/socket';
import { ask, modern } from '../support/wire';

afterEach(closeApps);
afterAll(removeFolders);

const TOKEN = '0123456789abcdef0123456789abcdef';
const HTTP = { transports: ['http'], port: 0 } as const;

class Checker extends TokenVerifier {
  verify(): undefined {}
}

async function summaryOf(listen: ListenOptions, options: Partial<McpApplicationOptions> = {}): Promise<readonly string[]> {
  const logger = new RecordingLogger();
  const app = await createApp([], { logger, ...options });
  app.tools.register({ name: 'hello', execute: () => 'hi' });
  const stdio = { input: new PassThrough(), output: new PassThrough() };
  await app.listen({ stdio, shutdownHooks: false, ...listen });
  await app.close();
  return logger.lines.map(({ level, message }) => `${level} ${message}`);
}

test.each<[string, ListenOptions, RegExp]>([
  ['nobody', HTTP, /^log Serving MCP on http:\/\/127\.0\.0\.1:\d+\/mcp \(this machine only; nobody is asked for a token\)$/],
  ['a token', { ...HTTP, authToken: TOKEN }, /^log Serving MCP on http:\S+ \(asks for the shared token\)$/],
  ['a verifier', { ...HTTP, verifier: new Checker() }, /^log Serving MCP on http:\S+ \(asks for a token, which Checker checks\)$/],
  ['a verifier', { ...HTTP, verifier: { verify: () => undefined } }, /which a verifier checks/],
  ['stdio', {}, /^log Serving MCP on stdio \(the client that started this process; nobody is asked for a token\)$/],
  [
    'somebody',
    { localPrincipal: { id: 'ada', scopes: [] } },
    /^log Serving MCP on stdio \(the client that started this process, as "ada";/,
  ],
  [
    'somebody on a socket',
    { transports: ['uds'], socketPath: freshSocketPath(), localPrincipal: { id: 'ada', scopes: [] } },
    /^log Serving MCP on uds at \/\S+ \(only this user can open the socket, as "ada"; nobody is asked for a token\)$/,
  ],
])('the log says what protects each transport: %s', async (_what, listen, line) => {
  expect(await summaryOf(listen)).toEqual(expect.arrayContaining([expect.stringMatching(line)]));
});

test('it says which sessions there are, which policy holds, which limits were changed, and the tools, each in a line', async () => {
  const policy = Policy.define({ fsRead: ['/srv/a', '!/srv/a/b'], network: ['example.com'] });
  const lines = await summaryOf(HTTP, { policy, limits: { graceMs: 50, sessions: 3, sessionIdleMs: 90_000 } });
  expect(lines.slice(1)).toEqual([
    'log Sessions of older clients: at most 3, each until it is unused for 1.5 min; nothing is sent again',
    'log A policy is in force, entries: fsRead 2, fsWrite 0, network 1, socket 0',
    'log Limits changed: graceMs 50, sessions 3, sessionIdleMs 90000',
    expect.stringContaining('PERCH_STATE_KEY'),
    'log Tools: hello',
  ]);
});

test('no secret stands in it', async () => {
  const stateKey = 'k'.repeat(40);
  const lines = await summaryOf({ ...HTTP, authToken: TOKEN }, { stateKey });
  expect(lines.join()).not.toMatch(new RegExp(`${TOKEN}|${stateKey}`));
});

test('lists of a policy that nothing enforces are warned of, by name', async () => {
  process.env['PERCH_PERM_FS_READ'] = '/srv';
  process.env['SOX_PERM_NETWORK'] = 'example.com';
  try {
    const lines = await summaryOf({});
    expect(lines).toContain('warn PERCH_PERM_FS_READ, SOX_PERM_NETWORK do nothing without PERCH_PERM_ENFORCE.');
    process.env['PERCH_PERM_ENFORCE'] = '1';
    expect((await summaryOf({})).join()).not.toContain('do nothing');
  } finally {
    delete process.env['PERCH_PERM_FS_READ'];
    delete process.env['SOX_PERM_NETWORK'];
    delete process.env['PERCH_PERM_ENFORCE'];
  }
});

test('parity C9: each transport has a handle with its mode, its port where it has one, and close()', async () => {
  const app = await createApp([]);
  const stdio = { input: new PassThrough(), output: new PassThrough() };
  await app.listen({ transports: ['stdio', 'http'], port: 0, stdio, shutdownHooks: false });
  const [http, stream] = app.handles;
  expect(http).toMatchObject({ mode: 'http', port: expect.any(Number) as number });
  expect(stream).toMatchObject({ mode: 'stdio' });
  expect(stream?.port).toBeUndefined();
  await http?.close();
  await http?.close();
  await expect(ask(http?.url ?? '', modern('tools/list'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await stream?.close();
});

class Table extends AuditSink {
  static readonly records: AuditRecord[] = [];
  write(record: AuditRecord): void {
    Table.records.push(record);
  }
}
@Injectable({ scope: Scope.REQUEST })
class ScopedTable extends Table {}
@Injectable({ scope: Scope.TRANSIENT })
class PassingTable extends Table {}

test.each([
  [AuditSink, ScopedTable],
  [AuditSink, PassingTable],
  [FLOW_STORE, ScopedTable],
  [FLOW_STORE, PassingTable],
])('what stands under %p must be a singleton, and %p is none', async (provide, useClass) => {
  await expect(createApp([{ provide, useClass }])).rejects.toMatchObject({
    code: 'MCP_SINGLETON_REQUIRED',
    message: expect.stringContaining('is not a singleton') as string,
  });
});

test('a class that extends AuditSink gets the audit also where it is provided under its own name', async () => {
  Table.records.length = 0;
  const url = await overHttp(await createApp([Table]));
  await ask(url, modern('tools/call', { name: 'nothing' }));
  expect(Table.records).toMatchObject([{ outcome: 'unknown', name: 'nothing' }]);
  await expect(createApp([ScopedTable])).rejects.toMatchObject({ code: 'MCP_SINGLETON_REQUIRED' });
});

test('of two audit sinks the first is used, and the log says so', async () => {
  const logger = new RecordingLogger();
  class Other extends Table {}
  await createApp([Table, Other], { logger });
  expect(logger.lines).toMatchObject([{ level: 'warn', message: 'There is more than one audit sink; the one that is used is Table.' }]);
});
