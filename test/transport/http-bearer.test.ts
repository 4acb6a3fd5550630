import { inspect } from 'node:util';
import {
  AuditSink,
  Injectable,
  McpContext,
  McpTool,
  Scope,
  TokenVerifier,
  type AuditRecord,
  type ListenOptions,
  type McpApplication,
  type Principal,
  type Provider,
} from 'perch-mcp';
import { SharedToken } from '../../src/policy/shared-token';
import { closeApps, createApp, RecordingLogger } from '../support/app';
import { ask, askRaw, INITIALIZE, JSON_HEADERS, messageOf, modern, type HttpAnswer, type HttpQuestion } from '../support/wire';

const TOKEN = 'correct-horse-battery-staple';

let scopes = 0;
const entered: (Principal | undefined)[] = [];
const records: AuditRecord[] = [];

@Injectable({ scope: Scope.REQUEST })
class Call {
  readonly number = (scopes += 1);
}

@Injectable()
class Tools {
  constructor(private readonly call: Call) {}

  @McpTool({ name: 'whoami', description: 'Says who asks' })
  whoami(_input: unknown, context: McpContext): string {
    entered.push(context.principal);
    return `${context.principal?.id ?? 'nobody'}${String(this.call.number).slice(0, 0)}`;
  }
}

@Injectable()
class Sink extends AuditSink {
  write(record: AuditRecord): void {
    records.push(record);
  }
}

beforeEach(() => {
  scopes = 0;
  entered.length = 0;
  records.length = 0;
});

afterEach(closeApps);

const logger = new RecordingLogger();

async function serve(options: ListenOptions, providers: readonly Provider[] = [], verifyMs = 10_000): Promise<[string, McpApplication]> {
  const app = await createApp([Tools, Call, { provide: AuditSink, useClass: Sink }, ...providers], { logger, limits: { verifyMs } });
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false, ...options });
  return [app.handles[0]?.url ?? '', app];
}

const WHOAMI = modern('tools/call', { name: 'whoami' });

function withHeaders(question: HttpQuestion, headers: Record<string, string>): HttpQuestion {
  return { ...question, headers: { ...question.headers, ...headers } };
}

function as(token: string, question: HttpQuestion = WHOAMI): HttpQuestion {
  return withHeaders(question, { authorization: `Bearer ${token}` });
}

