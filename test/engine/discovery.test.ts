import {
  Engine,
  EngineModule,
  EngineRegistry,
  Injectable,
  McpSetupError,
  McpTool,
  Module,
  UseGuards,
  type CanActivate,
  type EngineContext,
  type EngineLike,
  type McpApplication,
  type Provider,
} from 'perch-mcp';
import { Test } from 'perch-mcp/testing';
import { closeApps, createApp, everyDoor } from '../support/app';
import { textOf } from '../support/every-client';

afterEach(closeApps);

const served = (providers: readonly Provider[], engines: readonly EngineLike[] = []): Promise<McpApplication> =>
  createApp(providers, {}, [EngineModule.forRoot({ engines })]);
const names = ({ tools }: McpApplication): string[] => tools.list().map(({ name }) => name);

@Injectable()
class Greeter {
  greet(name: string): string {
    return `Hello, ${name}`;
  }
}

@Engine({ id: 'greets', name: 'Greets' })
class Greets {
  constructor(readonly greeter: Greeter) {}
  execute({ request }: EngineContext<{ name: string }>): string {
    return this.greeter.greet(request.input.name);
  }
}

const call = async (app: McpApplication, name: string): Promise<string> => textOf(await app.tools.call(name, { name: 'Ada' }));

test.each<[string, Provider]>([
  ['a class', Greets],
  ['a class under another token', { provide: 'greets', useClass: Greets }],
  ['a value', { provide: 'greets', useValue: new Greets(new Greeter()) }],
  ['a factory', { provide: 'greets', useFactory: (greeter: Greeter) => new Greets(greeter), inject: [Greeter] }],
  ['a slow factory', { provide: Greets, useFactory: async (greeter: Greeter) => new Greets(greeter), inject: [Greeter] }],
  ['a proxy', { provide: 'greets', useFactory: () => new Proxy(new Greets(new Greeter()), {}) }],
])('an engine that is provided as %s is found and injected', async (_what, provider) => {
  const app = await served([provider, Greeter]);
  for (const door of await everyDoor(app)) {
    const { result } = await door.ask('tools/call', { name: 'greets', arguments: { name: 'Ada' } });
    expect(textOf(result)).toBe('"Hello, Ada"');
  }
});

test('another name for an engine is no second engine', async () => {
  expect(names(await served([Greets, Greeter, { provide: 'alias', useExisting: Greets }]))).toEqual(['greets']);
});

test('a subclass is the engine that its parent is, or the one that it says it is', async () => {
  class Shouts extends Greets {
    override execute(context: EngineContext<{ name: string }>): string {
      return super.execute(context).toUpperCase();
    }
  }
  @Engine({ id: 'whispers' })
  class Whispers extends Greets {}
  const app = await served([Shouts, Whispers, Greeter]);
  expect(names(app)).toEqual(['greets', 'whispers']);
  expect(await call(app, 'greets')).toBe('"HELLO, ADA"');
  const boot = served([Greets, Shouts, Greeter]);
  await expect(boot).rejects.toMatchObject({ code: 'MCP_ENGINE_DUPLICATE' });
  await expect(boot).rejects.toThrow(/Greets .*and Shouts/);
});

test('a class that two modules provide is one engine, the first in scan order', async () => {
  @Module({ providers: [Greets, { provide: Greeter, useValue: { greet: () => 'first' } }] })
  class FirstModule {}
  @Module({ providers: [Greets, { provide: Greeter, useValue: { greet: () => 'second' } }] })
  class SecondModule {}
  const app = await createApp([], {}, [FirstModule, SecondModule, EngineModule.forRoot()]);
  expect(names(app)).toEqual(['greets']);
  expect(app.engines.list()).toHaveLength(1);
  expect(await call(app, 'greets')).toBe('"first"');
});

test('an object that is provided and given as an option is one engine', async () => {
  const greets = new Greets(new Greeter());
  expect(names(await served([{ provide: Greets, useValue: greets }], [greets, greets]))).toEqual(['greets']);
});

test('an engine whose constructor registers others, and one that registers itself, are presented once each', async () => {
  @Engine({ id: 'pack' })
  class Pack {
    constructor(engines: EngineRegistry) {
      engines.register({ id: 'member', execute: () => 'member' });
      engines.register(this);
    }
    execute(): string {
      return 'pack';
    }
  }
  const app = await served([Pack]);
  expect(names(app)).toEqual(['member', 'pack']);
  expect(await call(app, 'member')).toBe('"member"');
});

test('D18: an engine that registers itself has the guards that its own module provides', async () => {
  class Deny implements CanActivate {
    canActivate(): boolean {
      return false;
    }
  }
  @Engine({ id: 'eager' })
  @UseGuards(Deny)
  class Eager {
    constructor(engines: EngineRegistry) {
      engines.register(this);
    }
    execute(): string {
      return 'entered';
    }
  }
  const feature = { module: class FeatureModule {}, providers: [Eager, Deny] };
  const app = await createApp([], {}, [feature, EngineModule.forRoot()]);
  expect(await call(app, 'eager')).toBe('Forbidden');
});

