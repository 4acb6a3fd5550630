import { IsString } from 'class-validator';
import {
  DuplicateRegistrationError,
  Engine,
  ENGINE_VERSION,
  EngineAdapter,
  EngineModule,
  EngineNotFoundError,
  EngineRegistry,
  EngineRegistryAdapter,
  InvalidEngineError,
  McpSetupError,
  MissingCapabilityError,
  ToolRegistry,
  toTool,
  type EngineContext,
  type EngineModuleOptions,
  type McpApplication,
  type PolicyQuestions,
  type Provider,
} from 'perch-mcp';
import { closeApps, createApp, everyDoor } from '../support/app';
import { closeClients, everyClient, textOf } from '../support/every-client';

afterEach(async () => {
  await closeClients();
  await closeApps();
});

// Feature code as a company has it: it imports nothing.
class Summarize {
  readonly id = 'document.summarize';
  readonly name = 'Summarize';
  description = 'Summarizes a document';
  readonly version = '1.2.0';
  readonly seen: Record<string, unknown>[] = [];
  async execute(context: EngineContext<{ text: string }>) {
    this.seen.push(context as unknown as Record<string, unknown>);
    return { summary: context.request.input.text.slice(0, 3) };
  }
}

const engine = (id: string, execute: (context: never) => unknown = () => id) => ({ id, name: id, description: id, version: '1', execute });

const served = (options: EngineModuleOptions, providers: readonly Provider[] = []): Promise<McpApplication> =>
  createApp(providers, {}, [EngineModule.forRoot(options)]);

test('parity B1: the registry keeps engines by id, runs them, and throws for what it does not have', async () => {
  const registry = new EngineRegistry();
  const summarize = new Summarize();
  registry.register(summarize);
  expect(() => registry.register(engine('document.summarize'))).toThrow(
    expect.objectContaining({ name: 'DuplicateRegistrationError', message: 'Engine already registered: "document.summarize"' }),
  );
  expect(registry.has('document.summarize')).toBe(true);
  expect(registry.get('document.summarize')).toBe(summarize);
  expect(registry.get('nothing')).toBeUndefined();
  expect(registry.list()).toEqual([summarize]);
  const context = { request: { strategy: 'mine', input: { text: 'abcdef' } } };
  expect(await registry.execute('document.summarize', context)).toEqual({ summary: 'abc' });
  expect(summarize.seen).toEqual([context]);
  expect(summarize.seen[0]).toBe(context);
  await expect(registry.execute('nothing', {})).rejects.toThrow(EngineNotFoundError);
  expect(registry.unregister('nothing')).toBe(false);
  expect(registry.unregister('document.summarize')).toBe(true);
  expect(registry.list()).toEqual([]);
  const app = await served({ engines: [new Summarize()] });
  for (const [, client] of await everyClient(app))
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
});

test('parity B2: a tool has the id and the description of the live engine, and two conversions share nothing', async () => {
  const summarize = new Summarize();
  expect(toTool(summarize)).toMatchObject({ name: 'document.summarize', description: 'Summarizes a document' });
  summarize.description = 'Shortens a document';
  const [one, two] = [toTool(summarize), toTool(summarize)];
  expect(one.description).toBe('Shortens a document');
  expect(one).not.toBe(two);
  const app = await served({ engines: [summarize] });
  for (const [, client] of await everyClient(app)) {
    expect((await client.listTools()).tools).toMatchObject([{ name: 'document.summarize', description: 'Shortens a document' }]);
  }
});

test('parity B3: the engine gets the base context and its request, with the input exactly as it was sent', async () => {
  const base = Object.freeze({ provider: { model: 'm' }, tenant: 'acme' });
  const summarize = new Summarize();
  const app = await served({ engines: [summarize], context: base });
  const input = { text: 'é\u0000', nested: { list: [1, null, { deep: false }], empty: {} }, 'a key': -0.5, __proto: 'x' };
  for (const [, client] of await everyClient(app)) {
    await client.callTool({ name: 'document.summarize', arguments: input });
    const { signal, progress, policy, ...context } = summarize.seen.at(-1) ?? {};
    expect(context).toEqual({ ...base, request: { strategy: 'document.summarize', input } });
    expect(context['provider']).toBe(base.provider);
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(typeof progress).toBe('function');
    expect(policy).toMatchObject({ enforced: false });
    expect((policy as PolicyQuestions).allowsFsRead('/etc/hosts')).toBe(true);
  }
  expect(Object.keys(base)).toEqual(['provider', 'tenant']);
});

