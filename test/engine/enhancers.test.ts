import { EventEmitter, once } from 'node:events';
import {
  APP_GUARD,
  Catch,
  Engine,
  EngineAdapter,
  EngineModule,
  EngineRegistryAdapter,
  Injectable,
  McpContext,
  McpSetupError,
  Scope,
  ToolError,
  ToolRegistry,
  toTool,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type EngineContext,
  type EngineLike,
  type ExceptionFilter,
  type ExecutionContext,
  type McpApplication,
  type Provider,
  type Type,
} from 'perch-mcp';
import { closeApps, createApp, everyDoor, overStreams } from '../support/app';
import { closeClients, everyClient, textOf } from '../support/every-client';
import { INITIALIZE } from '../support/wire';

afterEach(async () => {
  await closeClients();
  await closeApps();
});

const served = (providers: readonly Provider[], engines: readonly EngineLike[] = []): Promise<McpApplication> =>
  createApp(providers, {}, [EngineModule.forRoot({ engines })]);

type EngineClass = Type<EngineLike>;
type Serve = (type: EngineClass, providers: readonly Provider[]) => Promise<McpApplication>;

const afterwards =
  (register: (app: McpApplication, engine: EngineLike) => void): Serve =>
  async (type, providers) => {
    const app = await served(providers);
    register(app, new type());
    return app;
  };

/** Every way by which an engine without dependencies becomes a tool of an application. */
const WAYS: readonly (readonly [string, Serve])[] = [
  ['as a provider', (type, providers) => served([type, ...providers])],
  ['as a value', (type, providers) => served([{ provide: type, useValue: new type() }, ...providers])],
  ['by a factory', (type, providers) => served([{ provide: 'made', useFactory: () => new type() }, ...providers])],
  ['by a factory, behind a proxy', (type, providers) => served([{ provide: 'made', useFactory: () => proxied(type) }, ...providers])],
  ['as an option', (type, providers) => served(providers, [new type()])],
  ['at run time', afterwards((app, engine) => app.engines.register(engine))],
  [
    'at run time, behind a proxy that hides its class',
    afterwards((app, engine) => app.engines.register(new Proxy(engine, { get: (target, key) => (key === 'constructor' ? undefined : Reflect.get(target, key)) }))), // prettier-ignore
  ],
  [
    'at run time, with a field called constructor',
    afterwards((app, engine) => app.engines.register(Object.assign(engine, { constructor: Object }))),
  ],
  ['by an adapter', afterwards((app, engine) => new EngineAdapter(app.tools).registerEngine(engine))],
  ['as a converted tool', afterwards((app, engine) => void app.tools.register(toTool(engine)))],
  ['as a copy of a converted tool', afterwards((app, engine) => void app.tools.register({ ...toTool(engine), description: 'changed' }))],
  [
    'as a copy of its registered tool',
    afterwards((app, engine) => {
      const { execute = () => undefined, ...tool } = app.tools.register({ ...toTool(engine), name: 'first' });
      app.tools.register({ ...tool, execute, name: 'e' });
    }),
  ],
  [
    'in bulk',
    afterwards((app, engine) => {
      app.engines.register(engine);
      new EngineRegistryAdapter(app.engines, app.tools, { toolName: () => 'bulk' }).registerAll();
      app.engines.unregister('e');
      const { name: _, execute = () => undefined, ...tool } = app.tools.get('bulk') ?? { name: '' };
      app.tools.register({ ...tool, execute, name: 'e' });
    }),
  ],
  [
    'from the constructor of another provider',
    async (type, providers) => {
      class Plugin {
        constructor(app: { tools: McpApplication['tools'] }) {
          app.tools.register(toTool(new type()));
        }
      }
      return served([
        { provide: Plugin, useFactory: (tools: McpApplication['tools']) => new Plugin({ tools }), inject: [ToolRegistry] },
        ...providers,
      ]);
    },
  ],
];

function proxied(type: EngineClass): object {
  return new Proxy(new type(), {});
}

let ran: string[] = [];
beforeEach(() => {
  ran = [];
});

class Plain {
  readonly id = 'e';
  execute(context: EngineContext): unknown {
    ran.push('engine');
    return { strategy: context.request.strategy };
  }
}

@Injectable()
class Deny implements CanActivate {
  canActivate(): boolean {
    ran.push('deny');
    return false;
  }
}

/** A subclass of its own for each test, decorated without the help of the compiler. */
function decorated(base: EngineClass, ...decorators: ((type: any) => void)[]): EngineClass {
  class Decorated extends base {}
  for (const decorate of [...decorators].reverse()) decorate(Decorated);
  return Decorated;
}

const guardedMethod = (): EngineClass => {
  class Guarded extends Plain {
    @UseGuards(Deny)
    override execute(context: EngineContext): unknown {
      return super.execute(context);
    }
  }
  return Guarded;
};

