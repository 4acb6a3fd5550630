import { PassThrough } from 'node:stream';
import { IsInt, IsString } from 'class-validator';
import {
  APP_GUARD,
  AuditSink,
  defineTool,
  DuplicateRegistrationError,
  Injectable,
  McpSetupError,
  Policy,
  serve,
  ToolError,
  toTool,
  type AuditRecord,
  type ExecutionContext,
  type McpApplication,
  type ServeOptions,
  type ToolDefinition,
} from 'perch-mcp';
import { connect } from 'perch-mcp/testing';
import { z } from 'zod';
import { closeApps, createApp } from '../support/app';
import { ask, messageOf, modern } from '../support/wire';

const served: McpApplication[] = [];
afterEach(async () => {
  await Promise.all(served.splice(0).map((app) => app.close()));
  await closeApps();
});

async function serveHttp(tools: readonly ToolDefinition[], options: Partial<ServeOptions> = {}): Promise<[string, McpApplication]> {
  const always = { name: 'functions', version: '1.2.3', logger: false, shutdownHooks: false, port: 0 } as const;
  const app = await serve(tools, { ...always, transport: 'http', ...options });
  served.push(app);
  return [app.handles[0]?.url ?? '', app];
}

async function call(url: string, name: string, args: object = {}): Promise<unknown> {
  const { result, error } = messageOf(await ask(url, modern('tools/call', { name, arguments: args })));
  return error ?? result;
}

class Greeting {
  @IsString() name!: string;
  @IsInt() times = 1;
}

const byClass = defineTool({
  name: 'by_class',
  description: 'd',
  inputSchema: Greeting,
  handler: (args) => `${String(args instanceof Greeting)} ${args.name.repeat(args.times)}`,
});
const byZod = defineTool({
  name: 'by_zod',
  description: 'd',
  inputSchema: z.object({ count: z.number().default(2) }),
  handler: async ({ count }) => String(count + 1),
});
const byJson = defineTool({
  name: 'by_json',
  title: 'By JSON',
  description: 'd',
  inputSchema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
  outputSchema: { type: 'object', properties: { twice: { type: 'integer' } }, required: ['twice'] },
  annotations: { readOnlyHint: true },
  meta: { 'example/kind': 'sum' },
  handler: ({ a }) => ({ twice: Number(a) * 2 }),
});
const ALL = [byClass, byZod, byJson];

test('parity C1: what defineTool returns is served, with its schema published and checked, whatever kind of schema it is', async () => {
  const [url] = await serveHttp(ALL);
  const listed = messageOf(await ask(url, modern('tools/list')))['result'] as { tools: readonly object[] };
  expect(listed.tools).toEqual([
    expect.objectContaining({ name: 'by_class', inputSchema: expect.objectContaining({ required: ['name'] }) }),
    expect.objectContaining({ name: 'by_zod', inputSchema: expect.objectContaining({ properties: { count: expect.anything() } }) }),
    {
      name: 'by_json',
      title: 'By JSON',
      description: 'd',
      inputSchema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
      outputSchema: { type: 'object', properties: { twice: { type: 'integer' } }, required: ['twice'] },
      annotations: { readOnlyHint: true },
      _meta: { 'example/kind': 'sum' },
    },
  ]);
  expect(await call(url, 'by_class', { name: 'ab', times: 2 })).toMatchObject({ content: [{ text: 'true abab' }] });
  expect(await call(url, 'by_zod')).toMatchObject({ content: [{ text: '3' }] });
  expect(await call(url, 'by_json', { a: 4 })).toMatchObject({ structuredContent: { twice: 8 } });
  for (const [name, args] of [
    ['by_class', { name: 5 }],
    ['by_zod', { count: 'two' }],
    ['by_json', { a: 1.5 }],
    ['by_json', {}],
  ] as const)
    expect(await call(url, name, args)).toMatchObject({ isError: true });
});

test('parity C1: a function tool is registered and unregistered at run time like any other', async () => {
  const app = await createApp([]);
  expect(app.tools.register(byZod)).toMatchObject({ name: 'by_zod' });
  expect(await app.tools.call('by_zod', { count: 5 })).toMatchObject({ content: [{ text: '6' }] });
  expect(() => app.tools.register(byZod)).toThrow(DuplicateRegistrationError);
  expect([app.tools.unregister('by_zod'), app.tools.has('by_zod')]).toEqual([true, false]);
});

test('a module provides a function tool as a value, or makes it with what its factory injects; one tool in two modules is one', async () => {
  @Injectable()
  class Index {
    readonly words = ['perch', 'nest'];
  }
  const search = (index: Index): ToolDefinition => defineTool({ name: 'search', description: 'd', handler: () => index.words.join(' ') });
  class Other {}
  const app = await createApp(
    [Index, { provide: 'by_zod', useValue: byZod }, { provide: 'search', useFactory: search, inject: [Index] }],
    {},
    [{ module: Other, providers: [{ provide: 'again', useValue: byZod }] }],
  );
  expect(app.tools.list().map(({ name }) => name)).toEqual(['by_zod', 'search']);
  expect(await app.tools.call('search')).toMatchObject({ content: [{ text: 'perch nest' }] });
});

