import { IsString } from 'class-validator';
import { Injectable, McpTool } from 'perch-mcp';
import { closeApps, createApp, overStreams, RecordingLogger, type StreamEnd } from '../support/app';
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

let client: StreamEnd;

beforeEach(async () => {
  client = await overStreams(await createApp([Tools]));
  client.send(INITIALIZE);
  expect(await client.next()).toMatchObject({ id: 'init', result: { protocolVersion: '2025-11-25' } });
  client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
});

afterEach(closeApps);

/** The answer to the next good request is the next thing on the stream: nothing was doubled, nothing was lost. */
async function stillServes(): Promise<void> {
  client.send({ jsonrpc: '2.0', id: 'good', method: 'tools/call', params: { name: 'echo', arguments: { text: 'ok' } } });
  expect(await client.next()).toMatchObject({ id: 'good', result: { content: [{ text: 'ok' }] } });
}

test.each(['not json', '{"a":', '}', '{oops'])('A1, parity A10: the line "%s" is answered with one -32700 [base.parse]', async (line) => {
  client.send(`${line}\n`);
  expect(await client.next()).toMatchObject({ id: null, error: { code: -32700 } });
  await stillServes();
});

test.each(['42', 'null', '"x"', '[]', '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]'])(
  'A3: %s is answered with one -32600 without an id',
  async (line) => {
    client.send(`${line}\n`);
    expect(await client.next()).toMatchObject({ id: null, error: { code: -32600 } });
    await stillServes();
  },
);

const SHAPELESS = [
  '{"id":9,"method":"ping"}',
  '{"jsonrpc":"1.0","id":9,"method":"ping"}',
  '{"jsonrpc":"2.0","id":9}',
  '{"jsonrpc":"2.0","id":9,"method":5}',
  '{"jsonrpc":"2.0","id":9,"method":""}',
  '{"jsonrpc":"2.0","id":9,"method":"ping","params":[]}',
  '{"jsonrpc":"2.0","id":9,"method":"ping","params":"x"}',
  '{"jsonrpc":"2.0","id":9,"Method":"ping"}',
];

test.each(SHAPELESS)('A4, A8: %s is answered with -32600 and its id [base.request]', async (line) => {
  client.send(`${line}\n`);
  expect(await client.next()).toMatchObject({ id: 9, error: { code: -32600 } });
  await stillServes();
});

test.each(['null', 'true', '{}', '1.5', '9007199254740993', '[]'])('A5: the id %s is answered with -32600 without an id', async (id) => {
  client.send(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
  expect(await client.next()).toMatchObject({ id: null, error: { code: -32600 } });
  await stillServes();
});

test.each(['', 'x'.repeat(200_000)])('A5: a string id comes back exactly as it was [base.id] [base.ping]', async (id) => {
  client.send({ jsonrpc: '2.0', id, method: 'ping' });
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id, result: {} });
});

test.each([
  '{"jsonrpc":"2.0","method":"notifications/none"}',
  '{"jsonrpc":"2.0","method":"ping","params":[]}',
  '{"jsonrpc":"2.0","id":77,"result":{}}',
  '{"jsonrpc":"2.0","id":78,"result":5}',
  '{"jsonrpc":"2.0","result":{}}',
])('A6: %s is not answered [base.notification]', async (line) => {
  client.send(`${line}\n`);
  await stillServes();
});

test('A2: empty lines and carriage returns are fine', async () => {
  client.send('\n   \n\r\n{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n');
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});

test('A9: a line that is not UTF-8 is answered with -32700', async () => {
  const app = await createApp([Tools]);
  const raw = await overStreams(app);
  raw.send(INITIALIZE);
  await raw.next();
  raw.send(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
  expect(await raw.next()).toMatchObject({ id: null, error: { code: -32700 } });
});

test('A11: params nested 65 levels deep are answered with -32600, 64 are read', async () => {
  const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  client.send({ jsonrpc: '2.0', id: 1, method: 'ping', params: nested(64) as object });
  expect(await client.next()).toMatchObject({ id: 1, result: {} });
  client.send({ jsonrpc: '2.0', id: 2, method: 'ping', params: nested(66) as object });
  expect(await client.next()).toMatchObject({ id: 2, error: { code: -32600 } });
  client.send(`{"jsonrpc":"2.0","id":3,"method":"ping","params":${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}}\n`);
  expect(await client.next()).toMatchObject({ id: 3, error: { code: -32600 } });
  await stillServes();
});

test.each([
  ['no name', {}],
  ['a number as name', { name: 5 }],
  ['null arguments', { name: 'echo', arguments: null }],
  ['a list of arguments', { name: 'echo', arguments: [] }],
  ['text as arguments', { name: 'echo', arguments: 'x' }],
])('A17: tools/call with %s is answered with a short -32602', async (_what, params) => {
  client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const answer = await client.next();
  expect(answer).toMatchObject({ id: 1, error: { code: -32602 } });
  expect(JSON.stringify(answer).length).toBeLessThan(150);
  await stillServes();
});

test('A23: a line over the limit is answered with one -32600 and the stream goes on behind it', async () => {
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { pad: '' } });
  const padded = (bytes: number): string => line.replace('"pad":""', `"pad":"${'x'.repeat(bytes - line.length)}"`);
  const limit = 4 * 1024 * 1024;
  client.send(`${padded(limit)}\n`);
  expect(await client.next()).toMatchObject({ id: 1, result: {} });
  client.send(`${padded(limit + 1)}\n`);
  expect(await client.next()).toMatchObject({ id: null, error: { code: -32600 } });
  await stillServes();
});

