import { EventEmitter, once } from 'node:events';
import { EngineModule, type EngineContext, type EngineLike, type EngineModuleOptions, type McpApplication } from 'perch-mcp';
import { closeApps, createApp, everyDoor, overStreams } from '../support/app';
import { closeClients, everyClient, textOf } from '../support/every-client';
import { LISTENERS } from '../support/listening-clients';
import { INITIALIZE } from '../support/wire';

afterEach(async () => {
  await closeClients();
  await closeApps();
});

const served = (options: EngineModuleOptions): Promise<McpApplication> => createApp([], {}, [EngineModule.forRoot(options)]);

/** Holds calls until the test lets them go. */
class Gate {
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #opened = once(this.#events, 'open');
  entered = 0;

  async pass(): Promise<void> {
    this.entered += 1;
    this.#events.emit('enter');
    await this.#opened;
  }

  async whenEntered(count: number): Promise<void> {
    while (this.entered < count) await once(this.#events, 'enter');
  }

  open(): void {
    this.#events.emit('open');
  }
}

interface CallContext extends EngineContext<{ number: number }> {
  tenant?: string;
  mark?: number;
}

test('F19: 200 calls of one engine at the same time each see their own request, and leave the base context as it was', async () => {
  const base = { tenant: 'acme', provider: { model: 'm' } };
  const gate = new Gate();
  const contexts = new Set<object>();
  const engine: EngineLike = {
    id: 'reads',
    async execute(context: CallContext) {
      contexts.add(context);
      const before = [Object.keys(context).includes('mark'), context.tenant];
      // Everything it can do to its context it does.
      context.mark = context.request.input.number;
      context.tenant = `of ${String(context.mark)}`;
      Object.assign(context.request, { strategy: context.tenant });
      await gate.pass();
      return [before, context.mark, context.request.input.number, context.request.strategy];
    },
  };
  const app = await served({ engines: [engine], context: base });
  const clients = await everyClient(app);
  const calls = Array.from({ length: 200 }, async (_, number) => {
    if (number % 4 === 3) return app.tools.call('reads', { number });
    return clients[number % 4]?.[1].callTool({ name: 'reads', arguments: { number } });
  });
  await gate.whenEntered(200);
  gate.open();
  const answers = (await Promise.all(calls)).map((answer) => JSON.parse(textOf(answer)) as unknown);
  expect(answers).toEqual(answers.map((_, number) => [[false, 'acme'], number, number, `of ${String(number)}`]));
  expect(contexts.size).toBe(200);
  expect(base).toEqual({ tenant: 'acme', provider: { model: 'm' } });
});

test('F19: a frozen base context and a frozen provider do', async () => {
  const base = Object.freeze({ tenant: 'acme' });
  const engine = { id: 'writes', execute: (context: CallContext) => ((context.tenant = 'other'), context.tenant) };
  const app = await served({ engines: [engine], context: base });
  expect(textOf(await app.tools.call('writes'))).toBe('"other"');
  expect(textOf(await app.tools.call('writes'))).toBe('"other"');
  expect(base).toEqual({ tenant: 'acme' });
});

const cycle: Record<string, unknown> = { secret: 'SECRET' };
cycle['self'] = cycle;

test.each([
  ['throws', () => { throw new Error('no pages'); }, { isError: true, text: /^no pages$/ }], // prettier-ignore
  ['rejects', () => Promise.reject(new Error('no pages')), { isError: true, text: /^no pages$/ }],
  ['returns undefined', () => undefined, { isError: undefined, text: /^null$/ }],
  ['returns a cycle', () => cycle, { isError: true, text: /^Internal error \(ref [0-9a-f]{8}\)$/ }],
  ['returns a BigInt', () => ({ big: 1n }), { isError: true, text: /^Internal error \(ref [0-9a-f]{8}\)$/ }],
  ['returns a function', () => () => 1, { isError: undefined, text: /^null$/ }],
  [
    'returns what throws when it is written',
    () => ({
      toJSON() {
        throw new Error('SECRET');
      },
    }),
    { isError: true, text: /^Internal error \(ref [0-9a-f]{8}\)$/ },
  ],
  [
    'throws what cannot be read',
    () => {
      throw Object.defineProperty(new Error(), 'message', {
        get() {
          throw new Error('SECRET');
        },
      });
    },
    { isError: true, text: /^Internal error \(ref [0-9a-f]{8}\)$/ },
  ],
  ['returns itself as a promise that rejects', async () => Promise.reject(new Error('late')), { isError: true, text: /^late$/ }],
])('F19: an engine that %s gets one answer through every door, and is served again', async (_what, execute, expected) => {
  const app = await served({ engines: [{ id: 'e', execute }] });
  for (const door of await everyDoor(app)) {
    for (let count = 0; count < 2; count += 1) {
      const { result } = await door.ask('tools/call', { name: 'e' });
      expect(result?.['isError']).toBe(expected.isError);
      expect(textOf(result)).toMatch(expected.text);
      expect(JSON.stringify(result)).not.toContain('SECRET');
    }
  }
});

test('F19: an engine registered and unregistered at run time appears and goes for clients of both eras, who are told', async () => {
  const app = await served({});
  const stream = await overStreams(app, ['http']);
  stream.send(INITIALIZE);
  await stream.next();
  stream.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const url = app.handles.find(({ mode }) => mode === 'http')?.url ?? '';
  const listeners = await Promise.all(LISTENERS.map((listen) => listen(url)));
  app.engines.register({ id: 'late', execute: () => 'here' });
  for (const { whenTold, client } of listeners) {
    await whenTold(1);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['late']);
    expect(textOf(await client.callTool({ name: 'late' }))).toBe('"here"');
  }
  expect(await stream.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  expect(app.engines.unregister('late')).toBe(true);
  for (const { whenTold, client } of listeners) {
    await whenTold(2);
    expect((await client.listTools()).tools).toEqual([]);
    await expect(client.callTool({ name: 'late' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  }
  expect(await stream.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
});

test('F19: a call that runs while its engine is unregistered, and replaced, finishes as the engine it began with', async () => {
  const gate = new Gate();
  const slow = { id: 'e', execute: async () => (await gate.pass(), 'the first') };
  const app = await served({ engines: [slow] });
  const clients = await everyClient(app);
  const calls = clients.map(([, client]) => client.callTool({ name: 'e' }));
  await gate.whenEntered(clients.length);
  app.engines.unregister('e');
  for (const [, client] of clients) {
    expect((await client.listTools()).tools).toEqual([]);
    await expect(client.callTool({ name: 'e' })).rejects.toMatchObject({ code: -32602 });
  }
  app.engines.register({ id: 'e', execute: () => 'the second' });
  for (const [, client] of clients) expect(textOf(await client.callTool({ name: 'e' }))).toBe('"the second"');
  gate.open();
  expect((await Promise.all(calls)).map(textOf)).toEqual(clients.map(() => '"the first"'));
});

test('F19: a registration that fails changes nothing and tells nobody', async () => {
  const app = await served({ engines: [{ id: 'e', execute: () => 1 }] });
  const told = jest.fn();
  app.tools.onChange(told);
  expect(() => app.engines.register({ id: 'e', execute: () => 2 })).toThrow('Engine already registered: "e"');
  expect(() => app.engines.register({ id: 'no name', execute: () => 2 })).toThrow(/MCP_TOOL_NAME/);
  app.tools.register({ name: 'tool', execute: () => 1 });
  expect(told).toHaveBeenCalledTimes(1);
  expect(() => app.engines.register({ id: 'tool', execute: () => 2 })).toThrow('Tool already registered: "tool"');
  expect(app.engines.list().map(({ id }) => id)).toEqual(['e']);
  expect(app.tools.list().map(({ name }) => name)).toEqual(['e', 'tool']);
  expect(told).toHaveBeenCalledTimes(1);
});

test('F19: an id that is another at every look is one engine, which goes whole', async () => {
  let looks = 0;
  const shifty = {
    get id(): string {
      return `shifty_${String((looks += 1))}`;
    },
    execute: ({ request }: EngineContext) => request.strategy,
  };
  const app = await served({});
  app.engines.register(shifty);
  const [name = ''] = app.tools.list().map((tool) => tool.name);
  expect(app.engines.has(name)).toBe(true);
  expect(textOf(await app.tools.call(name))).toBe(JSON.stringify(name));
  expect(app.engines.unregister(name)).toBe(true);
  expect(app.tools.list()).toEqual([]);
});
