import { once } from 'node:events';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { IsString } from 'class-validator';
import { Injectable, McpTool } from 'perch-mcp';
import { ByteBuffer } from '../../src/transport/byte-buffer';
import { closeApps, createApp, overHttp } from '../support/app';
import { ask, ENVELOPE, JSON_HEADERS, messageOf, modern, openSession } from '../support/wire';

class EchoInput {
  @IsString() text!: string;
}

@Injectable()
class Tools {
  @McpTool({ name: 'echo', description: 'Echoes', input: EchoInput })
  echo({ text }: EchoInput): string {
    return text;
  }
}

afterEach(closeApps);

async function serve(): Promise<string> {
  return overHttp(await createApp([Tools]));
}

function open(url: string): Socket {
  return connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
}

/** What the server writes until it ends the connection. */
async function raw(url: string, text: string): Promise<string> {
  const socket = open(url);
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
  socket.write(text);
  await once(socket, 'close');
  return said;
}

const BODY = modern('tools/list').body?.toString() ?? '';

function post(lines: string, body = BODY): string {
  const head = `POST /mcp HTTP/1.1\r\n${lines}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;
  return `${head}MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\nContent-Length: ${String(body.length)}\r\nConnection: close\r\n\r\n${body}`;
}

test('M5: a port that no socket can have is refused in Host and in Origin', async () => {
  const url = await serve();
  for (const host of ['localhost:65536', 'localhost:99999', '[::1]:99999', '127.0.0.1:70000']) {
    expect((await ask(url, { ...modern('tools/list'), headers: { ...modern('tools/list').headers, host } })).status).toBe(403);
  }
  const origin = 'http://localhost:99999';
  expect((await ask(url, { ...modern('tools/list'), headers: { ...modern('tools/list').headers, origin } })).status).toBe(403);
});

test('M6: a request with two Hosts or two Origins is refused, whichever comes first', async () => {
  const url = await serve();
  expect(await raw(url, post('Host: localhost\r\n'))).toMatch(/^HTTP\/1\.1 200 /);
  for (const lines of [
    'Host: localhost\r\nHost: evil.example\r\n',
    'Host: evil.example\r\nHost: localhost\r\n',
    'Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example\r\n',
  ]) {
    expect(await raw(url, post(lines))).toMatch(/^HTTP\/1\.1 400 [^]*"jsonrpc":"2\.0"/);
  }
});

test.each([130, 1_000, 5_000, 500_000])('M7: modern arguments nested %i levels deep are answered 400 with -32600', async (levels) => {
  const args = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const question = modern('tools/call', { name: 'echo', arguments: {} });
  const body = question.body?.toString().replace('"arguments":{}', `"arguments":${args}`) ?? '';
  const answer = await ask(await serve(), { ...question, body });
  expect([answer.status, messageOf(answer)]).toMatchObject([400, { id: 1, error: { code: -32600 } }]);
});

test('A11: arguments a little too deep are answered as a failed call in both eras', async () => {
  const url = await serve();
  const args: unknown = JSON.parse(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`);
  const params = { name: 'echo', arguments: args as object };
  expect(messageOf(await ask(url, modern('tools/call', params)))).toMatchObject({ result: { isError: true } });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect(messageOf(await ask(url, { headers: await openSession(url), body }))).toMatchObject({ result: { isError: true } });
});

