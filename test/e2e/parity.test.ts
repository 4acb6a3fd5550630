import { AuditSink, Injectable, McpError, McpPrompt, McpResource, McpTool, ToolError, type McpApplication } from 'perch-mcp';
import { closeApps, createApp, everyDoor, overHttp, overStreams, RecordingLogger, type Door } from '../support/app';
import { ask, INITIALIZE, JSON_HEADERS, messageOf, modern, openSession } from '../support/wire';

// What a registry server over JSON-RPC did, and what a runtime of functions did, at the doors that users see. docs/parity.md lists the rest.

const SECRET = 'postgres://admin:hunter2@db';

function bug(): never {
  throw Object.assign(new Error(SECRET), { data: SECRET });
}

let entered: () => void = () => undefined;
let release: (text: string) => void = () => undefined;

@Injectable()
class Registry {
  @McpTool({ name: 'echo', description: 'd' })
  echo(): string {
    return 'ok';
  }

  @McpTool({ name: 'bug', description: 'd' })
  bug(): string {
    return bug();
  }

  @McpTool({ name: 'deliberate', description: 'd' })
  deliberate(): string {
    throw new McpError(-32050, 'Over quota', { left: 0 });
  }

  @McpTool({ name: 'told', description: 'd' })
  told(): string {
    throw new ToolError('No bread');
  }

  @McpTool({ name: 'slow', description: 'd' })
  slow(): Promise<string> {
    entered();
    return new Promise((resolve) => (release = resolve));
  }

  @McpResource({ uri: 'x://good', name: 'good' })
  good(): string {
    return 'text';
  }

  @McpResource({ uri: 'x://bug', name: 'bug' })
  badResource(): string {
    return bug();
  }

  @McpPrompt({ name: 'good' })
  prompt(): string {
    return 'text';
  }

  @McpPrompt({ name: 'bug' })
  badPrompt(): string {
    return bug();
  }
}

afterEach(closeApps);

const QUIET = { provide: AuditSink, useValue: { write: () => undefined } };
const IDENTITY = { name: 'parity', version: '3.1.4', title: 'Parity', instructions: 'Read.' };
const create = (logger = new RecordingLogger()): Promise<McpApplication> => createApp([Registry, QUIET], { ...IDENTITY, logger });

test('parity A6: name, version, revision and capabilities are the same wherever they are told: initialize, server/discover, getMetadata', async () => {
  const app = await create();
  const url = await overHttp(app);
  const { name, version, title } = IDENTITY;
  const opened = messageOf(await ask(url, { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) }))['result'] as Record<
    string,
    unknown
  >;
  const found = messageOf(await ask(url, modern('server/discover')))['result'] as Record<string, unknown>;
  expect(app.getMetadata()).toEqual(IDENTITY);
  expect(opened).toMatchObject({ serverInfo: { name, version, title }, instructions: 'Read.', protocolVersion: '2025-11-25' });
  expect(found).toMatchObject({ instructions: 'Read.', supportedVersions: ['2026-07-28'] });
  expect((found['_meta'] as Record<string, unknown>)['io.modelcontextprotocol/serverInfo']).toEqual(opened['serverInfo']);
  expect(found['capabilities']).toEqual(opened['capabilities']);
});

