import { connect } from 'node:net';
import { once } from 'node:events';
import { IsString } from 'class-validator';
import { Injectable, McpTool } from 'perch-mcp';
import { closeApps, createApp, overHttp } from '../support/app';
import { ask, INITIALIZE, JSON_HEADERS, messageOf, modern, openSession, type HttpQuestion } from '../support/wire';

class EchoInput {
  @IsString() text!: string;
}

let entered = 0;

@Injectable()
class Tools {
  @McpTool({ name: 'echo', description: 'Echoes', input: EchoInput })
  echo({ text }: EchoInput): string {
    entered += 1;
    return text;
  }
}

let url: string;

beforeEach(async () => {
  entered = 0;
  url = await overHttp(await createApp([Tools]));
});

afterEach(closeApps);

/** After every refusal the next good request must work. */
async function stillServes(): Promise<void> {
  const before = entered;
  const answer = await ask(url, modern('tools/call', { name: 'echo', arguments: { text: 'ok' } }));
  expect(messageOf(answer)).toMatchObject({ id: 1, result: { content: [{ type: 'text', text: 'ok' }] } });
  expect(entered).toBe(before + 1);
}

const GOOD = modern('tools/call', { name: 'echo', arguments: { text: 'x' } });

function withHeaders(headers: Record<string, string>): HttpQuestion {
  return { ...GOOD, headers: { ...GOOD.headers, ...headers } };
}

describe('Host and Origin', () => {
  const FOREIGN_HOSTS = [
    'evil.example',
    'evil.example:80',
    'localhost.evil.com',
    'localhost.',
    'user@localhost',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '127.1',
    '2130706433',
    'localhost:80:80',
  ];

  test.each(FOREIGN_HOSTS)('D1: the Host "%s" is refused before the body is read', async (host) => {
    const answer = await ask(url, withHeaders({ host }));
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { message: expect.stringContaining('Host') as string },
    });
    expect(entered).toBe(0);
    await stillServes();
  });

  test.each(['LOCALHOST:1', '[::1]:3000', '127.0.0.1', '127.0.0.1:9', 'localhost'])('D2: the Host "%s" is ours', async (host) => {
    expect((await ask(url, withHeaders({ host }))).status).toBe(200);
  });

  const FOREIGN_ORIGINS = [
    'http://evil.example',
    'null',
    'http://localhost.evil.com',
    'file://',
    '',
    'http://localhost, http://evil.example',
    'not an origin',
    'http://user@localhost',
  ];

  test.each(FOREIGN_ORIGINS)('D3: the Origin "%s" is refused on every method, without a CORS header [http.origin]', async (origin) => {
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const answer = await ask(url, { ...withHeaders({ origin }), method });
      expect([method, answer.status]).toEqual([method, 403]);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect(entered).toBe(0);
    await stillServes();
  });

  test.each(['http://localhost:5173', 'http://127.0.0.1', 'https://[::1]:1'])('the Origin "%s" is ours', async (origin) => {
    expect((await ask(url, withHeaders({ origin }))).status).toBe(200);
  });

  test.each(['', ' ', 'localhost, evil.example', '127.1', '0x7f.1', '[::]', 'localhost:', ':80'])(
    'D1: nor is the Host "%s" ours',
    async (host) => {
      const text = await new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        socket.once('data', (chunk: Buffer) => (resolve(chunk.toString()), socket.destroy()));
        socket.write(`POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`);
      });
      expect(text).toMatch(/^HTTP\/1\.1 40[03] /);
    },
  );

  test('D1: a request without Host is refused', async () => {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('POST /mcp HTTP/1.0\r\nContent-Length: 0\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 40[03] /);
    socket.destroy();
  });
});

