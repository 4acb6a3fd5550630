import { IsString } from 'class-validator';
import { Injectable, McpTool, type McpApplication } from 'perch-mcp';
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

const DOORS: readonly (readonly [string, (app: McpApplication) => Promise<StreamEnd>])[] = [
  ['stdio', overStreams],
  ['uds', overSocket],
];

afterEach(closeApps);

describe.each(DOORS)('over %s', (_name, open) => {
  let client: StreamEnd;

  beforeEach(async () => {
    client = await open(await createApp([Tools]));
    client.send(INITIALIZE);
    expect(await client.next()).toMatchObject({ id: 'init', result: { protocolVersion: '2025-11-25' } });
    client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  });

  /** The answer to the next good request is the next thing on the stream: nothing was doubled, nothing was lost. */
  async function stillServes(): Promise<void> {
    client.send({ jsonrpc: '2.0', id: 'good', method: 'tools/call', params: { name: 'echo', arguments: { text: 'ok' } } });
    expect(await client.next()).toMatchObject({ id: 'good', result: { content: [{ text: 'ok' }] } });
  }

  test.each(['not json', '{"a":', '}', '{oops'])('A1: the line "%s" is answered with one -32700 [base.parse]', async (line) => {
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

  test('A2: a byte order mark before the first line is no part of it', async () => {
    const raw = await open(await createApp([Tools]));
    raw.send(`\uFEFF${JSON.stringify(INITIALIZE)}\n`);
    expect(await raw.next()).toMatchObject({ id: 'init', result: {} });
  });

  test('A9: a line that is not UTF-8 is answered with -32700', async () => {
    const app = await createApp([Tools]);
    const raw = await open(app);
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
    for (const bytes of [limit - 1, limit]) {
      client.send(`${padded(bytes)}\n`);
      expect(await client.next()).toMatchObject({ id: 1, result: {} });
    }
    client.send(`${padded(limit + 1)}\n`);
    expect(await client.next()).toMatchObject({ id: null, error: { code: -32600 } });
    await stillServes();
  });

  test('A23: 64 MiB without a newline are answered with one -32600, are not kept, and the stream goes on behind them', async () => {
    const piece = Buffer.alloc(1024 * 1024, 0x78);
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    for (let sent = 0; sent < 64; sent += 1) {
      client.send(piece);
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(await client.next()).toMatchObject({ id: null, error: { code: -32600 } });
    expect(most).toBeLessThan(24 * 1024 * 1024);
    client.send('\n');
    await stillServes();
  });

  const SAID = 'zürich 🦜';
  const echo = (id: number): Buffer =>
    Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text: SAID } } })}\n`);

  test('A10: a message that arrives byte by byte is read as one', async () => {
    for (const byte of echo(1)) client.send(Buffer.from([byte]));
    expect(await client.next()).toMatchObject({ id: 1, result: { content: [{ text: SAID }] } });
  });

  test('A10: a message that is split in two at any of its bytes is read as one', async () => {
    const { length } = echo(100);
    for (let at = 1; at < length; at += 1) {
      const bytes = echo(100 + at);
      client.send(bytes.subarray(0, at));
      // The next turn of the loop, so that the two halves arrive apart.
      await new Promise((resolve) => setImmediate(resolve));
      client.send(bytes.subarray(at));
      expect(await client.next()).toMatchObject({ id: 100 + at, result: { content: [{ text: SAID }] } });
    }
  });

  test('A10, A14: 9,000 messages in one write are all answered, and so is one that is split among them', async () => {
    const pings = (from: number): string =>
      Array.from({ length: 4_500 }, (_, id) => `{"jsonrpc":"2.0","id":${String(from + id)},"method":"ping"}\n`).join('');
    const whole = Buffer.concat([Buffer.from(pings(0)), echo(9_000), Buffer.from(pings(4_500))]);
    const middle = whole.indexOf('🦜') + 1;
    client.send(whole.subarray(0, middle));
    client.send(whole.subarray(middle));
    const answers = new Map<unknown, unknown>();
    for (let count = 0; count <= 9_000; count += 1) {
      const answer = await client.next();
      answers.set(answer['id'], answer);
    }
    expect(answers.size).toBe(9_001);
    expect(answers.get(9_000)).toMatchObject({ result: { content: [{ text: SAID }] } });
  });

  test('a second request under an id in flight is refused, and the first is answered', async () => {
    let finish: (value: string) => void = () => undefined;
    const app = await createApp([]);
    const entered = new Promise<void>((enter) => {
      app.tools.register({
        name: 'wait',
        description: 'Waits',
        execute: () => (enter(), new Promise<string>((resolve) => (finish = resolve))),
      });
    });
    const stream = await open(app);
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
    const stream = await open(await createApp([Tools]));
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
});
