import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { McpFactory, Module } from 'perch-mcp';
import { connectInMemory } from '../../src/bootstrap/mcp-application';
import { DEFAULT_LIMITS } from '../../src/contracts/limits';
import { SILENT } from '../../src/bootstrap/silent-logger';
import { LineTransport } from '../../src/transport/line-transport';
import { ChildServer, compiled } from '../support/child-server';
import { Conversation } from '../support/spec/conversation';
import { HAS_SCHEMAS } from '../support/spec/official-schema';
import { transcript } from '../support/spec/transcript';
import { ask, ENVELOPE, JSON_HEADERS, modern } from '../support/wire';

// Every test file is watched by test/support/spec/watch-messages.ts. These tests show that the watch sees, and that it can fail.
const whereSchemas = HAS_SCHEMAS ? test : test.skip;
const eachWhereSchemas = HAS_SCHEMAS ? test.each : test.skip.each;

test('the official schemas are there where they are required', () => {
  expect(HAS_SCHEMAS || process.env['PERCH_REQUIRE_SPEC'] !== '1').toBe(true);
});

const LEGACY = { jsonrpc: '2.0', id: 1 } as const;
const TEXT = { type: 'text', text: 'x' };
const COMPLETE = { resultType: 'complete' };
const TOOL = { name: 't', inputSchema: { type: 'object' } };
const CACHE = { ttlMs: 0, cacheScope: 'private' };

function said(request: object, answer: unknown, revision?: string): string[] {
  const conversation = new Conversation();
  conversation.hear(JSON.stringify(request));
  return conversation.say(typeof answer === 'string' ? answer : JSON.stringify(answer), revision);
}

const asked = (method: string): object => ({ ...LEGACY, method });
const askedModern = (method: string): object => ({ ...LEGACY, method, params: { _meta: ENVELOPE } });

type Case = readonly [what: string, request: object, good: unknown, bad: unknown];

const CASES: readonly Case[] = [
  [
    'the result of a call',
    asked('tools/call'),
    { ...LEGACY, result: { content: [TEXT] } },
    { ...LEGACY, result: { content: [{ type: 'text' }] } },
  ],
  [
    'a kind of content',
    asked('tools/call'),
    { ...LEGACY, result: { content: [] } },
    { ...LEGACY, result: { content: [{ type: 'smell', text: 'x' }] } },
  ],
  ['a list', asked('tools/list'), { ...LEGACY, result: { tools: [TOOL] } }, { ...LEGACY, result: { tools: [{ name: 't' }] } }],
  ['an empty result', asked('ping'), { ...LEGACY, result: {} }, { ...LEGACY, result: [] }],
  [
    'a uri',
    asked('resources/read'),
    { ...LEGACY, result: { contents: [{ uri: 'x://1', text: '' }] } },
    { ...LEGACY, result: { contents: [{ uri: 'no uri', text: '' }] } },
  ],
  [
    'bytes',
    asked('resources/read'),
    { ...LEGACY, result: { contents: [{ uri: 'x:1', blob: 'AA==' }] } },
    { ...LEGACY, result: { contents: [{ uri: 'x:1', blob: 'A' }] } },
  ],
  ['an error', asked('tools/call'), { ...LEGACY, error: { code: 1, message: 'x' } }, { ...LEGACY, error: { code: '1', message: 'x' } }],
  ['an id that nobody used', asked('ping'), { ...LEGACY, result: {} }, { ...LEGACY, id: 2, result: {} }],
  ['an unreadable id', asked('ping'), { ...LEGACY, id: null, error: { code: 1, message: 'x' } }, { ...LEGACY, id: null, result: {} }],
  ['one kind of message', asked('ping'), { ...LEGACY, result: {} }, { ...LEGACY, result: {}, error: { code: 1, message: 'x' } }],
  [
    'a modern result',
    askedModern('tools/call'),
    { ...LEGACY, result: { content: [], ...COMPLETE } },
    { ...LEGACY, result: { content: [] } },
  ],
  [
    'a modern list',
    askedModern('tools/list'),
    { ...LEGACY, result: { tools: [], ...COMPLETE, ...CACHE } },
    { ...LEGACY, result: { tools: [], ...COMPLETE } },
  ],
  [
    'a question',
    askedModern('tools/call'),
    { ...LEGACY, result: { resultType: 'input_required', requestState: 's' } },
    { ...LEGACY, result: { resultType: 'input_required', requestState: 5 } },
  ],
  [
    'a modern error of its own',
    askedModern('tools/list'),
    { ...LEGACY, error: { code: -32022, message: 'x', data: { supported: [], requested: 'x' } } },
    { ...LEGACY, error: { code: -32022, message: 'x' } },
  ],
  [
    'a notification',
    asked('tools/call'),
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } },
  ],
  [
    'a level',
    asked('tools/call'),
    { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } },
    { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'loud', data: 1 } },
  ],
  [
    'what only clients notify',
    asked('ping'),
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ],
  ['a request of the server', asked('tools/call'), { ...LEGACY, id: 9, method: 'roots/list' }, { ...LEGACY, id: 9, method: 'tools/list' }],
  [
    'a request of the server in the modern era',
    askedModern('tools/call'),
    { ...LEGACY, result: { content: [], ...COMPLETE } },
    { ...LEGACY, id: 9, method: 'roots/list' },
  ],
  ['JSON', asked('ping'), { ...LEGACY, result: {} }, 'hello'],
  ['a message in a batch', asked('ping'), [{ ...LEGACY, result: {} }], [{ ...LEGACY, result: {} }, 5]],
];