const GUARDED: readonly (readonly [string, () => EngineClass])[] = [
  ['its class', () => decorated(Plain, Engine(), UseGuards(Deny))],
  ['a parent class', () => decorated(decorated(Plain, UseGuards(Deny)), Engine())],
  ['its method', () => decorated(guardedMethod(), Engine())],
];

describe.each(WAYS)('D18: an engine that is served %s', (_way, serve) => {
  test.each(GUARDED)('is never entered past the guard of %s', async (_where, make) => {
    const app = await serve(make(), [Deny]);
    const doors = await everyDoor(app);
    for (const door of doors) {
      const { result } = await door.ask('tools/call', { name: 'e' });
      expect(result).toMatchObject({ isError: true, content: [{ text: 'Forbidden' }] });
    }
    expect(await app.tools.call('e')).toMatchObject({ isError: true, content: [{ text: 'Forbidden' }] });
    expect(ran).toEqual([...doors, 'in process'].map(() => 'deny'));
  });

  test('runs between its interceptors, which see the raw result, after its guards and pipes', async () => {
    const seen: unknown[] = [];
    const type = decorated(
      Plain,
      Engine(),
      UseGuards({ canActivate: () => (ran.push('guard'), true) }),
      UsePipes({ transform: (value: unknown) => (ran.push('pipe'), value) }),
      UseInterceptors({
        async intercept(_context: ExecutionContext, next: () => Promise<unknown>) {
          ran.push('before');
          seen.push(await next());
          ran.push('after');
          return seen[0];
        },
      }),
    );
    const app = await serve(type, []);
    expect(textOf(await app.tools.call('e'))).toBe('{"strategy":"e"}');
    expect(ran).toEqual(['guard', 'before', 'pipe', 'engine', 'after']);
    expect(seen).toEqual([{ strategy: 'e' }]);
  });

  test('shows a global guard its class and its method', async () => {
    const seen: unknown[] = [];
    class Roles implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        seen.push(Reflect.getMetadata('roles', context.getClass()), Reflect.getMetadata('roles', context.getHandler()));
        return false;
      }
    }
    class Marked extends Plain {
      override execute(context: EngineContext): unknown {
        return super.execute(context);
      }
    }
    Engine()(Marked);
    Reflect.defineMetadata('roles', ['admin'], Marked);
    Reflect.defineMetadata('roles', ['owner'], Marked.prototype.execute);
    const app = await serve(Marked, [{ provide: APP_GUARD, useClass: Roles }]);
    expect(await app.tools.call('e')).toMatchObject({ isError: true });
    expect(seen).toEqual([['admin'], ['owner']]);
  });
});

test.each([
  ['at run time', (app: McpApplication, engine: EngineLike) => app.engines.register(engine)],
  ['by an adapter', (app: McpApplication, engine: EngineLike) => new EngineAdapter(app.tools).registerEngine(engine)],
  ['as a converted tool', (app: McpApplication, engine: EngineLike) => void app.tools.register(toTool(engine))],
])('D18: an engine whose guard cannot be found is refused %s, and nothing has changed', async (_way, register) => {
  const app = await served([]);
  const type = decorated(Plain, UseGuards(Deny));
  expect(() => register(app, new type())).toThrow(McpSetupError);
  expect(() => register(app, new type())).toThrow(/MCP_PROVIDER_UNREACHED: Deny among the guards of Decorated/);
  expect([app.tools.list(), app.engines.list()]).toEqual([[], []]);
});

test('D18: an engine option whose guard cannot be found stops the boot', async () => {
  const type = decorated(Plain, UseGuards(Deny));
  await expect(served([], [new type()])).rejects.toMatchObject({ code: 'MCP_PROVIDER_UNREACHED' });
});

test('D18: a request-scoped guard decides each call of a singleton engine by its own caller', async () => {
  const made: unknown[] = [];
  @Injectable({ scope: Scope.REQUEST })
  class ByEra implements CanActivate {
    constructor(private readonly context: McpContext) {
      made.push(this);
    }
    canActivate(): boolean {
      return this.context.era === 'modern';
    }
  }
  const type = decorated(Plain, UseGuards(ByEra));
  const app = await served([ByEra], [new type()]);
  app.engines.register(Object.assign(new type(), { id: 'late' }));
  const clients = await everyClient(app);
  for (const [name, client] of clients) {
    const isModern = name.includes('2026-07-28');
    for (const engine of ['e', 'late']) {
      expect((await client.callTool({ name: engine })).isError).toBe(isModern ? undefined : true);
    }
  }
  const modern = clients.filter(([name]) => name.includes('2026-07-28'));
  expect(modern.length).toBeGreaterThan(0);
  expect(ran).toEqual([...modern, ...modern].map(() => 'engine'));
  expect(new Set(made).size).toBe(2 * clients.length);
});