test('M2: an envelope that is wrong is answered 400 with a short -32602 [base.meta]', async () => {
  const url = await serve();
  const question = modern('tools/list');
  const meta = { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': { elicitation: 4 } };
  const answer = await ask(url, {
    ...question,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }),
  });
  expect([answer.status, messageOf(answer)]).toMatchObject([
    400,
    { id: 1, error: { code: -32602, message: expect.stringMatching(/elicitation" must be an object$/) as string } },
  ]);
});

test('M9: pieces of one byte are copied into few buffers', () => {
  const pieces = 2_000_000;
  const bytes = new ByteBuffer();
  const before = process.memoryUsage().arrayBuffers;
  const piece = Buffer.from(' ');
  for (let count = 0; count < pieces; count += 1) bytes.append(piece);
  expect(bytes.view()).toHaveLength(pieces);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * pieces + 100_000);
  expect(bytes.view().every((byte) => byte === 0x20)).toBe(true);
});

test('M9: a body in chunks of one byte is read', async () => {
  const url = await serve();
  const chunks = Array.from(BODY, (character) => `1\r\n${character}\r\n`).join('');
  const head = post('Host: localhost\r\n', '').replace('Content-Length: 0', 'Transfer-Encoding: chunked');
  expect(await raw(url, `${head}${chunks}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
});

test('M10, A29: a body that does not end is answered 408 as JSON and its connection closed', async () => {
  const { createServer } = http;
  const made: http.Server[] = [];
  const spy = jest.spyOn(http, 'createServer').mockImplementation(((options: http.ServerOptions, listener: http.RequestListener) => {
    const server = createServer({ ...options, connectionsCheckingInterval: 20 }, listener);
    made.push(server);
    return server;
  }) as typeof createServer);
  const url = await serve();
  spy.mockRestore();
  const [server] = made;
  expect([server?.requestTimeout, server?.headersTimeout]).toEqual([30_000, 30_000]);
  Object.assign(server ?? {}, { requestTimeout: 100, headersTimeout: 100 });
  const half = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"';
  expect(await raw(url, half)).toMatch(/^HTTP\/1\.1 408 [^]*application\/json[^]*"jsonrpc":"2\.0"/);
  expect(await raw(url, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\n')).toMatch(/^HTTP\/1\.1 408 /);
});

test('A29: bytes that are no HTTP request are answered with JSON', async () => {
  const url = await serve();
  expect(await raw(url, 'XYZ\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*application\/json[^]*"error"/);
  expect(await raw(url, `GET /mcp HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 [^]*"error"/);
});

describe('Expect', () => {
  const ahead = (lines: string): string => `POST /mcp HTTP/1.1\r\n${lines}Content-Type: application/json\r\nExpect: 100-continue\r\n`;

  test('L3: a client that asks first is refused before it sends its body', async () => {
    const url = await serve();
    expect(await raw(url, `${ahead('Host: evil.example\r\n')}Content-Length: 100\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw(url, `${ahead('Host: localhost\r\nOrigin: null\r\n')}Content-Length: 100\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw(url, `${ahead('Host: localhost\r\n')}Content-Length: 99999999\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('L3: a client that asks first and is let in is told to go on, and answered', async () => {
    const socket = open(await serve());
    const [head = '', body = ''] = post('Host: localhost\r\nExpect: 100-continue\r\n').split('\r\n\r\n');
    socket.write(`${head}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    const [second] = (await once(socket, 'data')) as [Buffer];
    expect(second.toString()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test('L3: any other expectation is answered 417 as JSON', async () => {
    expect(await raw(await serve(), post('Host: localhost\r\nExpect: foo\r\n'))).toMatch(/^HTTP\/1\.1 417 [^]*"jsonrpc":"2\.0"/);
  });
});

test.each([
  ['10 kB', 'y'.repeat(10_000), 404],
  ['high bytes', '\u0080\u00ff', 404],
  ['a control character', '\u0001', 400],
  ['a NUL', '\u0000', 400],
  ['DEL', '\u007f', 400],
])('A25: a session id of %s is never answered 500', async (_what, id, status) => {
  const url = await serve();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' });
  const socket = open(url);
  const lines = `Host: localhost\r\nMcp-Session-Id: ${id}\r\n`;
  socket.write(Buffer.from(post(lines, body).replace('2026-07-28', '2025-11-25'), 'latin1'));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
  socket.destroy();
  expect((await ask(url, { headers: { ...JSON_HEADERS, 'mcp-session-id': 'x' }, body })).status).toBe(404);
});