eachWhereSchemas(CASES)('%s is held to the schema', (_what, request, good, bad) => {
  expect(said(request, good)).toEqual([]);
  expect(said(request, bad)).toHaveLength(1);
});

whereSchemas('the revision is the one that initialize agreed on, or the one that the transport names', () => {
  const audio = { ...LEGACY, id: 2, result: { content: [{ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }] } };
  const problemsAt = (protocolVersion: string): number => {
    const conversation = new Conversation();
    conversation.hear(JSON.stringify(asked('initialize')));
    const result = { protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } };
    expect(conversation.say(JSON.stringify({ ...LEGACY, result }))).toEqual([]);
    conversation.hear(JSON.stringify({ ...LEGACY, id: 2, method: 'tools/call' }));
    return conversation.say(JSON.stringify(audio)).length;
  };
  expect(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map(problemsAt)).toEqual([1, 1, 0, 0, 0]);
  expect(said(asked('tools/list'), { ...LEGACY, result: { tools: [] } }, '2026-07-28')).toHaveLength(1);
});

const WRONG = { jsonrpc: '2.0', id: 1, result: { tools: 5 } };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('a wrong message is seen', () => {
  beforeEach(() => transcript.takeProblems());

  function expectOneProblem(): void {
    expect(transcript.takeProblems()).toEqual([expect.stringContaining('/tools must be array')]);
  }

  whereSchemas('on a stream', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const admitListen = (message: Record<string, unknown>) => Promise.resolve(message);
    const transport = new LineTransport({
      input,
      output,
      limits: DEFAULT_LIMITS,
      logger: SILENT,
      acceptsBatches: () => false,
      admitListen,
      onGone: () => undefined,
    });
    await transport.start();
    input.write(`${JSON.stringify(LIST)}\n`);
    await transport.send(WRONG as never);
    await transport.close();
    expectOneProblem();
  });

  whereSchemas('in memory', async () => {
    class AppModule {}
    Module({})(AppModule);
    const app = await McpFactory.create(AppModule, { name: 'test', version: '1.0.0', logger: false });
    const { client } = await connectInMemory(app);
    await client.send(LIST as never);
    (client as unknown as { receive(message: object): void }).receive(WRONG);
    expectOneProblem();
    await app.close();
    transcript.takeProblems();
  });

  whereSchemas.each([
    ['as JSON', 'application/json', JSON.stringify(WRONG)],
    ['as an event', 'text/event-stream', `id: 1\ndata:\n\nevent: message\ndata: ${JSON.stringify(WRONG)}\n\n`],
  ])('over HTTP, %s', async (_how, type, body) => {
    const server = createServer((request, response) => {
      request.resume().once('end', () => response.writeHead(200, { 'Content-Type': type }).end(body));
    })
      .on('checkExpectation', () => undefined)
      .listen(0, '127.0.0.1');
    await once(server, 'listening');
    await ask(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, { headers: JSON_HEADERS, body: JSON.stringify(LIST) });
    expectOneProblem();
    server.close();
  });

  whereSchemas('from a child process', async () => {
    const program = `process.stdin.once('data', () => process.stdout.write(${JSON.stringify(`${JSON.stringify(WRONG)}\n`)}))`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(`${JSON.stringify(LIST)}\n`);
    child.stdout.resume();
    await once(child, 'close');
    expectOneProblem();
  });
});

whereSchemas('what an application says over HTTP is looked at, and what another server says is not', async () => {
  class AppModule {}
  Module({})(AppModule);
  const app = await McpFactory.create(AppModule, { name: 'test', version: '1.0.0', logger: false });
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false });
  const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  transcript.takeProblems();
  const before = transcript.checked;
  await ask(app.handles[0]?.url ?? '', modern('tools/list'));
  await ask(app.handles[0]?.url ?? '', { headers: { ...JSON_HEADERS, expect: 'the impossible' }, body: '' });
  await ask(`http://127.0.0.1:${String((other.address() as AddressInfo).port)}`, {});
  expect(transcript.takeProblems()).toEqual([]);
  expect(transcript.checked - before).toBe(2);
  other.close();
  await app.close();
});

whereSchemas('what a program of this repository says over HTTP in a process of its own is looked at', async () => {
  const server = new ChildServer(compiled('samples/01-hello/main'), ['--transport', 'http'], { PERCH_PORT: '0' });
  try {
    const [, url = ''] = await server.sees(/Serving MCP on (http:\S+)/);
    transcript.takeProblems();
    const before = transcript.checked;
    await ask(url, modern('tools/list'));
    expect(transcript.takeProblems()).toEqual([]);
    expect(transcript.checked - before).toBe(1);
  } finally {
    await server.stop();
  }
});
