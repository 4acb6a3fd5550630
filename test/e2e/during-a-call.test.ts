import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { IsInt } from 'class-validator';
import { Injectable, McpContext, McpTool } from 'perch-mcp';
import { closeApps, createApp, overHttp, overStreams } from '../support/app';
import { CLIENTS, type AnyClient } from '../support/clients';
import { ask, ENVELOPE, INITIALIZE, messageOf, modern } from '../support/wire';

class Sum {
  @IsInt() value!: number;
}

let enter: () => void = () => undefined;
let leave: () => void = () => undefined;

@Injectable()
class Tools {
  @McpTool({ name: 'count', description: 'Counts to three' })
  async count(_input: object, context: McpContext): Promise<string> {
    for (const step of [1, 2, 2, Number.NaN, 1, Number.POSITIVE_INFINITY, 3])
      await context.progress(step, { total: 3, message: `step ${String(step)}` });
    return 'counted';
  }

  @McpTool({ name: 'report', description: 'Logs at three levels' })
  async report(_input: object, context: McpContext): Promise<string> {
    for (const level of ['debug', 'warning', 'error'] as const) await context.log(level, { at: level }, 'desk');
    return 'reported';
  }

  @McpTool({ name: 'wait', description: 'Waits until it is cancelled' })
  async wait(_input: object, context: McpContext): Promise<string> {
    enter();
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    leave();
    return 'too late';
  }

  @McpTool({ name: 'sum', description: 'Has a result with a schema', output: Sum })
  sum(): Sum {
    return { value: 3 };
  }

  @McpTool({ name: 'wrong_sum', description: 'Breaks its own schema', output: Sum })
  wrongSum(): Sum {
    return { value: 'three' as never };
  }
}

const INFO = { name: 'reader', version: '1.0.0' };
let url: string;

beforeEach(async () => {
  url = await overHttp(await createApp([Tools]));
});

afterEach(closeApps);

type Progress = { readonly progress: number; readonly total?: number | undefined; readonly message?: string | undefined };

/** The part of a client's `callTool` that both SDKs have behind different types. */
type Call = (params: object, schema: undefined, options: { onprogress: (progress: Progress) => void }) => Promise<object>;

test.each(CLIENTS)('%s is told of progress that grows, under its own token [progress.token] [progress.grows]', async (name, connect) => {
  const client = await connect({ url });
  const told: Progress[] = [];
  const options = { onprogress: (progress: Progress): void => void told.push(progress) };
  const call = client.callTool.bind(client) as unknown as Call;
  // The 1.x client takes a schema of the result before its options.
  const result = name.includes('1.x') ? call({ name: 'count' }, undefined, options) : call({ name: 'count' }, options as never, options);
  expect(await result).toMatchObject({ content: [{ text: 'counted' }] });
  expect(told.map(({ progress, total, message }) => [progress, total, message])).toEqual(
    [1, 2, 3].map((at) => [at, 3, `step ${String(at)}`]),
  );
  await client.close();
});

test('who gives no token is told nothing of progress [progress.token]', async () => {
  expect((await ask(url, modern('tools/call', { name: 'count' }))).text).not.toContain('notifications/progress');
  const stream = await overStreams(await createApp([Tools]));
  stream.send(INITIALIZE);
  await stream.next();
  stream.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'count' } });
  expect(await stream.next()).toMatchObject({ id: 1, result: {} });
});

test('a legacy client gets log messages from the level on that it set [logging.level]', async () => {
  const client = new Client1(INFO, { capabilities: {} });
  const levels: string[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void levels.push(params.level));
  await client.connect(new Http1(new URL(url)));
  await client.setLoggingLevel('warning');
  await client.callTool({ name: 'report' });
  expect(levels).toEqual(['warning', 'error']);
  await client.close();
});

test('a modern client gets log messages only of requests that name a level [logging.per-request]', async () => {
  const client = new Client2(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const messages: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void messages.push(params));
  await client.connect(new Http2(new URL(url)));
  await client.callTool({ name: 'report' });
  expect(messages).toEqual([]);
  await client.callTool({ name: 'report', _meta: { 'io.modelcontextprotocol/logLevel': 'error' } });
  expect(messages).toMatchObject([{ level: 'error', logger: 'desk', data: { at: 'error' } }]);
  await client.close();
});

test('a log level that does not exist is answered -32602 in both eras [logging.invalid]', async () => {
  const { headers = {} } = modern('tools/call', { name: 'report' });
  const params = { name: 'report', _meta: { ...ENVELOPE, 'io.modelcontextprotocol/logLevel': 'loud' } };
  const answer = await ask(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) });
  expect(messageOf(answer)).toMatchObject({ error: { code: -32602 } });
  const stream = await overStreams(await createApp([Tools]));
  stream.send(INITIALIZE);
  await stream.next();
  stream.send({ jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params: { level: 'loud' } });
  expect(await stream.next()).toMatchObject({ id: 1, error: { code: -32602 } });
});

test.each(CLIENTS)('a call that %s cancels ends in the handler, and the connection goes on [cancel.stops]', async (name, connect) => {
  const client = await connect({ url });
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const left = new Promise<void>((resolve) => (leave = resolve));
  const cancel = new AbortController();
  const call = client.callTool.bind(client) as unknown as (...args: unknown[]) => Promise<object>;
  const options = { signal: cancel.signal };
  const waiting = name.includes('1.x') ? call({ name: 'wait' }, undefined, options) : call({ name: 'wait' }, options);
  await entered;
  cancel.abort();
  await expect(waiting).rejects.toThrow();
  await left;
  expect(await client.callTool({ name: 'sum' })).toMatchObject({ structuredContent: { value: 3 } });
  await client.close();
});

test.each(CLIENTS)('%s gets a structured result that fits its schema, and the same as text [tools.structured]', async (_name, connect) => {
  const client: AnyClient = await connect({ url });
  expect((await client.listTools()).tools.find(({ name }) => name === 'sum')).toMatchObject({
    outputSchema: { type: 'object', properties: { value: { type: 'integer' } }, required: ['value'] },
  });
  expect(await client.callTool({ name: 'sum' })).toMatchObject({
    structuredContent: { value: 3 },
    content: [{ type: 'text', text: '{"value":3}' }],
  });
  const wrong = await client.callTool({ name: 'wrong_sum' });
  expect(wrong).toMatchObject({ isError: true });
  expect(wrong).not.toHaveProperty('structuredContent');
  await client.close();
});