test('parity B3: with an input class the input is checked first, and arrives as that class', async () => {
  class Text {
    @IsString() text!: string;
  }
  const seen: unknown[] = [];
  @Engine({ input: Text })
  class Checked {
    readonly id = 'checked';
    execute({ request }: EngineContext<Text>) {
      seen.push(request.input);
      return request.input.text;
    }
  }
  const app = await served({}, [Checked]);
  const clients = await everyClient(app);
  for (const [, client] of clients) {
    expect(await client.callTool({ name: 'checked', arguments: { text: 1 } })).toMatchObject({ isError: true });
    expect(textOf(await client.callTool({ name: 'checked', arguments: { text: 'a' } }))).toBe('"a"');
  }
  expect(seen).toHaveLength(clients.length);
  expect(seen.every((input) => input instanceof Text)).toBe(true);
});

test.each([
  [{ a: [1] }, '{"a":[1]}'],
  ['text', '"text"'],
  [undefined, 'null'],
  [null, 'null'],
  [0, '0'],
  [[], '[]'],
  [{ content: [{ type: 'text', text: 'a page of a book' }] }, '{"content":[{"type":"text","text":"a page of a book"}]}'],
])('parity B4: the result %j is one text block with its JSON', async (result, json) => {
  const app = await served({ engines: [engine('e', () => result)] });
  for (const [, client] of await everyClient(app)) {
    const answer = await client.callTool({ name: 'e' });
    expect(textOf(answer)).toBe(json);
    expect(answer.structuredContent).toBeUndefined();
  }
  const alone = new ToolRegistry();
  alone.register(toTool(engine('e', () => result)));
  expect(await alone.call('e')).toEqual({ content: [{ type: 'text', text: json }] });
});

test('parity B4: with a declared output, the result is structured content too', async () => {
  class Summary {
    @IsString() summary!: string;
  }
  @Engine({ output: Summary })
  class Structured extends Summarize {}
  const app = await served({}, [Structured]);
  for (const [, client] of await everyClient(app)) {
    const answer = await client.callTool({ name: 'document.summarize', arguments: { text: 'abcdef' } });
    expect(answer).toMatchObject({ structuredContent: { summary: 'abc' }, content: [{ text: '{"summary":"abc"}' }] });
  }
  const alone = new ToolRegistry();
  alone.register(toTool(new Structured()));
  expect(await alone.call('document.summarize', { text: 'abcdef' })).toEqual({
    content: [{ type: 'text', text: '{"summary":"abc"}' }],
    structuredContent: { summary: 'abc' },
  });
});

const THROWN: readonly (readonly [what: string, thrown: unknown, shown: string])[] = [
  ['an error', new TypeError('the page is empty'), 'the page is empty'],
  ['an error with a cause', new Error('outer', { cause: new Error('SECRET') }), 'outer'],
  ['a string', 'no pages', 'no pages'],
  ['a number', 42, '42'],
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['a symbol', Symbol('s'), 'Symbol(s)'],
];

test.each(THROWN)(
  'parity B5: what an engine throws, %s, is a failed result with its own text and no stack',
  async (_what, thrown, shown) => {
    const fails = engine('fails', () => {
      throw thrown;
    });
    const app = await served({ engines: [fails] });
    for (const [, client] of await everyClient(app)) {
      const answer = await client.callTool({ name: 'fails' });
      expect(answer).toMatchObject({ isError: true, content: [{ type: 'text', text: shown }] });
      expect(JSON.stringify(answer)).not.toMatch(/SECRET|\.ts|at /);
    }
    const masked = await served({ engines: [fails], exposeErrors: false });
    for (const [, client] of await everyClient(masked)) {
      expect(textOf(await client.callTool({ name: 'fails' }))).toMatch(/^Internal error \(ref [0-9a-f]{8}\)$/);
    }
    const alone = new ToolRegistry();
    alone.register(toTool(fails));
    expect(await alone.call('fails')).toEqual({ content: [{ type: 'text', text: shown }], isError: true });
  },
);

