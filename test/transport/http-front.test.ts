import { Injectable, McpTool, type ListenOptions } from 'perch-mcp';
import { isHealthPath } from '../../src/transport/http/health-route';
import { closeApps, createApp } from '../support/app';
import { ask, askRaw, messageOf, modern, openSession, type HttpAnswer, type HttpQuestion } from '../support/wire';

const TOKEN = 'correct-horse-battery-staple';
const APP = 'https://app.example';

let entered = 0;

@Injectable()
class Tools {
  @McpTool({ name: 'count', description: 'Counts its calls' })
  count(): string {
    return String((entered += 1));
  }
}

beforeEach(() => (entered = 0));
afterEach(closeApps);

async function serve(options: ListenOptions = {}): Promise<string> {
  const app = await createApp([Tools]);
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false, ...options });
  return app.handles[0]?.url ?? '';
}

const COUNT = modern('tools/call', { name: 'count' });
const HEALTH = ['/health/live', '/health/ready'];

function withHeaders(headers: Record<string, string>, question: HttpQuestion = COUNT): HttpQuestion {
  return { ...question, headers: { ...question.headers, ...headers } };
}

const corsOf = ({ headers }: HttpAnswer): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control') || name === 'vary'));

const preflight = (origin: string, headers?: string): HttpQuestion => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    ...(headers === undefined ? {} : { 'access-control-request-headers': headers }),
  },
});