describe('the body', () => {
  test.each([['{oops'], ['{"a":'], ['}'], ['']])('A1: "%s" is answered 400 with -32700 [base.parse]', async (body) => {
    const answer = await ask(url, { headers: JSON_HEADERS, body });
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/json']);
    expect(JSON.parse(answer.text)).toMatchObject({ id: null, error: { code: -32700 } });
    await stillServes();
  });

  test('A9: bytes that are not UTF-8 are answered -32700 and never passed on', async () => {
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}}'),
    ]);
    expect(JSON.parse((await ask(url, { headers: JSON_HEADERS, body })).text)).toMatchObject({ error: { code: -32700 } });
  });

  test.each([['42'], ['null'], ['"x"'], ['[]'], ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]']])(
    'A3: %s is answered 400 with one -32600 without an id',
    async (body) => {
      const answer = await ask(url, { headers: JSON_HEADERS, body });
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ id: null, error: { code: -32600 } });
      await stillServes();
    },
  );

  const TYPES = [
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/json; charset=utf-16',
    'application/jsonx',
  ];

  test.each(TYPES)('A18: the Content-Type "%s" is answered 415', async (type) => {
    const answer = await ask(url, withHeaders({ 'content-type': type }));
    expect(answer.status).toBe(415);
    expect(entered).toBe(0);
    await stillServes();
  });

  test.each(TYPES)('A18: in a session the Content-Type "%s" is answered 415 too', async (type) => {
    const headers = { ...(await openSession(url)), 'content-type': type };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } });
    expect([(await ask(url, { headers, body })).status, entered]).toEqual([415, 0]);
  });

  test.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
    'A18: the Content-Type "%s" is read',
    async (type) => {
      expect((await ask(url, withHeaders({ 'content-type': type }))).status).toBe(200);
    },
  );

  test.each(['gzip', 'deflate', 'br'])('A22: a body compressed with %s is answered 415', async (encoding) => {
    expect((await ask(url, withHeaders({ 'content-encoding': encoding }))).status).toBe(415);
  });

  test('A22: a body of 5 MiB is answered 413 as JSON, declared or in chunks', async () => {
    const body = Buffer.alloc(5 * 1024 * 1024, 0x20);
    for (const length of [{ 'content-length': String(body.length) }, { 'transfer-encoding': 'chunked' }]) {
      const answer = await ask(url, { headers: { ...JSON_HEADERS, ...length }, body });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toMatchObject({ id: null, error: { code: -32000 } });
    }
    await stillServes();
  });

  test('A22: a body of exactly the limit is read', async () => {
    const limit = 4 * 1024 * 1024;
    const empty = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { pad: '' } });
    const exact = empty.replace('"pad":""', `"pad":"${'x'.repeat(limit - empty.length)}"`);
    const headers = await openSession(url);
    expect(exact).toHaveLength(limit);
    expect(messageOf(await ask(url, { headers, body: exact }))).toMatchObject({ id: 1, result: {} });
    expect((await ask(url, { headers, body: `${exact} ` })).status).toBe(413);
  });
});

