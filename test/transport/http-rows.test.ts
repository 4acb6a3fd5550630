import { once } from 'node:events';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { IsString } from 'class-validator';
import { Injectable, McpTool } from 'perch-mcp';
import { closeApps, createApp, overHttp } from '../support/app';
import { ask, askRaw, JSON_HEADERS, messageOf, modern, openSession, type HttpQuestion } from '../support/wire';

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
let server: http.Server;

/** The application is served once, and every test leaves it serving. */
beforeAll(async () => {
  const { createServer } = http;
  const spy = jest.spyOn(http, 'createServer').mockImplementation(((options: http.ServerOptions, listener: http.RequestListener) => {
    server = createServer({ ...options, connectionsCheckingInterval: 20 }, listener);
    return server;
  }) as typeof createServer);
  url = await overHttp(await createApp([Tools]));
  spy.mockRestore();
});
afterAll(closeApps);

beforeEach(() => (entered = 0));
afterEach(async () => {
  const before = entered;
  const answer = await ask(url, ECHO);
  expect(messageOf(answer)).toMatchObject({ id: 1, result: { content: [{ type: 'text', text: 'ok' }] } });
  expect(entered).toBe(before + 1);
});

const ECHO = modern('tools/call', { name: 'echo', arguments: { text: 'ok' } });
const BODY = String(ECHO.body);

const withHeaders = (headers: Record<string, string>): HttpQuestion => ({ ...ECHO, headers: { ...ECHO.headers, ...headers } });

/** The good call as it stands on the wire, with these lines in the place of the headers of the same name, or besides. */
function rawCall(...lines: readonly string[]): string {
  const named = (line: string): string => line.slice(0, line.indexOf(':')).trim().toLowerCase();
  const own = Object.entries({ host: 'localhost', ...ECHO.headers, 'content-length': String(BODY.length) });
  const kept = own.filter(([name]) => !lines.some((line) => named(line) === name)).map(([name, value]) => `${name}: ${value}`);
  return `POST /mcp HTTP/1.1\r\n${[...kept, ...lines, 'connection: close'].join('\r\n')}\r\n\r\n${BODY}`;
}

const statusOf = (text: string): string => text.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3);
const bodyOf = (text: string): { readonly error?: { readonly code: number; readonly data?: unknown } } =>
  JSON.parse(text.slice(text.indexOf('{"jsonrpc"')).replace(/\r\n0?[^]*$/, '')) as never;

describe('Accept', () => {
  test.each([
    undefined,
    'application/json',
    'text/event-stream',
    '*/*',
    'text/html',
    'application/json;q=0',
    '',
    ';;,,q=',
    'x'.repeat(5_000),
  ])('A19: a modern call is answered in JSON whatever it accepts: %s', async (accept) => {
    const { accept: _accept, ...rest } = ECHO.headers as Record<string, string>;
    const answer = await ask(url, { ...ECHO, headers: accept === undefined ? rest : { ...rest, accept } });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(messageOf(answer)).toMatchObject({ result: { content: [{ text: 'ok' }] } });
  });
});

describe('A18: a body that is not declared as JSON in UTF-8', () => {
  test('A18: is refused without a Content-Type too, and with two of them, and nothing runs', async () => {
    const { 'content-type': _type, ...rest } = ECHO.headers as Record<string, string>;
    expect((await ask(url, { ...ECHO, headers: rest })).status).toBe(415);
    const two = await askRaw(url, rawCall('Content-Type: text/plain', 'Content-Type: application/json'));
    expect(statusOf(two)).toBe('415');
    expect(entered).toBe(0);
  });

  test('A18: a web page cannot send a call as a simple request', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect((await ask(url, withHeaders({ 'content-type': type, origin: 'http://localhost' }))).status).toBe(415);
    expect(entered).toBe(0);
  });
});

describe('A20: the revision', () => {
  const legacyCall = (headers: Record<string, string>): HttpQuestion => ({
    headers: { ...JSON_HEADERS, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } }),
  });

  test.each(['1999-01-01', 'x', '2025-11-25, 2025-11-25'])('A20: "%s" in a legacy session is answered 400', async (version) => {
    const session = await openSession(url);
    const answer = await ask(url, legacyCall({ ...session, 'mcp-protocol-version': version }));
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/json']);
    expect(entered).toBe(0);
  });

  test('A20: a legacy session goes on in its own revision where no header names one', async () => {
    const { 'mcp-protocol-version': _version, ...session } = await openSession(url);
    expect(messageOf(await ask(url, legacyCall(session)))).toMatchObject({ id: 1, result: { content: [{ text: 'x' }] } });
  });

  test('A20: the modern revision above a legacy body is answered 400, in a session and without one', async () => {
    for (const headers of [{}, await openSession(url)]) {
      const answer = await ask(
        url,
        legacyCall({ ...headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' }),
      );
      expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/json']);
    }
    expect(entered).toBe(0);
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['another', '2025-11-25'],
    ['unknown', '1999-01-01'],
    ['doubled', '2026-07-28, 2026-07-28'],
  ])('A20: a modern body under a header that is %s is answered 400 with -32020', async (_what, version) => {
    const { 'mcp-protocol-version': _version, ...rest } = ECHO.headers as Record<string, string>;
    const answer = await ask(url, { ...ECHO, headers: version === undefined ? rest : { ...rest, 'mcp-protocol-version': version } });
    expect([answer.status, messageOf(answer)]).toMatchObject([400, { error: { code: -32020 } }]);
    expect(entered).toBe(0);
  });
});