test.each([undefined, '', 5, null, {}, Object.create(null) as object, ['a']])(
  'parity B6: the id %p is refused, alone by an InvalidEngineError and at boot as one problem',
  async (id) => {
    const wrong = { ...engine('x'), id } as unknown as ReturnType<typeof engine>;
    expect(() => new EngineRegistry().register(wrong)).toThrow(InvalidEngineError);
    expect(() => toTool(wrong)).toThrow(InvalidEngineError);
    expect(() => new EngineAdapter(new ToolRegistry()).registerEngine(wrong)).toThrow(InvalidEngineError);
    const boot = served({ engines: [wrong, engine('right')] });
    await expect(boot).rejects.toBeInstanceOf(McpSetupError);
    const { problems } = (await boot.catch((error: unknown) => error)) as McpSetupError;
    expect(problems.map(({ code }) => code)).toEqual(['MCP_ENGINE_INVALID']);
    expect(problems[0].problem).toContain('must be a non-empty string');
    expect(problems[0].cause).toBeInstanceOf(InvalidEngineError);
  },
);

test('parity B7: an adapter registers one by one, keeps those before a failure, and removes only its own', () => {
  const tools = new ToolRegistry();
  tools.register({ name: 'foreign', execute: () => 1 });
  const adapter = new EngineAdapter(tools);
  const [a, b, c] = [engine('a'), engine('b'), engine('c')];
  adapter.registerEngine(a);
  expect(() => adapter.registerEngines([b, engine('foreign'), c])).toThrow('Tool already registered: "foreign"');
  expect(adapter.listRegisteredEngines()).toEqual([a, b]);
  expect(adapter.listRegisteredEngines()[0]).toBe(a);
  expect(tools.list().map(({ name }) => name)).toEqual(['foreign', 'a', 'b']);
  expect(() => adapter.registerEngine(a)).toThrow(DuplicateRegistrationError);
  expect(adapter.hasEngine('a')).toBe(true);
  expect(adapter.hasEngine('foreign')).toBe(false);
  expect(adapter.unregisterEngine('foreign')).toBe(false);
  expect(adapter.unregisterEngine('a')).toBe(true);
  expect(adapter.unregisterEngine('a')).toBe(false);
  expect(tools.has('a')).toBe(false);
  adapter.clear();
  expect(adapter.listRegisteredEngines()).toEqual([]);
  expect(tools.list().map(({ name }) => name)).toEqual(['foreign']);
});

test('parity B7: an adapter never disagrees with the tools, whoever changes them', () => {
  const tools = new ToolRegistry();
  const adapter = new EngineAdapter(tools);
  adapter.registerEngine(engine('a'));
  tools.unregister('a');
  expect([adapter.hasEngine('a'), adapter.listRegisteredEngines()]).toEqual([false, []]);
  const foreign = tools.register({ name: 'a', execute: () => 1 });
  expect(adapter.unregisterEngine('a')).toBe(false);
  adapter.clear();
  expect(tools.get('a')).toBe(foreign);
  // One id under two names would be two tools of one engine, and the list would never show the second.
  let count = 0;
  const mapped = new EngineAdapter(tools, { toolName: () => `tool_${String((count += 1))}` });
  mapped.registerEngine(engine('b'));
  const changes: unknown[] = [];
  tools.onChange(() => changes.push(1));
  expect(() => mapped.registerEngine(engine('b'))).toThrow('Engine already registered: "b"');
  expect([tools.list().map(({ name }) => name), changes]).toEqual([['a', 'tool_1'], []]);
});

test('parity B7: in an application an adapter shows and hides its tools for clients of both eras', async () => {
  const app = await served({});
  const adapter = new EngineAdapter(app.tools, { context: { tenant: 'acme' } });
  adapter.registerEngine(engine('late', ({ tenant }: { tenant: string }) => tenant));
  const clients = await everyClient(app);
  for (const [, client] of clients) expect(textOf(await client.callTool({ name: 'late' }))).toBe('"acme"');
  adapter.clear();
  for (const [, client] of clients) expect((await client.listTools()).tools).toEqual([]);
});