describe('the address', () => {
  test.each(['/', '/MCP', '//mcp', '/mcp/', '/mcp/../mcp', '/mcp%2f', '/%6dcp', '/mcp;x'])(
    'A26: the path %s is answered 404 as JSON',
    async (path) => {
      const answer = await ask(url, { ...GOOD, path });
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json']);
      expect(entered).toBe(0);
    },
  );

  test.each(['PUT', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'])('A26: the method %s is answered 405', async (method) => {
    const answer = await ask(url, { method });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST, GET, DELETE']);
  });

  test('A26: every method to every path, in both eras and without one, is answered with JSON as its row says, and runs nothing', async () => {
    const eras = { none: {}, modern: { 'mcp-protocol-version': '2026-07-28' }, legacy: await openSession(url) };
    const paths = [
      '/mcp',
      '/mcp/../mcp',
      '//mcp',
      '/mcp/',
      '/MCP',
      '/mcp/x',
      '/mcp%20',
      '/mcp.json',
      '/',
      '/x?/mcp',
      '*',
      'http://localhost/mcp',
    ];
    const methods = ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'SEARCH', 'POST'];
    for (const [era, headers] of Object.entries(eras))
      for (const path of paths)
        for (const method of methods) {
          // What ends a session, or goes on without an end, stands in rows of its own.
          if (path === '/mcp' && era === 'legacy' && ['GET', 'DELETE'].includes(method)) continue;
          const answer = await ask(url, { method, path, headers: { ...headers, accept: 'text/html' } });
          const asked = `${method} ${path} ${era}`;
          const isRefused =
            path !== '/mcp'
              ? answer.status === 404
              : era === 'modern' && method !== 'POST'
                ? answer.status === 405
                : [400, 405, 406, 415].includes(answer.status);
          expect([asked, isRefused ? 'refused' : answer.status, answer.headers['content-type']]).toEqual([
            asked,
            'refused',
            'application/json',
          ]);
          if (method !== 'HEAD') expect(JSON.parse(answer.text)).toMatchObject({ error: { message: expect.any(String) as string } });
        }
    expect(entered).toBe(0);
    await stillServes();
  });

  test('A26: a modern GET or DELETE is answered 405 [http.get]', async () => {
    for (const method of ['GET', 'DELETE']) {
      expect((await ask(url, { method, headers: { 'mcp-protocol-version': '2026-07-28' } })).status).toBe(405);
    }
  });

  test('E3: errors are the same JSON whatever NODE_ENV says, without a stack or HTML', async () => {
    const { NODE_ENV } = process.env;
    const session = await openSession(url);
    const questions: HttpQuestion[] = [
      { headers: JSON_HEADERS, body: '{oops' },
      { headers: JSON_HEADERS, body: '[]' },
      { method: 'PUT' },
      { path: '/nowhere' },
      withHeaders({ host: 'evil.example' }),
      withHeaders({ origin: 'null' }),
      withHeaders({ 'content-type': 'text/plain' }),
      withHeaders({ 'mcp-name': 'other' }),
      withHeaders({ 'mcp-protocol-version': '1999-01-01' }),
      withHeaders({ 'content-encoding': 'gzip' }),
      { headers: { ...session, accept: 'text/html' }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
      { headers: { ...session, 'mcp-session-id': 'x' }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
      { headers: JSON_HEADERS, body: Buffer.alloc(5 * 1024 * 1024, 0x20) },
      modern('no/such'),
      modern('tools/call', { name: 'nothing' }),
      modern('tools/call', { name: 'throws' }),
      modern('resources/read', { uri: 'x://nothing' }),
    ];
    const seen: string[][] = [];
    for (const value of [undefined, 'development', 'production', 'test']) {
      if (value === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = value;
      const app = await createApp([Tools]);
      app.tools.register({ name: 'throws', execute: () => Promise.reject(new Error('secret')) });
      const served = await overHttp(app);
      const { 'mcp-session-id': id } = await openSession(served);
      const answers = await Promise.all(
        questions.map((question) =>
          ask(
            served,
            question.headers?.['mcp-session-id']?.length === 36
              ? { ...question, headers: { ...question.headers, 'mcp-session-id': id ?? '' } }
              : question,
          ),
        ),
      );
      for (const { headers, text } of answers) {
        expect([headers['content-type'], headers['x-powered-by'], headers['server']]).toEqual(['application/json', undefined, undefined]);
        expect(text).not.toMatch(/<|\bat .*:\d+|secret|node_modules/);
      }
      seen.push(answers.map(({ status, text }) => `${String(status)} ${text.replace(/ref [0-9a-f]+/, 'ref')}`));
    }
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(seen[0]?.map((each) => each.slice(0, 3))).toEqual(
      '400 400 405 404 403 403 415 400 400 415 406 404 413 404 200 200 200'.split(' '),
    );
  });

  test('E3: no answer names the software behind it', async () => {
    const answers = await Promise.all([ask(url, GOOD), ask(url, { method: 'PUT' }), ask(url, { headers: JSON_HEADERS, body: '{' })]);
    for (const { headers } of answers) expect([headers['x-powered-by'], headers['server']]).toEqual([undefined, undefined]);
  });
});

describe('the message', () => {
  test('A15: an unknown method is answered -32601, with 404 in the modern era [base.method]', async () => {
    const answer = await ask(url, modern('no/such'));
    expect(answer.status).toBe(404);
    expect(messageOf(answer)).toMatchObject({ id: 1, error: { code: -32601 } });
    const headers = await openSession(url);
    expect(messageOf(await ask(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'no/such' }) }))).toMatchObject({
      id: 2,
      error: { code: -32601 },
    });
    await stillServes();
  });

  test('A16: an unknown tool is answered -32602 in both eras [tools.unknown]', async () => {
    expect(messageOf(await ask(url, modern('tools/call', { name: 'nothing' })))).toMatchObject({ id: 1, error: { code: -32602 } });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'nothing' } });
    expect(messageOf(await ask(url, { headers: await openSession(url), body }))).toMatchObject({
      id: 3,
      error: { code: -32602, message: 'Unknown tool: "nothing"' },
    });
  });

  test('A20: a revision that is not served is answered 400 with -32022 and the list of those that are [version.unsupported]', async () => {
    const question = modern('tools/list');
    const body = question.body?.toString().replaceAll('2026-07-28', '2030-01-01') ?? '';
    const answer = await ask(url, { headers: { ...question.headers, 'mcp-protocol-version': '2030-01-01' }, body });
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toMatchObject({ error: { code: -32022, data: { supported: ['2026-07-28'] } } });
  });

  test.each([
    ['mcp-method', 'tools/list'],
    ['mcp-name', 'other'],
    ['mcp-protocol-version', '2025-11-25'],
  ])('A21: the header %s must repeat the body [http.headers]', async (name, value) => {
    const answer = await ask(url, withHeaders({ [name]: value }));
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toMatchObject({ error: { code: -32020 } });
    expect(entered).toBe(0);
  });
});