test('parity C2: serve is a whole server: it listens, says who it is, and is closed like any application', async () => {
  const [url, app] = await serveHttp([byZod], { title: 'Functions', instructions: 'Add.' });
  expect([app.isStarted(), app.getMetadata()]).toEqual([
    true,
    { name: 'functions', version: '1.2.3', title: 'Functions', instructions: 'Add.' },
  ]);
  expect(messageOf(await ask(url, modern('server/discover')))['result']).toMatchObject({ instructions: 'Add.' });
  const client = await connect(app, { era: 'legacy' });
  expect(client.getServerVersion()).toMatchObject({ name: 'functions', version: '1.2.3' });
  expect(await client.callTool({ name: 'by_zod', arguments: {} })).toMatchObject({ content: [{ text: '3' }] });
  await app.close();
  await expect(ask(url, modern('tools/list'))).rejects.toThrow();
});

test('parity C2: without a transport it serves stdio', async () => {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const [, app] = await serveHttp([byZod], { transport: undefined as never, stdio: streams });
  expect(app.handles.map(({ mode }) => mode)).toEqual(['stdio']);
});

test('serve goes through guards, policy, audit, limits and the checks of listen', async () => {
  const records: AuditRecord[] = [];
  const guard = { canActivate: (context: ExecutionContext) => context.switchToMcp().entry !== 'denied' };
  const tool = (name: string, handler: () => unknown): ToolDefinition => defineTool({ name, description: 'd', handler });
  const tools = [tool('open', () => 'in'), tool('denied', () => 'never'), tool('slow', () => new Promise(() => undefined))];
  const [url] = await serveHttp(tools, {
    providers: [
      { provide: APP_GUARD, useValue: guard },
      { provide: AuditSink, useValue: { write: (record: AuditRecord) => void records.push(record) } },
    ],
    limits: { callTimeoutMs: 50 },
  });
  expect(await call(url, 'open')).toMatchObject({ content: [{ text: 'in' }] });
  expect(await call(url, 'denied')).toMatchObject({ isError: true, content: [{ text: 'Forbidden' }] });
  expect(await call(url, 'slow')).toMatchObject({ isError: true, content: [{ text: 'Timed out' }] });
  expect(records.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['open', 'ok'],
    ['denied', 'denied'],
    ['slow', 'timed-out'],
  ]);
  const refused = serve(tools, { name: 'n', version: '1', logger: false, transport: 'http', host: '0.0.0.0', port: 0 });
  await expect(refused).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID', message: expect.stringContaining('0.0.0.0') });
});

test('what cannot be served stops serve with every problem at once, and the duplicate is its cause', async () => {
  const bad = defineTool({ name: 'bad', description: 'd', inputSchema: { type: 'strong' }, handler: () => 1 });
  const failing = serve([byZod, { ...byJson, name: 'by_zod' }, bad], { name: 'n', version: '1', logger: false });
  const error = await failing.catch((thrown: unknown) => thrown as McpSetupError);
  expect(error).toBeInstanceOf(McpSetupError);
  expect((error as McpSetupError).problems.map(({ code, where }) => [code, /defineTool\(\{ name: "\w+" \}\)/.exec(where)?.[0]])).toEqual([
    ['MCP_TOOL_DUPLICATE', 'defineTool({ name: "by_zod" })'],
    ['MCP_SCHEMA_INVALID', 'defineTool({ name: "bad" })'],
  ]);
  expect((error as McpSetupError).cause).toEqual(new DuplicateRegistrationError('Tool', 'by_zod'));
  for (const both of [{ mode: 'stdio' }, { transports: ['stdio'] }] as const)
    await expect(serve([], { name: 'n', version: '1', logger: false, transport: 'http', ...both })).rejects.toMatchObject({
      code: 'MCP_OPTION_INVALID',
    });
});

test('an engine made a tool stands beside functions', async () => {
  const engine = { id: 'sum', execute: ({ request }: { request: { input: { a: number } } }) => Promise.resolve({ a: request.input.a }) };
  const [url] = await serveHttp([toTool(engine), byZod]);
  expect(await call(url, 'sum', { a: 3 })).toMatchObject({ content: [{ text: '{"a":3}' }] });
});

test('parity C12: the ctx of a function answers what the policy allows', async () => {
  const asks = defineTool({
    name: 'asks',
    description: 'd',
    handler: (_args, ctx) => [
      ctx.enforced,
      ctx.allowsFsRead('/a/x'),
      ctx.allowsFsWrite('/a/x'),
      ctx.allowsNetwork('https://good.example/x'),
      ctx.allowsSocket('/a/x.sock'),
    ],
  });
  const lists = { fsRead: ['/a/**'], network: ['good.example'] };
  const [enforced] = await serveHttp([asks], { policy: Policy.define(lists) });
  expect(await call(enforced, 'asks')).toMatchObject({ content: [{ text: '[true,true,false,true,false]' }] });
  const [open] = await serveHttp([asks]);
  expect(await call(open, 'asks')).toMatchObject({ content: [{ text: '[false,true,true,true,true]' }] });
});

test('what a function throws is answered by the same rules as what a class throws', async () => {
  const throws = (name: string, error: unknown): ToolDefinition =>
    defineTool({
      name,
      description: 'd',
      handler: () => {
        throw error;
      },
    });
  const [url] = await serveHttp([throws('told', new ToolError('No bread')), throws('bug', new Error('/etc/secret'))]);
  expect(await call(url, 'told')).toMatchObject({ isError: true, content: [{ text: 'No bread' }] });
  expect(await call(url, 'bug')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^Internal error \(ref \w+\)$/) }],
  });
});