/** The bytes of a good modern call, with these header lines instead of a token. */
function rawCall(...lines: string[]): string {
  const head = Object.entries({ host: 'localhost', connection: 'close', ...WHOAMI.headers }).map(([name, value]) => `${name}: ${value}`);
  const body = String(WHOAMI.body);
  return `POST /mcp HTTP/1.1\r\n${[...head, `content-length: ${String(body.length)}`, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

function mustBeRefused({ status, headers, text }: HttpAnswer): void {
  expect([status, headers['content-type']]).toEqual([401, 'application/json']);
  expect(headers['www-authenticate']).toMatch(/^Bearer(?: error="invalid_token")?$/);
  expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Unauthorized' } });
}

describe('D7: what stands in Authorization', () => {
  let url: string;
  beforeEach(async () => ([url] = await serve({ authToken: TOKEN })));

  test.each([
    ['the token', `Authorization: Bearer ${TOKEN}`],
    ['the scheme in lower case', `Authorization: bearer ${TOKEN}`],
    ['the scheme in upper case', `AUTHORIZATION: BEARER ${TOKEN}`],
    // RFC 9110, 5.5: white space around a value is no part of it.
    ['white space around the value', `Authorization: \t Bearer ${TOKEN} \t`],
  ])('%s lets in', async (_name, line) => {
    expect(await askRaw(url, rawCall(line))).toMatch(/^HTTP\/1\.1 200 [^]*"text":"token"/);
    expect(entered).toEqual([{ id: 'token', scopes: [] }]);
  });

  test.each([
    ['nothing', []],
    ['an empty value', ['Authorization:']],
    ['the scheme alone', ['Authorization: Bearer']],
    ['the token alone', [`Authorization: ${TOKEN}`]],
    ['another scheme', [`Authorization: Basic ${TOKEN}`]],
    ['two spaces', [`Authorization: Bearer  ${TOKEN}`]],
    ['a tab', [`Authorization: Bearer\t${TOKEN}`]],
    ['two headers', [`Authorization: Bearer ${TOKEN}`, `Authorization: Bearer ${TOKEN}`]],
    ['two headers of which one is right', ['Authorization: Bearer x', `Authorization: Bearer ${TOKEN}`]],
    ['a list', [`Authorization: Bearer ${TOKEN}, Bearer ${TOKEN}`]],
    ['a token in a cookie', [`Cookie: token=${TOKEN}; access_token=${TOKEN}`]],
    ['other headers', [`Proxy-Authorization: Bearer ${TOKEN}`, `X-Authorization: Bearer ${TOKEN}`, `X-Api-Key: ${TOKEN}`]],
    ['letters that are not ASCII', [`Authorization: Bearer ${TOKEN}\u00e9`]],
    ['8 kB', [`Authorization: Bearer ${'a'.repeat(8_000)}`]],
    ['a prefix', [`Authorization: Bearer ${TOKEN.slice(0, -1)}`]],
    ['one letter more', [`Authorization: Bearer ${TOKEN}e`]],
    ['another case', [`Authorization: Bearer ${TOKEN.toUpperCase()}`]],
  ])('%s is answered 401 with a challenge [http.token]', async (_name, lines) => {
    const text = await askRaw(url, rawCall(...lines));
    expect(text).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(text).toMatch(/\r\nWWW-Authenticate: Bearer(?: error="invalid_token")?\r\n/);
    expect(text).toContain('"message":"Unauthorized"');
    expect([entered, scopes]).toEqual([[], 0]);
  });

  test.each([
    ['NUL', `Authorization: Bearer ${TOKEN}\0`, 400],
    ['100 kB', `Authorization: Bearer ${'a'.repeat(100_000)}`, 431],
    ['a folded line', `Authorization: Bearer\r\n ${TOKEN}`, 400],
  ])('%s is no HTTP that this server takes', async (_name, line, status) => {
    expect(await askRaw(url, rawCall(line))).toMatch(new RegExp(`^HTTP/1\\.1 (?:${String(status)}|401) `));
    expect([entered, scopes]).toEqual([[], 0]);
  });

  test('a token in the query or the body is none', async () => {
    for (const name of ['token', 'access_token', 'authorization'])
      mustBeRefused(await ask(url, { ...WHOAMI, path: `/mcp?${name}=${TOKEN}` }));
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `access_token=${TOKEN}` };
    mustBeRefused(await ask(url, form));
    const body = JSON.stringify({ ...(JSON.parse(String(WHOAMI.body)) as object), access_token: TOKEN });
    mustBeRefused(await ask(url, { ...WHOAMI, body }));
    expect(entered).toEqual([]);
  });

  test('who sends no token is told of the scheme only, who sends a wrong one that it is wrong', async () => {
    expect((await ask(url, WHOAMI)).headers['www-authenticate']).toBe('Bearer');
    expect((await ask(url, as('wrong'))).headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });
});

describe('where the token is asked for', () => {
  let url: string;
  beforeEach(async () => ([url] = await serve({ authToken: TOKEN })));

  const PATHS = ['/', '/mcp', '/mcp%2f', '/%6dcp', '/mcp;x', '//mcp', '/mcp/', '/MCP', '/./mcp', '/x/../mcp', '/health', '/.well-known/x'];

  test.each(PATHS)('D10: "%s" answers nothing without a token, whatever the method', async (path) => {
    for (const method of ['POST', 'GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'FOO'])
      for (const headers of [{}, { 'x-http-method-override': 'POST' }, { 'x-original-url': '/mcp', 'x-rewrite-url': '/mcp' }]) {
        const text = await askRaw(
          url,
          `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}\r\n`)
            .join('')}\r\n`,
        );
        // Node's parser does not know the method FOO.
        expect([method, text.slice(0, 12)]).toEqual([method, method === 'FOO' ? 'HTTP/1.1 400' : 'HTTP/1.1 401']);
      }
    expect([entered, scopes]).toEqual([[], 0]);
  });

  test('D10: a request in absolute form, an upgrade, CONNECT and HEAD get nowhere without a token', async () => {
    const hosted = 'Host: localhost\r\n';
    const absolute = await askRaw(url, rawCall().replace('POST /mcp', 'POST http://localhost/mcp'));
    const upgrade = await askRaw(url, `GET /mcp HTTP/1.1\r\n${hosted}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`);
    const h2c = await askRaw(url, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const head = await askRaw(url, `HEAD /mcp HTTP/1.1\r\n${hosted}Connection: close\r\n\r\n`);
    const tunnel = await askRaw(url, `CONNECT localhost:1 HTTP/1.1\r\n${hosted}\r\n`);
    expect([absolute, upgrade, head].map((text) => text.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 401'));
    expect([h2c, tunnel].map((text) => /^(?:HTTP\/1\.1 4|$)/.test(text))).toEqual([true, true]);
    expect([entered, scopes]).toEqual([[], 0]);
  });

  test('D11: Host and Origin are looked at before the token', async () => {
    expect((await ask(url, withHeaders(WHOAMI, { host: 'evil.example' }))).status).toBe(403);
    expect((await ask(url, withHeaders(WHOAMI, { origin: 'http://evil.example' }))).status).toBe(403);
    expect((await ask(url, withHeaders(as(TOKEN), { origin: 'http://evil.example' }))).status).toBe(403);
  });

  test.each<[string, HttpQuestion]>([
    ['a body that is too long', { headers: { ...JSON_HEADERS, 'content-length': '99999999', expect: '100-continue' } }],
    ['a body that is sent and too long', { headers: JSON_HEADERS, body: Buffer.alloc(5 * 1024 * 1024, 32) }],
    ['JSON that is none', { headers: JSON_HEADERS, body: '{oops' }],
    ['another content type', { headers: { 'content-type': 'text/plain' }, body: 'x' }],
    ['another method', { method: 'PUT' }],
    ['another path', { path: '/nowhere' }],
    ['an unknown session', { headers: { ...JSON_HEADERS, 'mcp-session-id': 'x' }, body: JSON.stringify(INITIALIZE) }],
    ['initialize', { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) }],
    ['a session stream', { method: 'GET', headers: { accept: 'text/event-stream', 'mcp-session-id': 'x' } }],
  ])('D11: %s without a token is answered 401 first', async (_name, question) => {
    if ('expect' in (question.headers ?? {})) {
      const lines = Object.entries({ host: 'localhost', ...question.headers }).map(([name, value]) => `${name}: ${value}`);
      const text = await askRaw(url, `POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1\.1 401 /);
      return;
    }
    mustBeRefused(await ask(url, question));
    mustBeRefused(await ask(url, as('wrong', question)));
  });

  test('a preflight request, which browsers send without a token, is told nothing', async () => {
    const answer = await ask(url, { method: 'OPTIONS', headers: { origin: 'http://localhost', 'access-control-request-method': 'POST' } });
    mustBeRefused(answer);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('a verifier', () => {
  const NEVER = new Promise<never>(() => undefined);
  const ANSWERS: readonly (readonly [string, () => unknown])[] = [
    ['{ authenticated: false }', () => ({ authenticated: false })],
    ["{ authenticated: false, error: 'x' }", () => ({ authenticated: false, error: 'x' })],
    ['null', () => null],
    ['undefined', () => undefined],
    ['false', () => false],
    ["''", () => ''],
    ['a rejected promise', () => Promise.reject(new Error(`no such token: ${TOKEN}`))],
    ['a promise that never settles', () => NEVER],
  ];

  test('B12: what is no principal is answered 401, and makes no session, no request scope and calls no handler', async () => {
    let answer: () => unknown = () => undefined;
    class Verifier extends TokenVerifier {
      verify(): never {
        return answer() as never;
      }
    }
    const [url, app] = await serve({}, [{ provide: TokenVerifier, useClass: Verifier }], 50);
    for (const [name, each] of ANSWERS) {
      for (const given of [each, () => Promise.resolve(each())]) {
        answer = given;
        mustBeRefused(await ask(url, as(TOKEN)));
        const begun = await ask(url, as(TOKEN, { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) }));
        mustBeRefused(begun);
        expect([name, begun.headers['mcp-session-id'], scopes, entered]).toEqual([name, undefined, 0, []]);
      }
    }
    answer = () => ({ id: 'alice', scopes: [] });
    expect(messageOf(await ask(url, as(TOKEN)))).toMatchObject({ result: { content: [{ text: 'alice' }] } });
    expect(inspect([logger.lines, records, app], { depth: 50, showHidden: true })).not.toContain(TOKEN);
  });

  test('is found under TokenVerifier, under a class of its own that extends it, and in the options', async () => {
    @Injectable()
    class Verifier extends TokenVerifier {
      verify(token: string): Promise<Principal | undefined> {
        return Promise.resolve(token === TOKEN ? { id: 'alice', scopes: ['read'], roles: ['admin'] } : undefined);
      }
    }
    for (const [options, providers] of [
      [{}, [{ provide: TokenVerifier, useClass: Verifier }]],
      [{}, [Verifier]],
      [{}, [Verifier, { provide: TokenVerifier, useExisting: Verifier }]],
      [{ verifier: new Verifier() }, []],
    ] as const) {
      const [url] = await serve(options, providers);
      mustBeRefused(await ask(url, WHOAMI));
      mustBeRefused(await ask(url, as(`${TOKEN}x`)));
      expect(messageOf(await ask(url, as(TOKEN)))).toMatchObject({ result: { content: [{ text: 'alice' }] } });
      expect(entered.at(-1)).toEqual({ id: 'alice', scopes: ['read'], roles: ['admin'] });
    }
  });

  test.each<[string, readonly Provider[]]>([
    ['no verifier', [{ provide: TokenVerifier, useValue: {} }]],
    ['nothing', [{ provide: TokenVerifier, useFactory: () => undefined }]],
    ['one for each operation', [{ provide: TokenVerifier, useFactory: () => ({ verify: () => undefined }), scope: Scope.REQUEST }]],
    ['one for each who asks', [{ provide: TokenVerifier, useFactory: () => ({ verify: () => undefined }), scope: Scope.TRANSIENT }]],
  ])('a provider of %s under its token keeps the application from starting', async (_name, providers) => {
    await expect(createApp(providers)).rejects.toMatchObject({ code: 'MCP_VERIFIER_INVALID' });
  });

  test('two of them keep the application from starting, since either could be the one that is not asked', async () => {
    class First extends TokenVerifier {
      verify(): undefined {}
    }
    class Second extends First {}
    await expect(createApp([First, Second])).rejects.toMatchObject({
      code: 'MCP_VERIFIER_INVALID',
      message: expect.stringMatching(/First, Second/) as string,
    });
  });

  test('a request whose token took until the server was closing is answered', async () => {
    let decide: (principal: Principal) => void = () => undefined;
    let asked: () => void = () => undefined;
    const wasAsked = new Promise<void>((resolve) => (asked = resolve));
    const verify = (): Promise<Principal> => {
      asked();
      return new Promise((resolve) => (decide = resolve));
    };
    const [url, app] = await serve({ verifier: { verify } });
    const answer = ask(url, as(TOKEN));
    await wasAsked;
    const closed = app.close();
    decide({ id: 'alice', scopes: [] });
    expect(messageOf(await answer)).toMatchObject({ result: { content: [{ text: 'alice' }] } });
    await closed;
  });
});

describe('the audit of the door', () => {
  test('D13: each refusal is one record with its reason, and without the token', async () => {
    const [url] = await serve({ authToken: TOKEN });
    await ask(url, WHOAMI);
    await ask(url, as('wrong-wrong-wrong'));
    await ask(url, withHeaders(WHOAMI, { authorization: 'Basic wrong-wrong-wrong' }));
    await ask(url, withHeaders(as(TOKEN), { host: 'evil.example' }));
    await ask(url, withHeaders(as(TOKEN), { origin: 'http://evil.example' }));
    const reasons = ['no token', 'token not accepted', 'not one bearer token', 'foreign Host', 'foreign Origin'];
    expect(records).toEqual(
      reasons.map((reason) => ({
        time: expect.any(String) as string,
        transport: 'http',
        outcome: 'refused',
        durationMs: expect.any(Number) as number,
        ref: expect.any(String) as string,
        reason,
      })),
    );
    expect(JSON.stringify(records)).not.toMatch(/wrong|evil|correct/);
  });

  test('D13: however many tokens are wrong, each is verified once and recorded once, and whoever has the right one is let in', async () => {
    let asked = 0;
    const shared = new SharedToken(TOKEN);
    const [url, app] = await serve({ verifier: { verify: (token) => ((asked += 1), shared.verify(token)) } });
    const guesses = Array.from({ length: 500 }, (_, index) => TOKEN.slice(0, index % TOKEN.length) + 'x'.repeat(1 + (index % 50)));
    for (let from = 0; from < guesses.length; from += 50)
      (await Promise.all(guesses.slice(from, from + 50).map((guess) => ask(url, as(guess))))).forEach(mustBeRefused);
    expect([asked, records.length, scopes]).toEqual([500, 500, 0]);
    expect(messageOf(await ask(url, as(TOKEN)))).toMatchObject({ result: {} });
    const kept = inspect([logger.lines, records, app], { depth: 50, showHidden: true, maxArrayLength: null, maxStringLength: null });
    expect(guesses.filter((guess) => guess.length > 12 && kept.includes(guess))).toEqual([]);
  });
});

describe('D16: a session belongs to whom began it', () => {
  const verifier: TokenVerifier = { verify: (token) => ({ id: token.replace(/-.*/, ''), scopes: [] }) };
  const call = (headers: Record<string, string>, id = 1): HttpQuestion => ({
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'whoami' } }),
  });

  test('with the token of another it does not exist, without one it is not looked for, and neither ends it [session.owner]', async () => {
    const [url] = await serve({ verifier, sessions: { replay: true } });
    const begun = await ask(url, as('alice', { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) }));
    const session = { ...JSON_HEADERS, 'mcp-session-id': String(begun.headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' };
    const stream = { ...session, accept: 'text/event-stream' };
    const unknown = await ask(url, as('bob', call({ ...session, 'mcp-session-id': 'unknown' })));
    for (const question of [
      call(session),
      { method: 'GET', headers: stream },
      { method: 'GET', headers: { ...stream, 'last-event-id': '1' } },
      { method: 'DELETE', headers: session },
    ]) {
      mustBeRefused(await ask(url, question));
      mustBeRefused(await ask(url, withHeaders(question, { authorization: 'Basic alice' })));
      const answer = await ask(url, as('bob', question));
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
      expect(Object.keys(answer.headers).sort()).toEqual(Object.keys(unknown.headers).sort());
    }
    expect(entered).toEqual([]);
    expect(records.filter(({ principal }) => principal === 'bob').map(({ outcome, reason }) => [outcome, reason])).toEqual(
      Array(4).fill(['refused', "another principal's session"]),
    );
    expect(messageOf(await ask(url, as('alice', call(session))))).toMatchObject({ result: { content: [{ text: 'alice' }] } });
    expect(messageOf(await ask(url, as('alice-renewed', call(session, 2))))).toMatchObject({ result: { content: [{ text: 'alice' }] } });
    expect((await ask(url, as('alice', { method: 'DELETE', headers: session }))).status).toBe(200);
    expect((await ask(url, as('alice', call(session, 3)))).status).toBe(404);
  });
});
