import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import {
  AuditSink,
  authMiddleware,
  connectSse,
  connectStdio,
  connectStreamableHttp,
  connectUds,
  defineTool,
  Injectable,
  TokenVerifier,
  type AuditRecord,
  type McpApplication,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Principal,
  type TransportHandle,
} from 'perch-mcp';
import { closeApps, createApp, RecordingLogger } from '../support/app';
import { ask, INITIALIZE, messageOf, modern } from '../support/wire';

const TOKEN = 'correct-horse-battery-staple';
const logger = new RecordingLogger();
const hooks: string[] = [];
const servers: Server[] = [];

beforeEach(() => {
  hooks.length = 0;
  logger.lines.length = 0;
});
afterEach(async () => {
  await closeApps();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

@Injectable()
class Hooks implements OnModuleInit, OnApplicationShutdown {
  onModuleInit(): void {
    hooks.push('init');
  }
  onApplicationShutdown(): void {
    hooks.push('end');
  }
}

const whoami = defineTool({
  name: 'whoami',
  description: 'Says who asks',
  handler: (_args, { transport, principal }) => `${transport} ${principal?.id ?? 'nobody'}`,
});
const WHOAMI = modern('tools/call', { name: 'whoami' });

async function create(more: readonly Parameters<typeof createApp>[0][number][] = []): Promise<McpApplication> {
  return createApp([Hooks, { provide: 'whoami', useValue: whoami }, ...more], { logger, limits: { graceMs: 200 } });
}

async function says(url: string | undefined, question = WHOAMI): Promise<unknown> {
  return messageOf(await ask(url ?? '', question))['result'];
}

const isText = (text: string): object => expect.objectContaining({ content: [{ type: 'text', text }] });

interface Streams {
  readonly input: Writable;
  readonly output: Readable;
}
const streams = (): { readonly input: PassThrough; readonly output: PassThrough } => ({
  input: new PassThrough(),
  output: new PassThrough(),
});

async function answerOf({ input, output }: Streams, message: object): Promise<unknown> {
  input.write(`${JSON.stringify(message)}\n`);
  const [chunk] = (await once(output, 'data')) as [Buffer];
  return JSON.parse(String(chunk));
}

test('parity C17: connectStdio serves on streams as whom it is told, and runs the start hooks', async () => {
  const app = await create();
  const ends = streams();
  const handle = await connectStdio(app, { ...ends, localPrincipal: { id: 'ada', scopes: [] } });
  expect([handle.mode, hooks, app.handles]).toEqual(['stdio', ['init'], [handle]]);
  expect(await answerOf(ends, INITIALIZE)).toMatchObject({ id: 'init', result: { serverInfo: { name: 'test' } } });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami' } };
  expect(await answerOf(ends, call)).toMatchObject({ id: 1, result: isText('stdio ada') });
  await app.close();
  expect(hooks).toEqual(['init', 'end']);
});

test('parity C17: a client that leaves ends its handle and neither the application nor the other doors', async () => {
  const app = await create();
  const ends = streams();
  const http = await connectStreamableHttp(app, { port: 0 });
  let leave = (): void => undefined;
  const gone = new Promise<void>((resolve) => (leave = resolve));
  await connectStdio(app, { ...ends, onGone: () => leave() });
  await answerOf(ends, INITIALIZE);
  expect(app.handles).toHaveLength(2);
  ends.input.end();
  await gone;
  expect(app.handles).toEqual([http]);
  expect(await says(http.url)).toEqual(isText('http nobody'));
});

test('parity C17: connectStreamableHttp opens doors that can be closed alone and are closed with the application', async () => {
  const app = await create();
  const first = await connectStreamableHttp(app, { port: 0 });
  const second = await connectStreamableHttp(app, { port: 0, path: '/two' });
  expect([first.mode, second.url, app.handles]).toEqual(['http', expect.stringMatching(/\/two$/), [first, second]]);
  expect(await says(first.url)).toEqual(isText('http nobody'));
  await Promise.all([first.close(), first.close()]);
  expect(app.handles).toEqual([second]);
  await expect(ask(first.url ?? '', WHOAMI)).rejects.toThrow('ECONNREFUSED');
  expect(await says(second.url)).toEqual(isText('http nobody'));
  await app.close();
  await expect(ask(second.url ?? '', WHOAMI)).rejects.toThrow('ECONNREFUSED');
  expect(hooks).toEqual(['init', 'end']);
});

test('a handle that is closed alone answers what runs first', async () => {
  let release: (text: string) => void = () => undefined;
  let entered: () => void = () => undefined;
  const isIn = new Promise<void>((resolve) => (entered = resolve));
  const slow = defineTool({
    name: 'slow',
    description: 'd',
    handler: () => {
      entered();
      return new Promise((resolve) => (release = resolve));
    },
  });
  const app = await create([{ provide: 'slow', useValue: slow }]);
  const handle = await connectStreamableHttp(app, { port: 0 });
  const answer = says(handle.url, modern('tools/call', { name: 'slow' }));
  await isIn;
  const closed = handle.close();
  release('done');
  expect(await answer).toEqual(isText('done'));
  await closed;
});

test('the checks of listen hold for connect: the bind, the token, the port, an application that is closed', async () => {
  const app = await create();
  await expect(connectStreamableHttp(app, { host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
  await expect(connectStreamableHttp(app, { port: 0, authToken: '' })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
  expect(hooks).toEqual([]);
  const open = await connectStreamableHttp(app, { port: 0, authToken: TOKEN });
  const busy = connectStreamableHttp(app, { port: open.port ?? 0 });
  await expect(busy).rejects.toMatchObject({ code: 'MCP_TRANSPORT_FAILED', message: expect.stringContaining('EADDRINUSE') });
  expect((await ask(open.url ?? '', WHOAMI)).status).toBe(401);
  const known = { ...WHOAMI, headers: { ...WHOAMI.headers, authorization: `Bearer ${TOKEN}` } };
  expect(await says(open.url, known)).toEqual(isText('http token'));
  await app.close();
  await expect(connectStreamableHttp(app, { port: 0 })).rejects.toThrow('closed');
});

test('parity C17: connectSse is connectStreamableHttp and says once that its name is old', async () => {
  const app = await create();
  const handles: TransportHandle[] = [await connectSse(app, { port: 0 }), await connectSse(app, { port: 0 })];
  expect(handles.map(({ mode }) => mode)).toEqual(['http', 'http']);
  expect(await says(handles[0]?.url)).toEqual(isText('http nobody'));
  expect(logger.lines.filter(({ level, message }) => level === 'warn' && message.includes('connectSse'))).toHaveLength(1);
});

class Names extends TokenVerifier {
  verify(token: string): Principal | undefined {
    if (token.startsWith('broken')) throw new Error(`cannot read ${token}`);
    return token.startsWith('name-') ? { id: token.slice(5), scopes: ['read'] } : undefined;
  }
}

/** A server of a program's own, which says whose request it got. */
async function behind(middleware: ReturnType<typeof authMiddleware>): Promise<string> {
  const server = createServer((request, response) =>
    middleware(request, response, () => {
      response.end(JSON.stringify((request as IncomingMessage & { auth?: unknown }).auth));
    }),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

test('parity C17: authMiddleware puts the bearer check of the application before a server of the program', async () => {
  const records: AuditRecord[] = [];
  const sink = { provide: AuditSink, useValue: { write: (record: AuditRecord) => void records.push(record) } };
  const app = await create([{ provide: TokenVerifier, useClass: Names }, sink]);
  const url = await behind(authMiddleware(app));
  const withToken = (token: string): Promise<{ status: number; text: string; challenge: unknown }> =>
    ask(url, { method: 'GET', headers: { authorization: `Bearer ${token}` } }).then(({ status, text, headers }) => ({
      status,
      text,
      challenge: headers['www-authenticate'],
    }));
  const known = await withToken('name-ada-0123456789');
  expect([known.status, JSON.parse(known.text)]).toEqual([
    200,
    { token: '', clientId: 'ada-0123456789', scopes: ['read'], extra: { principal: { id: 'ada-0123456789', scopes: ['read'] } } },
  ]);
  const refusal = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Unauthorized' } });
  for (const token of ['stranger-0123456789', 'broken-0123456789'])
    expect(await withToken(token)).toEqual({ status: 401, text: refusal, challenge: 'Bearer error="invalid_token"' });
  const bare = await ask(url, { method: 'GET' });
  expect([bare.status, bare.headers['www-authenticate'], bare.text]).toEqual([401, 'Bearer', refusal]);
  expect(records.map(({ reason }) => reason)).toEqual(['token not accepted', 'verifier threw', 'no token']);
  expect(JSON.stringify(logger.lines)).not.toContain('0123456789');
});

test('authMiddleware takes a token or a verifier of its own, and refuses to stand there without one', async () => {
  const app = await create();
  expect(() => authMiddleware(app)).toThrow(/nobody to ask about tokens/);
  const url = await behind(authMiddleware(app, { authToken: TOKEN }));
  expect((await ask(url, { method: 'POST', headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
  expect((await ask(url, { method: 'POST', headers: { authorization: `Bearer ${TOKEN}x` } })).status).toBe(401);
});

test('parity C17: connectUds serves on a socket that is gone when its handle is closed', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'perch-uds-'));
  const socketPath = path.join(folder, 'mcp.sock');
  try {
    const app = await create();
    const handle = await connectUds(app, { path: socketPath, localPrincipal: { id: 'ada', scopes: [] } });
    expect([handle.mode, handle.socketPath, app.handles]).toEqual(['uds', socketPath, [handle]]);
    const socket = connect(socketPath);
    expect(await answerOf({ input: socket, output: socket }, INITIALIZE)).toMatchObject({ id: 'init' });
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami' } };
    expect(await answerOf({ input: socket, output: socket }, call)).toMatchObject({ id: 1, result: isText('uds ada') });
    await handle.close();
    expect([existsSync(socketPath), app.handles]).toEqual([false, []]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
