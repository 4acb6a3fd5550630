import { IsString } from 'class-validator';
import { Injectable, McpTool } from 'perch-mcp';
import { closeApps, createApp, overStreams, RecordingLogger, type StreamEnd } from '../support/app';
import { INITIALIZE } from '../support/wire';

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
