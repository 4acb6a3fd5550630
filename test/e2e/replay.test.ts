import { IsString } from 'class-validator';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Injectable, McpTool, type McpApplication, type McpContext } from 'perch-mcp';
import { closeApps, createApp } from '../support/app';
import { CLIENTS, type AnyClient } from '../support/clients';
import { FlakyNetwork } from '../support/flaky-network';
import { HeldCalls } from '../support/held-calls';

class NameForm {
  @IsString() name!: string;
}

@Injectable()
class AskingTool {
  @McpTool({ name: 'ask-while-away', description: 'Asks a client that has been sent away' })
  async askWhileAway(_input: object, context: McpContext): Promise<string> {
    context.http?.closeStream();
    const { name } = await context.ask('name', { message: 'Who are you?', schema: NameForm });
    return `Hello, ${name}`;
  }
}

const LEGACY = CLIENTS.slice(0, 2);
const DONE = { content: [{ type: 'text', text: 'done' }] };

let app: McpApplication;
let calls: HeldCalls;
let network: FlakyNetwork;
let url: string;
let client: AnyClient | Client1 | undefined;

beforeEach(async () => {
  app = await createApp([HeldCalls, AskingTool]);
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false, sessions: { replay: true, retryMs: 1 } });
  calls = app.get(HeldCalls);
  ({ network, url } = await FlakyNetwork.between(app.handles[0]?.url ?? ''));
});

afterEach(async () => {
  calls.finish('the test is over');
  await client?.close();
  network.close();
  await closeApps();
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when the client has come back with a Last-Event-ID. */
const returned = (): Promise<void> => until(() => network.sent.includes('last-event-id: '));

test.each(LEGACY)('A31: %s comes back after closeStream() by itself and gets the answer', async (_name, connect) => {
  client = await connect({ url });
  const answer = client.callTool({ name: 'held' });
  (await calls.entered()).http?.closeStream();
  await returned();
  calls.finish('done');
  expect(await answer).toMatchObject(DONE);
});

test.each(LEGACY)('A31: %s that is sent away finds the answer that was given meanwhile', async (_name, connect) => {
  client = await connect({ url });
  const answer = client.callTool({ name: 'held' });
  (await calls.entered()).http?.closeStream();
  calls.finish('done');
  expect(await answer).toMatchObject(DONE);
});

test.each(LEGACY)('A31: %s comes back after its connection was cut and gets the answer', async (_name, connect) => {
  client = await connect({ url });
  const answer = client.callTool({ name: 'held' });
  const context = await calls.entered();
  // The head of the answer must have reached the client, which cannot come back to what it has not seen begin.
  await until(() => network.received.split('retry: 1\n').length === 3);
  await client.listTools();
  network.cut();
  await returned();
  expect(context.signal.aborted).toBe(false);
  calls.finish('done');
  expect(await answer).toMatchObject(DONE);
});

test('a question that is asked while the client is away reaches it when it comes back', async () => {
  const asking = new Client1({ name: 'test-client', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client = asking;
  asking.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  await asking.connect(new Http1(new URL(url)));
  expect(await asking.callTool({ name: 'ask-while-away' })).toMatchObject({ content: [{ type: 'text', text: 'Hello, Ada' }] });
});

test('the 1.x client, which takes an error for a broken stream, is told once that nothing follows and stays away', async () => {
  const failing = new Client1({ name: 'test-client', version: '1.0.0' });
  client = failing;
  const errors: Error[] = [];
  failing.onerror = (error) => void errors.push(error);
  await failing.connect(new Http1(new URL(url)));
  await expect(failing.callTool({ name: 'unknown' })).rejects.toMatchObject({ code: -32602 });
  await returned();
  for (let left = 30; left > 0; left -= 1) await failing.ping();
  expect(network.sent.split('last-event-id: ')).toHaveLength(2);
  expect(network.sent.split('GET /mcp')).toHaveLength(3);
  expect(errors).toEqual([]);
});