describe('at every door', () => {
  let doors: readonly Door[] = [];
  const logger = new RecordingLogger();
  beforeEach(async () => {
    logger.lines.length = 0;
    doors = await everyDoor(await create(logger));
  });
  const everywhere = async (method: string, params?: Record<string, unknown>): Promise<readonly unknown[]> =>
    Promise.all(doors.map((door) => door.ask(method, params)));
  const each = (expected: unknown): readonly unknown[] => doors.map(() => expected);

  test('parity A9: lists, calls, reads and prompts are answered', async () => {
    const result = (fields: object): unknown => expect.objectContaining({ result: expect.objectContaining(fields) });
    const named = (name: string): unknown => expect.arrayContaining([expect.objectContaining({ name })]);
    expect(await everywhere('tools/list')).toEqual(each(result({ tools: named('echo') })));
    expect(await everywhere('tools/call', { name: 'echo' })).toEqual(each(result({ content: [{ type: 'text', text: 'ok' }] })));
    expect(await everywhere('resources/list')).toEqual(each(result({ resources: named('good') })));
    expect(await everywhere('resources/read', { uri: 'x://good' })).toEqual(
      each(result({ contents: [expect.objectContaining({ uri: 'x://good', text: 'text' })] })),
    );
    expect(await everywhere('prompts/list')).toEqual(each(result({ prompts: named('good') })));
    expect(await everywhere('prompts/get', { name: 'good' })).toEqual(
      each(result({ messages: [{ role: 'user', content: { type: 'text', text: 'text' } }] })),
    );
  });

  test('parity A10: an unknown method is -32601, wrong params are -32602, and what breaks inside is -32603', async () => {
    const error = (code: number): unknown => expect.objectContaining({ error: expect.objectContaining({ code }) });
    expect(await everywhere('tools/none')).toEqual(each(error(-32601)));
    expect(await everywhere('tools/call', { name: 'none' })).toEqual(each(error(-32602)));
    expect(await everywhere('resources/read', { uri: 'x://bug' })).toEqual(each(error(-32603)));
  });

  test('parity A11: an unexpected error is a reference and nothing else, a deliberate one is its own code, message and data', async () => {
    const REFERENCE = /^Internal error \(ref [0-9a-f]{8}\)$/;
    const failed = (text: unknown): unknown =>
      expect.objectContaining({ result: expect.objectContaining({ isError: true, content: [{ type: 'text', text }] }) });
    const answers = [
      await everywhere('tools/call', { name: 'bug' }),
      await everywhere('resources/read', { uri: 'x://bug' }),
      await everywhere('prompts/get', { name: 'bug' }),
    ];
    const hidden = { error: { code: -32603, message: expect.stringMatching(REFERENCE) } };
    expect(answers[0]).toEqual(each(failed(expect.stringMatching(REFERENCE))));
    expect(answers[1]).toEqual(each(expect.objectContaining(hidden)));
    expect(answers[2]).toEqual(each(expect.objectContaining(hidden)));
    expect(JSON.stringify(answers)).not.toMatch(/hunter2|\.ts:|at \w+ \(/);
    expect(logger.lines.filter(({ level, details }) => level === 'error' && String(details[0]).includes(SECRET))).toHaveLength(
      3 * doors.length,
    );
    expect(await everywhere('tools/call', { name: 'deliberate' })).toEqual(
      each(expect.objectContaining({ error: { code: -32050, message: 'Over quota', data: { left: 0 } } })),
    );
    expect(await everywhere('tools/call', { name: 'told' })).toEqual(each(failed('No bread')));
  });
});

test('parity A10: over HTTP, what is not JSON is -32700 and what is no message is -32600', async () => {
  const url = await overHttp(await create());
  for (const [body, code] of [
    ['{"jsonrpc"', -32700],
    ['{"id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
  ] as const) {
    const answer = await ask(url, { headers: JSON_HEADERS, body });
    expect([answer.status, messageOf(answer)]).toEqual([400, expect.objectContaining({ error: expect.objectContaining({ code }) })]);
  }
});

test.each(['text', '', 7, 0, -3])('parity A7: the request %p is answered once, under exactly that id', async (id) => {
  const app = await create();
  const stream = await overStreams(app, ['http']);
  stream.send(INITIALIZE);
  await stream.next();
  stream.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo' } });
  stream.send({ jsonrpc: '2.0', id: 'after', method: 'ping' });
  const answers = [await stream.next(), await stream.next()];
  expect(new Set(answers.map((answer) => answer['id']))).toEqual(new Set([id, 'after']));
  expect(stream.unread).toEqual([]);
  const url = app.handles.find(({ mode }) => mode === 'http')?.url ?? '';
  expect(messageOf(await ask(url, modern('tools/call', { name: 'echo' }, id)))).toMatchObject({ id, result: expect.anything() });
});

test('parity A7: a notification is never answered, even one that fails', async () => {
  const app = await create();
  const stream = await overStreams(app, ['http']);
  stream.send(INITIALIZE);
  await stream.next();
  for (const method of ['notifications/none', 'tools/call', 'notifications/cancelled'])
    stream.send({ jsonrpc: '2.0', method, params: { name: 'bug' } });
  stream.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
  expect(await stream.next()).toMatchObject({ id: 1 });
  expect(stream.unread).toEqual([]);
  const url = app.handles.find(({ mode }) => mode === 'http')?.url ?? '';
  const headers = await openSession(url);
  const answer = await ask(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'bug' } }) });
  expect([answer.status, answer.text]).toEqual([202, '']);
});

test('parity C7: every method of HTTP and every path asks for the token, and takes it', async () => {
  const token = 'correct-horse-battery-staple';
  const app = await create();
  await app.listen({ transports: ['http'], port: 0, authToken: token, shutdownHooks: false });
  const url = app.handles[0]?.url ?? '';
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
    for (const path of ['/mcp', '/other'])
      for (const wrong of [undefined, token.slice(0, -1), `${token}x`, token.toUpperCase()]) {
        const headers = wrong === undefined ? {} : { authorization: `Bearer ${wrong}` };
        expect([method, path, (await ask(url, { method, path, headers })).status]).toEqual([method, path, 401]);
      }
  const question = modern('tools/call', { name: 'echo' });
  const known = { ...question, headers: { ...question.headers, authorization: `Bearer ${token}` } };
  expect(messageOf(await ask(url, known))).toMatchObject({ result: { content: [{ text: 'ok' }] } });
});

test('parity C16: an application that is closed answers what runs, takes nothing new, and is gone', async () => {
  const app = await create();
  const url = await overHttp(app);
  const isIn = new Promise<void>((resolve) => (entered = resolve));
  const answer = ask(url, modern('tools/call', { name: 'slow' }));
  await isIn;
  const closed = app.close();
  await expect(ask(url, modern('tools/list'))).rejects.toThrow('ECONNREFUSED');
  release('finished');
  expect(messageOf(await answer)).toMatchObject({ result: { content: [{ text: 'finished' }] } });
  await closed;
  expect(app.isStarted()).toBe(false);
});