describe('E4: what does not fit', () => {
  const LONG = 'y'.repeat(5_000);
  const ESCAPES = `=?base64?${Buffer.from('a\nb\u001b[31m\u202ec').toString('base64')}?=`;

  test.each([
    ['Mcp-Method', { 'mcp-method': LONG }],
    ['Mcp-Name', { 'mcp-name': LONG }],
    ['MCP-Protocol-Version', { 'mcp-protocol-version': LONG }],
    ['Mcp-Name in base64', { 'mcp-name': ESCAPES }],
  ])('E4: a %s that disagrees with the body is told of escaped and cut', async (_name, headers) => {
    const answer = await ask(url, { ...ECHO, headers: { ...ECHO.headers, ...headers } });
    const { error } = messageOf(answer) as {
      error: { code: number; message: string; data: { mismatch: { header: string; body: string } } };
    };
    expect([answer.status, error.code]).toEqual([400, -32020]);
    const { header, body } = error.data.mismatch;
    expect(error.message).toBe(`Bad Request: the request headers and body disagree: ${body}`);
    expect(Math.max(header.length, body.length)).toBeLessThan(170);
    expect(error.message + header).not.toMatch(/y{101}|[\p{C}]/u);
  });

  test('E4: so is a name of the body that no header repeats, and short ones are told in full', async () => {
    const body = String(ECHO.body).replace('"echo"', `"${LONG}"`);
    const { error } = messageOf(await ask(url, { ...ECHO, body })) as { error: { code: number } };
    expect(error.code).toBe(-32020);
    expect(JSON.stringify(error)).not.toMatch(/y{101}/);
    const short = messageOf(await ask(url, { ...ECHO, headers: { ...ECHO.headers, 'mcp-name': 'other' } }));
    expect(short).toMatchObject({
      error: { data: { mismatch: { header: 'other', body: 'the body carries params.name="echo" but the Mcp-Name header names "other"' } } },
    });
  });

  test('E4: a revision that is none is not repeated to a legacy client, with and without a session', async () => {
    const session = await openSession(url);
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    for (const method of ['POST', 'GET', 'DELETE'])
      for (const headers of [session, JSON_HEADERS]) {
        const revised = { ...headers, 'mcp-protocol-version': LONG };
        const answer = await ask(url, { method, headers: revised, ...(method === 'POST' ? { body: ping } : {}) });
        expect([method, answer.status, answer.text.length < 200]).toEqual([method, 400, true]);
      }
  });
});

describe('A21: the headers that repeat the body', () => {
  const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  test.each([
    ['Mcp-Method is missing', ['mcp-method'], []],
    ['Mcp-Name is missing', ['mcp-name'], []],
    ['Mcp-Method is empty', [], ['Mcp-Method:']],
    ['Mcp-Method is doubled', [], ['Mcp-Method: tools/call', 'Mcp-Method: tools/call']],
    ['Mcp-Name is doubled', [], ['Mcp-Name: echo', 'Mcp-Name: echo']],
    ['Mcp-Name has another case', [], ['Mcp-Name: ECHO']],
    ['Mcp-Name is bad base64', [], ['Mcp-Name: =?base64?!!!!?=']],
    ['Mcp-Name is another name in base64', [], [`Mcp-Name: ${base64('other')}`]],
    ['Mcp-Name has bytes that are not ASCII', [], ['Mcp-Name: ech\u00f6']],
  ] as const)('A21: %s: 400 with -32020, and nothing runs', async (_what, without, lines) => {
    const text = without.reduce((left, name) => left.replace(new RegExp(`^${name}: .*\r\n`, 'm'), ''), rawCall(...lines));
    const answer = await askRaw(url, Buffer.from(text, 'latin1').toString('latin1'));
    expect([statusOf(answer), bodyOf(answer)]).toMatchObject(['400', { error: { code: -32020 } }]);
    expect(entered).toBe(0);
  });

  test('A21: white space around a value is no part of it, and a name in base64 is the same name', async () => {
    expect(statusOf(await askRaw(url, rawCall('Mcp-Name:  echo \t')))).toBe('200');
    expect(statusOf(await askRaw(url, rawCall(`Mcp-Name: ${base64('echo')}`)))).toBe('200');
    expect(entered).toBe(2);
  });
});