describe('allowedHosts', () => {
  test('D1, D2: on a loopback address the listed names are served besides its own', async () => {
    const url = await serve({ allowedHosts: ['mcp.example', 'other.example:8443'] });
    for (const host of ['mcp.example', 'MCP.EXAMPLE:99', 'other.example:8443', 'localhost', '127.0.0.1:1', '[::1]'])
      expect([host, (await ask(url, withHeaders({ host }))).status]).toEqual([host, 200]);
    for (const host of ['mcp.example.', 'x.mcp.example', 'other.example', 'other.example:80', 'evil.example'])
      expect([host, (await ask(url, withHeaders({ host }))).status]).toEqual([host, 403]);
  });

  test("D1: '*' serves every name to whoever has the token, and still nothing that is no name", async () => {
    const url = await serve({ allowedHosts: '*', authToken: TOKEN });
    const authorization = `Bearer ${TOKEN}`;
    expect((await ask(url, withHeaders({ host: 'any.example', authorization }))).status).toBe(200);
    expect((await ask(url, withHeaders({ host: 'any.example' }))).status).toBe(401);
    for (const host of ['user@any.example', '999.999.999.999', '1.2.3.4.5', '[1:2]', '[::::]', 'xn--'])
      expect([host, (await ask(url, withHeaders({ host, authorization }))).status]).toEqual([host, 403]);
    expect(await askRaw(url, 'GET /mcp HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("D5: '*' without a token or a verifier refuses to start, on every address", async () => {
    for (const host of ['127.0.0.1', '0.0.0.0'])
      await expect(serve({ host, allowedHosts: '*' })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
  });

  test.each<[string, unknown]>([
    ['a text', 'mcp.example'],
    ['an entry with a scheme', ['https://mcp.example']],
    ['a dot at the end', ['mcp.example.']],
    ['a star among names', ['mcp.example', '*']],
    ['a number', [1]],
  ])('%s as allowedHosts refuses to start and says how to write it', async (_what, allowedHosts) => {
    await expect(serve({ allowedHosts: allowedHosts as never })).rejects.toMatchObject({
      code: 'MCP_OPTION_INVALID',
      message: expect.stringContaining('allowedHosts') as string,
    });
  });

  test('health paths skip the Host check and no other, and their Origin is checked', async () => {
    expect(['/mcp', '/health', '/health/live/', '/health/Live', '/health/live/../mcp', '//health/live'].some(isHealthPath)).toBe(false);
    const url = await serve();
    for (const path of HEALTH) {
      expect((await ask(url, { method: 'GET', path, headers: { host: 'pod-7.cluster:8080' } })).status).toBe(200);
      const foreign = await ask(url, { method: 'GET', path, headers: { host: 'localhost', origin: 'http://evil.example' } });
      expect([foreign.status, corsOf(foreign)]).toEqual([403, {}]);
    }
  });
});

describe('allowedOrigins', () => {
  test('D3: a page of a listed origin calls, and may read the answer with its session and its challenge', async () => {
    const url = await serve({ allowedOrigins: [APP], authToken: TOKEN });
    const allowed = {
      'access-control-allow-origin': APP,
      'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate',
      vary: 'Origin',
    };
    const answer = await ask(url, withHeaders({ origin: APP, authorization: `Bearer ${TOKEN}` }));
    expect([answer.status, corsOf(answer)]).toEqual([200, allowed]);
    const refused = await ask(url, withHeaders({ origin: APP }));
    expect([refused.status, corsOf(refused), refused.headers['www-authenticate']]).toEqual([401, allowed, 'Bearer']);
  });

  test('D3: event streams carry the same headers', async () => {
    const url = await serve({ allowedOrigins: [APP] });
    const session = await openSession(url);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const answer = await ask(url, { headers: { ...session, origin: APP }, body });
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(corsOf(answer)).toMatchObject({ 'access-control-allow-origin': APP, vary: 'Origin' });
  });

  test('D4: a preflight of a listed origin needs no token, and nothing else of it passes without one', async () => {
    const url = await serve({ allowedOrigins: [APP], authToken: TOKEN });
    const names = 'authorization, content-type,mcp-protocol-version, mcp-method, mcp-name, mcp-param-Region, last-event-id, mcp-session-id';
    const answer = await ask(url, preflight(APP, names));
    expect([answer.status, answer.text, corsOf(answer)]).toEqual([
      204,
      '',
      {
        'access-control-allow-origin': APP,
        'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
        'access-control-allow-headers': names,
        'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate',
        vary: 'Origin, Access-Control-Request-Headers',
      },
    ]);
    expect((await ask(url, { method: 'OPTIONS', headers: { origin: APP } })).status).toBe(401);
    for (const method of ['POST', 'GET', 'DELETE', 'PUT'])
      expect((await ask(url, { method, headers: { origin: APP, 'access-control-request-method': 'POST' } })).status).toBe(401);
    expect(entered).toBe(0);
  });

  test('D4: a preflight that asks for another header is given the list of those that may be sent', async () => {
    const url = await serve({ allowedOrigins: [APP] });
    for (const names of ['x-other', 'authorization, cookie', 'mcp-param-', 'mcp-param-a b', '', undefined]) {
      const answer = await ask(url, preflight(APP, names));
      expect([answer.status, answer.headers['access-control-allow-headers']]).toEqual([
        204,
        'Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Last-Event-ID, Mcp-Method, Mcp-Name',
      ]);
    }
  });

  test('D3, D4: another origin is refused without a CORS header, preflight or not, and one of this machine gets none', async () => {
    const url = await serve({ allowedOrigins: [APP] });
    for (const origin of [
      'https://evil.example',
      'https://app.example:8443',
      'http://app.example',
      'null',
      'https://app.example.evil.example',
    ]) {
      for (const question of [withHeaders({ origin }), preflight(origin)]) {
        const answer = await ask(url, question);
        expect([origin, answer.status, corsOf(answer)]).toEqual([origin, 403, {}]);
      }
    }
    const local = await ask(url, withHeaders({ origin: 'http://localhost:5173' }));
    expect([local.status, corsOf(local)]).toEqual([200, { vary: 'Origin' }]);
    expect((await ask(url, preflight('http://localhost:5173'))).status).toBe(405);
    expect((await ask(url, withHeaders({ origin: APP, host: 'evil.example' }))).status).toBe(403);
  });

  test('D3, D4: without a list no answer carries a CORS header', async () => {
    const url = await serve();
    for (const question of [
      COUNT,
      withHeaders({ origin: 'http://localhost' }),
      withHeaders({ origin: APP }),
      preflight(APP),
      preflight('http://localhost'),
    ])
      expect(corsOf(await ask(url, question))).toEqual({});
  });

  test.each<[string, unknown]>([
    ['a text', APP],
    ['a path', [`${APP}/`]],
    ['the port of the scheme', ['https://app.example:443']],
    ['a star', ['*']],
    ['null', ['null']],
  ])('%s as allowedOrigins refuses to start', async (_what, allowedOrigins) => {
    await expect(serve({ allowedOrigins: allowedOrigins as never })).rejects.toMatchObject({
      code: 'MCP_OPTION_INVALID',
      message: expect.stringContaining('allowedOrigins') as string,
    });
  });
});

describe('trustProxy', () => {
  test('D4: without it no forwarded header changes anything', async () => {
    const url = await serve();
    const forwarded = [
      { 'x-forwarded-host': 'localhost' },
      { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' },
      { forwarded: 'for=127.0.0.1;host=localhost;proto=https' },
    ];
    for (const headers of forwarded) expect((await ask(url, withHeaders({ host: 'evil.example', ...headers }))).status).toBe(403);
    expect((await ask(url, withHeaders({ 'x-forwarded-host': 'evil.example' }))).status).toBe(200);
    expect(entered).toBe(1);
  });

  test('D4: with it the name is the one that the last proxy says, and only that', async () => {
    const url = await serve({ trustProxy: true, allowedHosts: ['mcp.example'] });
    const statusOf = async (headers: Record<string, string>): Promise<number> => (await ask(url, withHeaders(headers))).status;
    expect(await statusOf({ 'x-forwarded-host': 'mcp.example' })).toBe(200);
    expect(await statusOf({ host: 'inner:8080', 'x-forwarded-host': 'mcp.example' })).toBe(200);
    expect(await statusOf({ host: 'inner:8080', 'x-forwarded-host': 'evil.example, mcp.example' })).toBe(200);
    expect(await statusOf({ host: 'localhost' })).toBe(200);
    expect(await statusOf({ host: 'localhost', 'x-forwarded-host': 'evil.example' })).toBe(403);
    expect(await statusOf({ host: 'localhost', 'x-forwarded-host': 'mcp.example, evil.example' })).toBe(403);
    expect(await statusOf({ host: 'inner:8080', forwarded: 'host=mcp.example' })).toBe(403);
    expect(await statusOf({ host: 'localhost', 'x-forwarded-host': '' })).toBe(403);
    for (const host of ['999.999.999.999', '[::::]', 'inner:99999', 'user@inner'])
      expect([host, await statusOf({ host, 'x-forwarded-host': 'mcp.example' })]).toEqual([host, 400]);
  });

  test('a value that is neither true nor false refuses to start', async () => {
    await expect(serve({ trustProxy: 'yes' as never })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
  });
});

test('D10: an upgrade request is answered like any other and upgrades nothing', async () => {
  const url = await serve({ authToken: TOKEN, allowedOrigins: [APP] });
  const upgrade = (...lines: string[]): Promise<string> =>
    askRaw(
      url,
      [
        'GET /mcp HTTP/1.1',
        'Host: localhost',
        'Connection: Upgrade, close',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        ...lines,
        '',
        '',
      ].join('\r\n'),
    );
  expect(await upgrade()).toMatch(/^HTTP\/1\.1 401 /);
  expect(await upgrade(`Origin: ${APP}`)).toMatch(/^HTTP\/1\.1 401 /);
  expect(await upgrade('Origin: http://evil.example')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await upgrade(`Authorization: Bearer ${TOKEN}`)).toMatch(/^HTTP\/1\.1 400 [^]*Mcp-Session-Id/);
  expect(messageOf(await ask(url, withHeaders({ authorization: `Bearer ${TOKEN}` })))).toMatchObject({ result: {} });
});