test('a filter sees what the engine threw, as it was, and its answer is sent like that of any filter', async () => {
  class PageError extends Error {}
  class OldFault {
    readonly code = 5;
  }
  const thrown = [new PageError('no pages'), new OldFault(), 'just text'];
  const caught: unknown[] = [];
  const filter: ExceptionFilter = {
    catch(error) {
      caught.push(error);
      return { content: [{ type: 'text', text: 'filtered' }], isError: true };
    },
  };
  class Fails {
    readonly id = 'e';
    execute(): never {
      throw thrown[caught.length];
    }
  }
  UseFilters(filter)(Fails);
  const app = await served([], [new Fails()]);
  for (let count = 0; count < thrown.length; count += 1) {
    expect(await app.tools.call('e')).toEqual({ content: [{ type: 'text', text: 'filtered' }], isError: true });
  }
  expect(caught[0]).toBe(thrown[0]);
  expect(caught[1]).toBe(thrown[1]);
  expect(caught[2]).toMatchObject({ message: 'just text', cause: 'just text' });
});

test('a filter for one class of errors leaves the others with the message of the engine', async () => {
  class Fails {
    readonly id = 'e';
    execute(): never {
      throw new RangeError('page 9 of 3');
    }
  }
  class OnlyTypes implements ExceptionFilter {
    catch(): string {
      return 'filtered';
    }
  }
  Catch(TypeError)(OnlyTypes);
  UseFilters(OnlyTypes)(Fails);
  const app = await served([OnlyTypes], [new Fails()]);
  expect(await app.tools.call('e')).toMatchObject({ isError: true, content: [{ text: 'page 9 of 3' }] });
});

test.each([
  ['a guard', UseGuards({ canActivate: () => Promise.reject(new Error('SECRET')) }), /^Forbidden$/],
  ['an interceptor before', UseInterceptors({ intercept: () => Promise.reject(new Error('SECRET')) }), /^Internal error \(ref/],
  [
    'an interceptor after',
    UseInterceptors({ intercept: async (_: ExecutionContext, next: () => Promise<unknown>) => (await next(), Promise.reject(new Error('SECRET'))) }), // prettier-ignore
    /^Internal error \(ref/,
  ],
  ['a pipe', UsePipes({ transform: () => Promise.reject(new Error('SECRET')) }), /^Internal error \(ref/],
  ['a filter', UseFilters({ catch: () => Promise.reject(new Error('SECRET')) }), /^Internal error \(ref/],
])('the error of %s is never shown, though the messages of engines are', async (_what, decorate, expected) => {
  class Fails {
    readonly id = 'e';
    execute({ request }: EngineContext<{ fail?: boolean }>): string {
      if (request.input.fail === true) throw new Error('own');
      return 'fine';
    }
  }
  decorate(Fails);
  const app = await served([], [new Fails()]);
  const answers = [await app.tools.call('e', {}), await app.tools.call('e', { fail: true })];
  expect(JSON.stringify(answers)).not.toContain('SECRET');
  expect(answers.some((answer) => expected.test(textOf(answer)))).toBe(true);
});

test('a ToolError that an interceptor makes of an engine error is shown, also where engine errors are hidden', async () => {
  class Fails {
    readonly id = 'e';
    execute(): never {
      throw new Error('SECRET');
    }
  }
  UseInterceptors({
    intercept: async (_: ExecutionContext, next: () => Promise<unknown>) => {
      try {
        return await next();
      } catch (cause) {
        throw new ToolError('The document is locked', { cause });
      }
    },
  })(Fails);
  const app = await createApp([], {}, [EngineModule.forRoot({ engines: [new Fails()], exposeErrors: false })]);
  expect(textOf(await app.tools.call('e'))).toBe('The document is locked');
});

test('an engine that takes longer than its timeoutMs is answered, told through its signal, and its late error is nobody’s', async () => {
  const events = new EventEmitter();
  @Engine({ timeoutMs: 20 })
  class Slow {
    readonly id = 'slow';
    async execute({ signal }: EngineContext): Promise<never> {
      await once(signal as AbortSignal, 'abort');
      events.emit('told');
      throw new Error('late');
    }
  }
  const app = await served([Slow]);
  for (const door of await everyDoor(app)) {
    const told = once(events, 'told');
    const { result } = await door.ask('tools/call', { name: 'slow' });
    expect(result).toMatchObject({ isError: true, content: [{ text: 'Timed out' }] });
    await told;
  }
});

test('an engine reports progress through its context', async () => {
  class Works {
    readonly id = 'works';
    async execute({ progress }: EngineContext): Promise<string> {
      await progress?.(1, { total: 2, message: 'half' });
      return 'done';
    }
  }
  const app = await served([], [new Works()]);
  const stream = await overStreams(app);
  stream.send(INITIALIZE);
  await stream.next();
  stream.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'works', _meta: { progressToken: 't' } } });
  expect(await stream.next()).toMatchObject({
    method: 'notifications/progress',
    params: { progressToken: 't', progress: 1, total: 2, message: 'half' },
  });
  expect(textOf((await stream.next())['result'])).toBe('"done"');
});