describe('A22: bodies over the limit', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('A22: a bomb in %s is answered 415 and never unpacked', async (encoding, pack) => {
    const bomb = pack(Buffer.alloc(16 * 1024 * 1024));
    const before = process.memoryUsage.rss();
    const answer = await ask(url, { ...withHeaders({ 'content-encoding': encoding }), body: bomb });
    expect([answer.status, answer.headers['content-type']]).toEqual([415, 'application/json']);
    expect(process.memoryUsage.rss() - before).toBeLessThan(12 * 1024 * 1024);
  });

  test('A22: a gigabyte in a thousandth of it is answered 415 and never unpacked', async () => {
    const member = gzipSync(Buffer.alloc(16 * 1024 * 1024));
    const bomb = Buffer.concat(Array<Buffer>(64).fill(member));
    const before = process.memoryUsage.rss();
    for (const session of [undefined, await openSession(url)]) {
      const answer = await ask(url, { ...withHeaders({ ...session, 'content-encoding': 'gzip' }), body: bomb });
      expect([answer.status, answer.headers['content-type']]).toEqual([415, 'application/json']);
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(12 * 1024 * 1024);
  });

  test('A22: a declared length over the limit is answered before any of the body has come', async () => {
    const head = rawCall('Content-Length: 99999999999').replace(BODY, '');
    expect(statusOf(await askRaw(url, head))).toBe('413');
  });

  test('A22: a stream of chunks without an end is answered at the limit, and not kept', async () => {
    const socket = open();
    const answered = once(socket, 'data') as Promise<[Buffer]>;
    socket.write(
      rawCall('Transfer-Encoding: chunked')
        .replace(`content-length: ${String(BODY.length)}\r\n`, '')
        .replace(BODY, ''),
    );
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 0x20), Buffer.from('\r\n')]);
    const before = process.memoryUsage.rss();
    let isAnswered = false;
    void answered.then(() => (isAnswered = true));
    for (let sent = 0; !isAnswered && sent < 10_000; sent += 1)
      // A server that has answered may end the connection while more is being written.
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close'), answered]).catch(() => undefined);
    expect(statusOf(String((await answered)[0]))).toBe('413');
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
    socket.destroy();
  });
});

describe('A25: session ids', () => {
  const LIST = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' });

  test('A25: two of them are answered 404, also when each alone is good', async () => {
    const { 'mcp-session-id': id = '' } = await openSession(url);
    const lines = [`Mcp-Session-Id: ${id}`, `Mcp-Session-Id: ${id}`];
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\n${lines.join('\r\n')}\r\n${Object.entries(JSON_HEADERS)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n')}\r\nContent-Length: ${String(LIST.length)}\r\nConnection: close\r\n\r\n`;
    expect(statusOf(await askRaw(url, head + LIST))).toBe('404');
    expect(statusOf(await askRaw(url, (head + LIST).replace(`${lines[0] ?? ''}\r\n`, '')))).toBe('200');
  });

  test('A25: a modern call ignores one, and is given none', async () => {
    for (const id of ['x', (await openSession(url))['mcp-session-id'] ?? '']) {
      const answer = await ask(url, withHeaders({ 'mcp-session-id': id }));
      expect([answer.status, answer.headers['mcp-session-id']]).toEqual([200, undefined]);
    }
  });
});

describe('A26: methods and targets', () => {
  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'A26: %s to an unknown path is answered 404 as JSON, and to ours never 500',
    async (method) => {
      const unknown = await ask(url, { method, path: '/nothing' });
      expect([unknown.status, unknown.headers['content-type']]).toEqual([404, 'application/json']);
      const ours = await ask(url, { method });
      expect([400, 405]).toContain(ours.status);
      expect(ours.headers['content-type']).toBe('application/json');
    },
  );

  test('A26: an absolute target is no path of ours, whatever host it names', async () => {
    for (const target of ['http://localhost/mcp', 'http://evil.example/mcp', 'https://localhost:1/mcp', '*'])
      expect([target, statusOf(await askRaw(url, rawCall().replace('POST /mcp', `POST ${target}`)))]).toEqual([target, '404']);
    expect(entered).toBe(0);
  });
});