test('parity B8: bulk exposure can be repeated, picks up what came later and lets go of what left', () => {
  const [engines, tools] = [new EngineRegistry(), new ToolRegistry()];
  const adapter = new EngineRegistryAdapter(engines, tools);
  const names = (): string[] => tools.list().map(({ name }) => name);
  engines.register(engine('a'));
  adapter.registerAll();
  const first = tools.get('a');
  engines.register(engine('b'));
  adapter.registerAll();
  adapter.registerAll();
  expect(names()).toEqual(['a', 'b']);
  expect(tools.get('a')).toBe(first);
  engines.unregister('a');
  engines.register(engine('a', () => 'another'));
  adapter.registerAll();
  expect(tools.get('a')).not.toBe(first);
  engines.register(engine('taken'));
  tools.register({ name: 'taken', execute: () => 1 });
  expect(() => adapter.registerAll()).toThrow(DuplicateRegistrationError);
  adapter.unregisterAll();
  expect(names()).toEqual(['taken']);
});

test('parity B8: EngineModule exposes every engine provider of every module at boot', async () => {
  @Engine()
  class First extends Summarize {}
  @Engine({ id: 'second' })
  class Second {
    execute() {
      return 2;
    }
  }
  const feature = { module: class FeatureModule {}, providers: [Second] };
  const app = await createApp([First], {}, [feature, EngineModule.forRoot()]);
  for (const [, client] of await everyClient(app)) {
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(['document.summarize', 'second']);
    expect(textOf(await client.callTool({ name: 'second' }))).toBe('2');
  }
});

test('parity B9: an engine without any decorator is served as it is', async () => {
  const app = await served({ engines: [new Summarize()] });
  for (const door of await everyDoor(app)) {
    const { result } = await door.ask('tools/call', { name: 'document.summarize', arguments: { text: 'abcdef' } });
    expect(textOf(result)).toBe('{"summary":"abc"}');
  }
});

test("parity B10: the version is in the listed engine and in the tool's _meta", async () => {
  const app = await served({ engines: [new Summarize()] });
  expect(app.engines.list().map(({ version }) => version)).toEqual(['1.2.0']);
  for (const [, client] of await everyClient(app)) {
    expect((await client.listTools()).tools).toMatchObject([{ _meta: { [ENGINE_VERSION]: '1.2.0' } }]);
  }
});

test('parity B11: registering, listing and converting never run an engine', async () => {
  const ran = jest.fn();
  const app = await served({ engines: [engine('a', ran)] });
  app.engines.register(engine('b', ran));
  new EngineAdapter(app.tools, { toolName: ({ id }) => `${id}_2` }).registerEngine(engine('c', ran));
  for (const [, client] of await everyClient(app)) expect((await client.listTools()).tools).toHaveLength(3);
  app.engines.unregister('b');
  expect(ran).not.toHaveBeenCalled();
});

test('parity B12: a capability that the provider lacks refuses the call before the engine is entered, naming both', async () => {
  const ran = jest.fn();
  const needs = { ...engine('needs', ran), requiredCapabilities: ['chat', 'vision'] };
  const text = 'Engine "needs" requires the capability "vision", which its provider does not have';
  const app = await served({ engines: [needs], context: { provider: { capabilities: ['chat'] } }, exposeErrors: false });
  for (const [, client] of await everyClient(app)) {
    expect(await client.callTool({ name: 'needs' })).toMatchObject({ isError: true, content: [{ text }] });
  }
  const registry = new EngineRegistry();
  registry.register(needs);
  await expect(registry.execute('needs', {})).rejects.toThrow(MissingCapabilityError);
  await expect(registry.execute('needs', { provider: { capabilities: ['chat'] } })).rejects.toThrow(text);
  const alone = new ToolRegistry();
  alone.register(toTool(needs, { exposeErrors: false }));
  expect(await alone.call('needs')).toEqual({
    content: [{ type: 'text', text: 'Engine "needs" requires the capability "chat", which its provider does not have' }],
    isError: true,
  });
  expect(ran).not.toHaveBeenCalled();
});
