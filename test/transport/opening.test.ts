import { IsString } from 'class-validator';
import { connect } from 'perch-mcp/testing';
import { Injectable, McpTool } from 'perch-mcp';
import { connectInMemory } from '../../src/bootstrap/mcp-application';
import { closeApps, createApp, overStreams, type StreamEnd } from '../support/app';
import { overSocket } from '../support/socket';
import { ENVELOPE, INITIALIZE } from '../support/wire';

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

const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

/** The other end of a stream, over a pipe or in memory. */
async function overMemory(): Promise<StreamEnd> {
  const { client } = await connectInMemory(await createApp([Tools]));
  const messages: object[] = [];
  const waiting: ((message: object) => void)[] = [];
  client.onmessage = (message) => {
    const wake = waiting.shift();
    if (wake === undefined) messages.push(message);
    else wake(message);
  };
  await client.start();
  return {
    send: (message) => void client.send(message as never),
    next: async () => (messages.shift() ?? (await new Promise<object>((resolve) => waiting.push(resolve)))) as Record<string, unknown>,
    unread: [],
    endInput: () => void client.close(),
  };
}

async function overStdio(): Promise<StreamEnd> {
  return overStreams(await createApp([Tools]));
}

const request = (id: number | string, method: string, params: object = {}): object => ({ jsonrpc: '2.0', id, method, params });
const modern = (id: number | string, method: string, meta: object = {}): object => request(id, method, { _meta: { ...ENVELOPE, ...meta } });
const echo = (id: number | string): object => request(id, 'tools/call', { name: 'echo', arguments: { text: 'ok' } });
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const named = (revision: string): object => ({ [VERSION]: revision });

describe.each([
  ['stdio', overStdio],
  ['uds', async () => overSocket(await createApp([Tools]))],
  ['memory', overMemory],
])('over %s', (_name, open) => {
  let stream: StreamEnd;

  beforeEach(async () => {
    stream = await open();
  });

  async function initialize(): Promise<void> {
    stream.send(INITIALIZE);
    expect(await stream.next()).toMatchObject({ id: 'init', result: { protocolVersion: '2025-11-25' } });
    stream.send(INITIALIZED);
  }

  test('M3: what follows initialize waits for its answer and is served in order', async () => {
    for (const message of [INITIALIZE, INITIALIZED, echo(1), request(2, 'ping'), INITIALIZE, echo(3)]) stream.send(message);
    const answers = [];
    for (let count = 0; count < 5; count += 1) answers.push(await stream.next());
    expect(answers[0]).toMatchObject({ id: 'init', result: {} });
    const rest = new Map(answers.map((each) => [each['id'], each]));
    expect(rest.get(1)).toMatchObject({ result: { content: [{ text: 'ok' }] } });
    expect(rest.get(2)).toMatchObject({ result: {} });
    expect(rest.get(3)).toMatchObject({ result: { content: [{ text: 'ok' }] } });
    expect(answers.filter((each) => 'error' in each)).toMatchObject([{ error: { code: -32600 } }]);
  });

  test('M3: without initialize a legacy request is refused, ping is answered, the rest is ignored, and any era may still open [version.first] [base.ping]', async () => {
    stream.send(INITIALIZED);
    stream.send({ jsonrpc: '2.0', id: 99, result: {} });
    stream.send(request(1, 'tools/list'));
    expect(await stream.next()).toMatchObject({ id: 1, error: { code: -32600 } });
    stream.send(request(2, 'ping'));
    expect(await stream.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    stream.send(modern(3, 'server/discover'));
    expect(await stream.next()).toMatchObject({ id: 3, result: { supportedVersions: expect.arrayContaining(['2026-07-28']) as unknown } });
    stream.send(echo(4));
    expect(await stream.next()).toMatchObject({ id: 4, error: { code: -32600 } });
    await initialize();
    stream.send(echo(5));
    expect(await stream.next()).toMatchObject({ id: 5, result: {} });
  });

  test('M3: an initialize that fails leaves the stream unopened', async () => {
    stream.send({ ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { roots: 5 } } });
    expect(await stream.next()).toMatchObject({ id: 'init', error: { code: -32602 } });
    stream.send(echo(1));
    expect(await stream.next()).toMatchObject({ id: 1, error: { code: -32600 } });
    await initialize();
  });

  test('M3: a second initialize is refused and the connection goes on', async () => {
    await initialize();
    stream.send({ ...INITIALIZE, id: 'again' });
    expect(await stream.next()).toMatchObject({ id: 'again', error: { code: -32600 } });
    stream.send(echo(1));
    expect(await stream.next()).toMatchObject({ id: 1, result: {} });
  });

  test('M3: a revision that is not served is refused before, within and after both openings [version.unsupported]', async () => {
    const refused = (id: number): object => ({ id, error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2030-01-01' } } });
    stream.send(modern(1, 'tools/list', named('2030-01-01')));
    expect(await stream.next()).toMatchObject(refused(1));
    await initialize();
    stream.send(modern(2, 'tools/list', named('2030-01-01')));
    expect(await stream.next()).toMatchObject(refused(2));
    stream.send(modern(4, 'logging/setLevel'));
    expect(await stream.next()).toMatchObject({ id: 4, error: { code: -32600 } });
    stream.send(echo(3));
    expect(await stream.next()).toMatchObject({ id: 3, result: {} });
  });

  test('M2: on a modern connection, half an envelope is refused in our words [base.meta]', async () => {
    stream.send(modern(1, 'tools/list'));
    await stream.next();
    stream.send(request(2, 'tools/list', { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } }));
    expect(await stream.next()).toMatchObject({ id: 2, error: { code: -32602, message: expect.stringContaining(VERSION) as string } });
    stream.send(request(3, 'tools/list'));
    expect(await stream.next()).toMatchObject({ id: 3, error: { code: -32602 } });
    stream.send({ ...INITIALIZE, id: 4 });
    expect(await stream.next()).toMatchObject({ id: 4, error: { code: -32022 } });
  });

  test.each<[string, object]>([
    ['a progress token that is an object', { method: 'tools/list', params: { _meta: { progressToken: {} } } }],
    ['a related task that is a number', { method: 'tools/list', params: { _meta: { 'io.modelcontextprotocol/related-task': 5 } } }],
    ['an unknown member', { method: 'tools/list', extra: 1 }],
    ['a result beside its method', { method: 'tools/list', result: {} }],
  ])('H1: a request with %s is answered, and its id is free again', async (_what, call) => {
    await initialize();
    stream.send({ jsonrpc: '2.0', id: 5, ...call });
    expect(await stream.next()).toMatchObject({ id: 5, error: { code: -32600 } });
    stream.send(echo(5));
    expect(await stream.next()).toMatchObject({ id: 5, result: {} });
  });

  test('an id that is in flight during the opening does not block it', async () => {
    stream.send(modern('init', 'server/discover'));
    stream.send(INITIALIZE);
    const answers = [await stream.next(), await stream.next()];
    expect(answers.filter((each) => each['id'] === null)).toMatchObject([{ error: { code: -32600 } }]);
    await initialize();
  });
});

test('the SDK client opens both eras in memory', async () => {
  const app = await createApp([Tools]);
  for (const era of ['legacy', 'modern'] as const) {
    const client = await connect(app, { era });
    expect(await client.callTool({ name: 'echo', arguments: { text: 'ok' } })).toMatchObject({ content: [{ text: 'ok' }] });
    await client.close();
  }
});