describe('sessions', () => {
  test('A25: a session id that is missing is answered 400, one that is unknown 404 [session.required]', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' });
    const without = await ask(url, { headers: JSON_HEADERS, body });
    expect(without.status).toBe(400);
    expect(JSON.parse(without.text)).toMatchObject({ id: 7, error: { code: -32600 } });
    for (const session of ['f3b0c442-98fc-1c14-9afb-000000000000', 'x', 'y'.repeat(10_000)]) {
      expect((await ask(url, { headers: { ...JSON_HEADERS, 'mcp-session-id': session }, body })).status).toBe(404);
    }
    expect((await ask(url, { method: 'GET', headers: { accept: 'text/event-stream' } })).status).toBe(400);
  });

  test('A25: a session that its client has ended is gone [session.delete]', async () => {
    const headers = await openSession(url);
    expect((await ask(url, { method: 'DELETE', headers })).status).toBe(200);
    expect((await ask(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) })).status).toBe(404);
  });

  test('a second initialize in a session is refused and the session goes on', async () => {
    const headers = await openSession(url);
    expect((await ask(url, { headers, body: JSON.stringify(INITIALIZE) })).status).toBe(400);
    expect(messageOf(await ask(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) }))).toMatchObject({
      result: {},
    });
  });

  test('C5: sessions whose clients vanish are evicted when they are idle, and one that is used is not', async () => {
    const count = 100;
    const small = await overHttp(await createApp([Tools], { limits: { sessions: count, sessionIdleMs: 1_500 } }));
    const used = await openSession(small);
    const pinged = async (): Promise<number> =>
      (await ask(small, { headers: used, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) })).status;
    const initialize = { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) };
    const begun = await Promise.all(Array.from({ length: count - 1 }, () => ask(small, initialize)));
    expect(new Set(begun.map(({ headers }) => headers['mcp-session-id'])).size).toBe(count - 1);
    expect([(await ask(small, initialize)).status, await pinged()]).toEqual([503, 200]);
    const isGone = async ({ headers }: (typeof begun)[number]): Promise<boolean> =>
      (await ask(small, { method: 'GET', headers: { accept: 'text/html', 'mcp-session-id': String(headers['mcp-session-id']) } }))
        .status === 404;
    // A request that is refused is use too, so each is asked about once, after there is room again.
    while ((await ask(small, initialize)).status === 503) expect(await pinged()).toBe(200);
    expect(await pinged()).toBe(200);
    const gone = await Promise.all(begun.map(isGone));
    expect(gone.filter((each) => each).length).toBeGreaterThan(0);
    for (let more = 0; more < 10; more += 1) expect((await ask(small, initialize)).status).toBe(200);
  });

  test('C5: however many begin at once, there are no more than the limit', async () => {
    const small = await overHttp(await createApp([Tools], { limits: { sessions: 3 } }));
    const begin = () => ask(small, { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) });
    const statuses = (await Promise.all(Array.from({ length: 12 }, begin))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 503)).toHaveLength(9);
  });

  test('C5: above the limit of sessions initialize is answered 503 and those that exist go on', async () => {
    const small = await overHttp(await createApp([Tools], { limits: { sessions: 1 } }));
    const headers = await openSession(small);
    const refused = await ask(small, { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
    expect((await ask(small, { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) })).status).toBe(200);
    await ask(small, { method: 'DELETE', headers });
    await openSession(small);
  });
});