test('A10: a message that arrives byte by byte is read as one', async () => {
  const bytes = Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'zürich 🦜' } } })}\n`,
  );
  for (const byte of bytes) client.send(Buffer.from([byte]));
  expect(await client.next()).toMatchObject({ id: 1, result: { content: [{ text: 'zürich 🦜' }] } });
});

test('A14: nine thousand messages in one write are all answered', async () => {
  client.send(Array.from({ length: 9_000 }, (_, id) => `{"jsonrpc":"2.0","id":${String(id)},"method":"ping"}\n`).join(''));
  const ids = new Set<unknown>();
  for (let count = 0; count < 9_000; count += 1) ids.add((await client.next())['id']);
  expect(ids.size).toBe(9_000);
});

test('A10: what is split anywhere, and many messages in one chunk, are read the same', async () => {
  const ask = (id: number): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text: '🦜' } } })}\n`;
  const bytes = Buffer.from(Array.from({ length: 200 }, (_, id) => ask(id)).join(''));
  for (let from = 0, size = 1; from < bytes.length; from += size, size = (size * 7) % 1_009) client.send(bytes.subarray(from, from + size));
  const texts = new Map<unknown, unknown>();
  for (let count = 0; count < 200; count += 1) {
    const { id, result } = (await client.next()) as { id: unknown; result: { content: { text: string }[] } };
    texts.set(id, result.content[0]?.text);
  }
  expect([texts.size, ...new Set(texts.values())]).toEqual([200, '🦜']);
});

test('B30: what is JSON and no JSON-RPC is answered at once with the id it has, and a good request behind it too', async () => {
  for (const line of [
    '{"id":99,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":98,"method_":"x"}',
    '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    '{oops',
  ])
    client.send(`${line}\n`);
  const answers = [await client.next(), await client.next(), await client.next(), await client.next()];
  expect(answers.map(({ id, error }) => [id, (error as { code: number }).code])).toEqual([
    [99, -32600],
    [98, -32600],
    [null, -32600],
    [null, -32700],
  ]);
  await stillServes();
});

test('parity A7: an answer has exactly the id of its request, string or integer, and a notification has none, also when it fails', async () => {
  for (const id of [0, -1, 7, '7', '', 'ä']) {
    client.send({ jsonrpc: '2.0', id, method: 'ping' });
    expect(await client.next()).toEqual({ jsonrpc: '2.0', id, result: {} });
  }
  client.send({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'nothing' } });
  client.send({ jsonrpc: '2.0', method: 'nothing/known' });
  await stillServes();
});

test('parity A10: each code of JSON-RPC stands for what JSON-RPC says, on a stream', async () => {
  const app = await createApp([Tools]);
  app.prompts.register({ name: 'broken', get: () => Promise.reject(new Error('secret')) });
  const stream = await overStreams(app);
  stream.send(INITIALIZE);
  await stream.next();
  const code = async (line: string): Promise<unknown> => {
    stream.send(`${line}\n`);
    return ((await stream.next())['error'] as { code?: number } | undefined)?.code;
  };
  expect(await code('{oops')).toBe(-32700);
  expect(await code('{"id":1}')).toBe(-32600);
  expect(await code('{"jsonrpc":"2.0","id":1,"method":"none"}')).toBe(-32601);
  expect(await code('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}')).toBe(-32602);
  expect(await code('{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"broken"}}')).toBe(-32603);
});

test('parity A13: the transports of an application have one contract, and stdio takes the streams it is given', async () => {
  const app = await createApp([Tools]);
  const stream = await overStreams(app);
  expect(app.handles).toEqual([
    expect.objectContaining({
      mode: 'stdio',
      stopAccepting: expect.any(Function),
      whenAnswered: expect.any(Function),
      close: expect.any(Function),
    }),
  ]);
  stream.send(INITIALIZE);
  expect(await stream.next()).toMatchObject({ id: 'init', result: {} });
});

test('parity A14: a line that cannot be read reaches the logger, without its content, and is answered -32700', async () => {
  const logger = new RecordingLogger();
  const stream = await overStreams(await createApp([Tools], { logger }));
  stream.send('{"password": oops\n');
  expect(await stream.next()).toMatchObject({ id: null, error: { code: -32700 } });
  const lines = logger.lines.map(({ message }) => message);
  expect(lines).toContainEqual(expect.stringContaining('Parse error'));
  expect(lines.join()).not.toContain('oops');
});

test('A7: a second request under an id in flight is refused, and the first is answered', async () => {
  let finish: (value: string) => void = () => undefined;
  const app = await createApp([]);
  const entered = new Promise<void>((enter) => {
    app.tools.register({
      name: 'wait',
      description: 'Waits',
      execute: () => (enter(), new Promise<string>((resolve) => (finish = resolve))),
    });
  });
  const stream = await overStreams(app);
  stream.send(INITIALIZE);
  await stream.next();
  stream.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'wait' } });
  stream.send({ jsonrpc: '2.0', id: 5, method: 'ping' });
  expect(await stream.next()).toMatchObject({ id: null, error: { code: -32600 } });
  await entered;
  finish('done');
  expect(await stream.next()).toMatchObject({ id: 5, result: { content: [{ text: 'done' }] } });
});

test('a modern request for a revision that is not served is answered -32022, also after the opening', async () => {
  const stream = await overStreams(await createApp([Tools]));
  const list = (id: number, version: string): object => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/list',
    params: { _meta: { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': version } },
  });
  stream.send(list(1, '2026-07-28'));
  expect(await stream.next()).toMatchObject({ id: 1, result: { tools: [{ name: 'echo' }] } });
  stream.send(list(2, '2030-01-01'));
  expect(await stream.next()).toMatchObject({
    id: 2,
    error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2030-01-01' } },
  });
  stream.send(list(3, '2026-07-28'));
  expect(await stream.next()).toMatchObject({ id: 3, result: {} });
});