test('what a constructor registered and nobody can present stops the boot', async () => {
  class Plugin {
    constructor(engines: EngineRegistry) {
      engines.register({ id: 'two words', execute: () => 1 });
    }
  }
  Injectable()(Plugin);
  Reflect.defineMetadata('design:paramtypes', [EngineRegistry], Plugin);
  await expect(served([Plugin])).rejects.toMatchObject({ code: 'MCP_TOOL_NAME' });
});

test('engines that a start hook registers are served from the first request on', async () => {
  @Injectable()
  class Plugins {
    constructor(private readonly engines: EngineRegistry) {}
    async onModuleInit(): Promise<void> {
      this.engines.register({ id: 'early', execute: () => 'early' });
    }
    onApplicationBootstrap(): void {
      this.engines.register({ id: 'earlier', execute: () => 'earlier' });
    }
  }
  for (const door of await everyDoor(await served([Plugins]))) {
    const { result } = await door.ask('tools/list');
    expect(result?.['tools']).toMatchObject([{ name: 'early' }, { name: 'earlier' }]);
  }
});

test('a start hook that registers what is refused fails the start', async () => {
  class Plugins {
    constructor(private readonly engines: EngineRegistry) {}
    onModuleInit(): void {
      this.engines.register({ id: '', execute: () => 1 });
    }
  }
  Injectable()(Plugins);
  Reflect.defineMetadata('design:paramtypes', [EngineRegistry], Plugins);
  const app = await served([Plugins]);
  await expect(app.init()).rejects.toThrow(McpSetupError);
});

test('a stand-in for an engine class has the id, the input and the guards of that class', async () => {
  class Deny implements CanActivate {
    canActivate(context: { switchToMcp(): { arguments: unknown } }): boolean {
      return (context.switchToMcp().arguments as { name: string }).name !== 'nobody';
    }
  }
  UseGuards(Deny)(Greets);
  const module = Test.createTestingModule({ imports: [EngineModule.forRoot()], providers: [Greets, Greeter, Deny] });
  const app = await module
    .overrideProvider(Greets)
    .useValue({ execute: () => 'stand-in' })
    .compile();
  try {
    expect(app.tools.list()).toMatchObject([{ name: 'greets', title: 'Greets' }]);
    expect(await call(app, 'greets')).toBe('"stand-in"');
    expect(textOf(await app.tools.call('greets', { name: 'nobody' }))).toBe('Forbidden');
  } finally {
    await app.close();
  }
});

test.each<[string, unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['a string', 'engine'],
  ['an object without execute', {}],
])('a factory that makes %s for an engine class stops the boot', async (_what, made) => {
  @Engine({ id: 'made' })
  class Made {
    execute(): void {}
  }
  await expect(served([{ provide: Made, useFactory: () => made }])).rejects.toMatchObject({ code: 'MCP_ENGINE_INVALID' });
});

test('a class where an instance was meant is named, and not printed', async () => {
  const boot = served([], [Greets as unknown as EngineLike]);
  await expect(boot).rejects.toMatchObject({ code: 'MCP_ENGINE_INVALID' });
  await expect(boot).rejects.toThrow('The class Greets, of which an instance is needed, is not an engine.');
});

test('an engine whose execute is a property runs with its fields, and guards can ask for its handler', async () => {
  const seen: unknown[] = [];
  class Arrow {
    readonly id = 'arrow';
    readonly answer = 42;
    readonly execute = (): number => this.answer;
  }
  UseGuards({ canActivate: (context: { getHandler(): unknown }) => (seen.push(typeof context.getHandler()), true) })(Arrow);
  Engine()(Arrow);
  const app = await served([Arrow]);
  expect(await call(app, 'arrow')).toBe('42');
  expect(seen).toEqual(['function']);
});

test('one class can be a tool and an engine', async () => {
  @Engine({ id: 'as.engine' })
  @McpTool({ name: 'as_tool', description: 'd' })
  class Both {
    execute(): string {
      return 'both';
    }
  }
  const app = await served([Both]);
  expect(names(app)).toEqual(['as_tool', 'as.engine']);
  expect([textOf(await app.tools.call('as_tool')), textOf(await app.tools.call('as.engine'))]).toEqual(['both', '"both"']);
});

test('one instance in two applications is served by both, each with its own context', async () => {
  const shared: EngineLike = { id: 'shared', execute: ({ tenant }: { tenant: string }) => tenant };
  const [one, two] = await Promise.all(
    ['one', 'two'].map((tenant) => createApp([], {}, [EngineModule.forRoot({ engines: [shared], context: { tenant } })])),
  );
  expect([await call(one as McpApplication, 'shared'), await call(two as McpApplication, 'shared')]).toEqual(['"one"', '"two"']);
  one?.engines.unregister('shared');
  expect(names(two as McpApplication)).toEqual(['shared']);
});

test('an engine that its tool was taken from goes when it is unregistered, and what took its name stays', async () => {
  const app = await served([], [{ id: 'e', execute: () => 1 }]);
  app.tools.unregister('e');
  const foreign = app.tools.register({ name: 'e', execute: () => 'foreign' });
  expect(app.engines.unregister('e')).toBe(true);
  expect(app.tools.get('e')).toBe(foreign);
});