describe('A29: bytes that two servers could read differently', () => {
  test.each<[string, string | Buffer]>([
    ['both a length and chunks', rawCall('Transfer-Encoding: chunked', `Content-Length: ${String(BODY.length)}`)],
    ['two lengths', rawCall(`Content-Length: ${String(BODY.length)}`, 'Content-Length: 3')],
    ['a list of lengths', rawCall(`Content-Length: ${String(BODY.length)}, 3`)],
    ['a length with a sign', rawCall(`Content-Length: +${String(BODY.length)}`)],
    ['an unknown coding', rawCall('Transfer-Encoding: xchunked')],
    ['a folded line', rawCall('X-Folded: a\r\n b')],
    ['bare line feeds', rawCall().replaceAll('\r\n', '\n')],
    ['a space before the colon', rawCall('X-Spaced : a')],
    ['NUL in a header', rawCall('X-Nul: a\0b')],
    ['20 kB of header', rawCall(`X-Long: ${'a'.repeat(20_000)}`)],
    ['HTTP/0.9', 'GET /mcp\r\n\r\n'],
    ['HTTP/2 without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    [
      'chunks that are none',
      rawCall('Transfer-Encoding: chunked')
        .replace(/content-length: \d+\r\n/, '')
        .replace(BODY, `zz\r\n${BODY}\r\n0\r\n\r\n`),
    ],
  ])('A29: %s: refused by 4xx or by closing, and nothing runs', async (_what, bytes) => {
    const text = await askRaw(url, bytes);
    expect(text).toMatch(/^(?:HTTP\/1\.1 4\d\d [^]*\r\nContent-Type: application\/json\r\n|$)/);
    expect(entered).toBe(0);
  });

  test('A29: a second request behind the first is a request of its own, and as much refused', async () => {
    const smuggled = 'GET /mcp HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
    const text = await askRaw(url, rawCall().replace('connection: close\r\n', '') + smuggled);
    expect(text.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403']);
  });
});

function open(): Socket {
  return connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
}

describe('A30: clients that take their time', () => {
  const limits = (): [number, number] => [server.headersTimeout, server.requestTimeout];
  const before = { headersTimeout: 0, requestTimeout: 0 };
  beforeEach(() => {
    [before.headersTimeout, before.requestTimeout] = limits();
    Object.assign(server, { headersTimeout: 200, requestTimeout: 200 });
  });
  afterEach(() => void Object.assign(server, before));

  test('A30: slow headers and a slow body are closed at the limit, and others are served meanwhile', async () => {
    expect([before.headersTimeout, before.requestTimeout]).toEqual([30_000, 30_000]);
    const slow = [rawCall(), rawCall()].map((text, at) => {
      const socket = open();
      const end = text.indexOf('\r\n\r\n');
      // One stops in its headers, the other in its body; both go on byte by byte.
      const start = at === 0 ? end - 20 : end + 10;
      socket.write(text.slice(0, start));
      let next = start;
      const drip = setInterval(() => socket.write(text[(next += 1)] ?? ''), 50);
      return { socket, drip, closed: once(socket, 'close') };
    });
    const texts = slow.map(({ socket }) => {
      const seen = { text: '' };
      socket.on('data', (chunk: Buffer) => (seen.text += chunk.toString()));
      return seen;
    });
    const times: number[] = [];
    const closed = Promise.all(slow.map((each) => each.closed)).then(() => 'closed');
    while ((await Promise.race([closed, Promise.resolve('open')])) === 'open' || times.length < 20) {
      const from = performance.now();
      expect((await ask(url, ECHO)).status).toBe(200);
      times.push(performance.now() - from);
    }
    for (const { drip } of slow) clearInterval(drip);
    expect(texts.map(({ text }) => statusOf(text))).toEqual(['408', '408']);
    times.sort((a, b) => a - b);
    expect(times[Math.floor(times.length * 0.5)]).toBeLessThan(100);
  });

  test('A30: 2,000 idle connections keep nobody waiting, and are closed', async () => {
    Object.assign(server, { headersTimeout: 3_000, requestTimeout: 3_000 });
    const idle: Socket[] = [];
    // As many at once as the queue of a listening socket is sure to take.
    while (idle.length < 2_000) {
      const some = Array.from({ length: 250 }, () => open().resume());
      await Promise.all(some.map((socket) => once(socket, 'connect')));
      idle.push(...some);
    }
    const closed = Promise.all(idle.filter((socket) => !socket.closed).map((socket) => once(socket, 'close')));
    const times: number[] = [];
    for (let count = 0; count < 60; count += 1) {
      const from = performance.now();
      expect((await ask(url, ECHO)).status).toBe(200);
      times.push(performance.now() - from);
    }
    times.sort((a, b) => a - b);
    expect(times[56]).toBeLessThan(100);
    await closed;
  });
});
