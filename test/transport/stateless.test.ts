import { once } from 'node:events';
import { IsString } from 'class-validator';
import { AuditSink, Injectable, McpContext, McpTool, ToolError, type McpApplication } from 'perch-mcp';
import { closeApps, createApp, overHttp } from '../support/app';
import { CLIENTS } from '../support/clients';
import { EventStream } from '../support/event-stream';
import { HeldCalls } from '../support/held-calls';
import { ask, INITIALIZE, JSON_HEADERS, messageOf, modern, type HttpQuestion } from '../support/wire';

class Topic {
  @IsString() topic!: string;
}

@Injectable()
class Tools {
  @McpTool({ name: 'where', description: 'Says what is known of the call' })
  where(_input: object, { era, session, protocolVersion }: McpContext): object {
    return { era, session, protocolVersion };
  }

  @McpTool({ name: 'ask', description: 'Asks' })
  async ask(_input: object, context: McpContext): Promise<string> {
    return (await context.ask('topic', { message: 'Which?', schema: Topic })).topic;
  }

  @McpTool({ name: 'tell', description: 'Tells what it does' })
  async tell(_input: object, context: McpContext): Promise<string> {
    await context.progress(1);
    throw new ToolError('told');
  }
}

let held: HeldCalls;
let app: McpApplication;
let url: string;

beforeEach(async () => {
  held = new HeldCalls();
  const quiet = { provide: AuditSink, useValue: { write: () => undefined } };
  app = await createApp([Tools, { provide: HeldCalls, useValue: held }, quiet]);
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false, sessions: false });
  url = app.handles[0]?.url ?? '';
});

afterEach(async () => {
  held.finish('late');
  await closeApps();
});

const post = (message: object, headers: Record<string, string> = {}): HttpQuestion => ({
  headers: { ...JSON_HEADERS, ...headers },
  body: JSON.stringify({ jsonrpc: '2.0', ...message }),
});
const call = (name: string, id: number, more: object = {}) => post({ id, method: 'tools/call', params: { name, ...more } });

test('initialize is answered, and no session is begun', async () => {
  const answer = await ask(url, post(INITIALIZE));
  expect([answer.status, answer.headers['mcp-session-id']]).toEqual([200, undefined]);
  const { capabilities } = messageOf(answer)['result'] as { capabilities: object };
  expect(capabilities).toEqual({ logging: {}, completions: {}, tools: {}, prompts: {}, resources: {} });
  expect((await ask(url, post({ method: 'notifications/initialized' }))).status).toBe(202);
});

test('each request is answered alone, whatever session it names, and in the revision that it names', async () => {
  for (const [headers, protocolVersion] of [
    [{}, '2025-03-26'],
    [{ 'mcp-protocol-version': '2025-11-25' }, '2025-11-25'],
    [{ 'mcp-protocol-version': '2025-06-18', 'mcp-session-id': 'made-up' }, '2025-06-18'],
  ] as const) {
    const answer = await ask(url, post({ id: 1, method: 'tools/call', params: { name: 'where' } }, headers));
    expect([answer.status, answer.headers['mcp-session-id']]).toEqual([200, undefined]);
    expect(messageOf(answer)).toMatchObject({ id: 1, result: { content: [{ text: JSON.stringify({ era: 'legacy', protocolVersion }) }] } });
  }
  expect((await ask(url, post({ id: 1, method: 'ping' }, { 'mcp-protocol-version': '1999-01-01' }))).status).toBe(400);
});

test('asking the client is a failed call that names the option', async () => {
  expect(messageOf(await ask(url, call('ask', 1)))).toMatchObject({
    id: 1,
    result: { isError: true, content: [{ text: expect.stringContaining('sessions: false') as string }] },
  });
});

test('what is told during a call comes on its own stream', async () => {
  const answer = await ask(url, call('tell', 1, { _meta: { progressToken: 'p' } }));
  const messages = [...answer.text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as object);
  expect(messages).toMatchObject([
    { method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
    { id: 1, result: { isError: true, content: [{ text: 'told' }] } },
  ]);
});

test('A26: GET and DELETE are answered 405, with or without a session', async () => {
  for (const method of ['GET', 'DELETE', 'PUT'])
    for (const headers of [{}, { 'mcp-session-id': 'x' }]) {
      const answer = await ask(url, { method, headers: { accept: 'text/event-stream', ...headers } });
      expect([answer.status, answer.headers.allow, answer.headers['content-type']]).toEqual([405, 'POST', 'application/json']);
    }
});

test('what cannot work without a session says so', async () => {
  for (const method of ['resources/subscribe', 'resources/unsubscribe'])
    expect(messageOf(await ask(url, post({ id: 1, method, params: { uri: 'x://y' } })))).toMatchObject({ id: 1, error: { code: -32601 } });
  expect((await ask(url, post({ id: 9, result: {} }))).status).toBe(202);
  expect((await ask(url, { ...post({ id: 1, method: 'ping' }), headers: { ...JSON_HEADERS, accept: 'application/json' } })).status).toBe(
    406,
  );
});

test('the modern era is served beside it as ever', async () => {
  const answer = await ask(url, modern('tools/call', { name: 'where' }));
  expect(messageOf(answer)).toMatchObject({ result: { content: [{ text: expect.stringContaining('modern') as string }] } });
});

test.each(CLIENTS)('%s calls without a session', async (name, connectClient) => {
  const client = await connectClient({ url });
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['where', 'ask', 'tell', 'held']);
  const [revision = ''] = /\d{4}-\d\d-\d\d/.exec(name) ?? [];
  expect(await client.callTool({ name: 'where', arguments: {} })).toMatchObject({
    content: [{ text: expect.stringContaining(revision) as string }],
  });
  await client.close();
});

test('B12: a call whose client goes runs on to its end', async () => {
  const stream = await EventStream.open(url, { method: 'POST', ...call('held', 1) });
  const { signal } = await held.entered();
  stream.drop();
  await stream.ended;
  expect(messageOf(await ask(url, post({ id: 1, method: 'ping' })))).toMatchObject({ id: 1, result: {} });
  expect(signal.aborted).toBe(false);
});

test('B2: a call that runs at the end is aborted and answered', async () => {
  await app.close();
  app = await createApp([{ provide: HeldCalls, useValue: held }], { limits: { graceMs: 50 } });
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false, sessions: false });
  url = app.handles[0]?.url ?? '';
  const answer = ask(url, call('held', 1));
  const { signal } = await held.entered();
  const aborted = once(signal, 'abort');
  await Promise.all([app.close(), aborted]);
  expect(messageOf(await answer)).toMatchObject({ id: 1, result: { isError: true, content: [{ text: 'Shutting down' }] } });
});

test('a cancellation of one client never reaches the call of another under the same id', async () => {
  const answer = ask(url, call('held', 1));
  const { signal } = await held.entered();
  expect((await ask(url, post({ method: 'notifications/cancelled', params: { requestId: 1 } }))).status).toBe(202);
  held.finish('done');
  expect([signal.aborted, messageOf(await answer)]).toMatchObject([false, { result: { content: [{ text: 'done' }] } }]);
});

test('sessions: true is no option', async () => {
  const other = await createApp([Tools]);
  await expect(other.listen({ transports: ['http'], port: 0, sessions: true as never })).rejects.toMatchObject({
    code: 'MCP_OPTION_INVALID',
  });
  await overHttp(other);
});
