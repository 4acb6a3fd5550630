import { bootContainer, codesOf, problemsOf } from './boot';
import { DiscoveryService } from '../../src/container/discovery-service';
import { ModuleRef } from '../../src/container/module-ref';
import type { DynamicModule } from '../../src/contracts/provider';
import { Inject, Optional, forwardRef } from '../../src/decorators/inject';
import { Injectable } from '../../src/decorators/injectable';
import { Global, Module } from '../../src/decorators/module';

@Injectable()
class Clock {
  readonly now = 1;
}

test('every form of provider is built after what it depends on, and asynchronous factories are awaited', async () => {
  class Connection {
    constructor(readonly url: string) {}
  }
  @Injectable()
  class Repository {
    constructor(
      readonly connection: Connection,
      @Inject('LIMIT') readonly limit: number,
      @Optional() @Inject('MISSING') readonly missing?: string,
    ) {}
  }
  const connect = async (clock: Clock): Promise<Connection> => Promise.resolve(new Connection(`db://${clock.now}`));
  const container = await bootContainer({
    providers: [
      Repository,
      { provide: Connection, useFactory: connect, inject: [Clock] },
      { provide: 'LIMIT', useValue: 10 },
      { provide: 'alias', useExisting: Repository },
      { provide: 'other', useClass: Clock },
      Clock,
    ],
  });
  const repository = container.get(Repository);
  expect(repository.connection.url).toBe('db://1');
  expect(repository.limit).toBe(10);
  expect(repository.missing).toBeUndefined();
  expect(container.get('alias')).toBe(repository);
  expect(container.get('other')).not.toBe(container.get(Clock));
});

test('undefined, null and false are values; a promise given as a value is awaited', async () => {
  const container = await bootContainer({
    providers: [
      { provide: 'undefined', useValue: undefined },
      { provide: 'null', useValue: null },
      { provide: 'false', useValue: false },
      { provide: 'promise', useValue: Promise.resolve(7) },
      { provide: 'sum', useFactory: (...all: unknown[]) => all, inject: ['undefined', 'null', 'false', 'promise'] },
    ],
  });
  expect(container.get('sum')).toEqual([undefined, null, false, 7]);
});

test('a factory receives undefined for a missing optional dependency', async () => {
  const inject = [{ token: 'nothing', optional: true }, { token: Clock }];
  const container = await bootContainer({ providers: [Clock, { provide: 'f', useFactory: (...all: unknown[]) => all, inject }] });
  expect(container.get('f')).toEqual([undefined, container.get(Clock)]);
});

test('property injection sets the property after construction, also one that a parent declares', async () => {
  class Parent {
    @Inject() readonly clock!: Clock;
    @Optional() @Inject('nothing') readonly nothing?: string;
  }
  @Injectable()
  class Child extends Parent {
    @Inject('NAME') readonly name!: string;
  }
  const container = await bootContainer({ providers: [Clock, Child, { provide: 'NAME', useValue: 'child' }] });
  expect(container.get(Child)).toMatchObject({ clock: { now: 1 }, name: 'child', nothing: undefined });
});

describe('modules', () => {
  @Module({ providers: [Clock], exports: [Clock] })
  class ClockModule {}

  test('a static module that is imported twice is one module', async () => {
    @Module({ imports: [ClockModule], providers: [{ provide: 'a', useExisting: Clock }], exports: ['a'] })
    class A {}
    @Module({ imports: [ClockModule], providers: [{ provide: 'b', useExisting: Clock }], exports: ['b'] })
    class B {}
    const container = await bootContainer({ imports: [A, B] });
    expect(container.get('a')).toBe(container.get('b'));
  });

  test('a dynamic module is the same module only as the same object, and adds to what its class declares', async () => {
    @Module({ providers: [Clock] })
    class Feature {}
    const same: DynamicModule = { module: Feature, providers: [{ provide: 'option', useValue: 1 }], exports: ['option', Clock] };
    @Module({ imports: [same], exports: [same] })
    class First {}
    const container = await bootContainer({ imports: [First, same, Promise.resolve({ ...same }), { ...same }] });
    expect(container.get(Clock, { each: true })).toHaveLength(3);
    expect(new Set(container.get(Clock, { each: true })).size).toBe(3);
  });

  test('own providers come before those of imports, the first import before the second, and imports before global ones', async () => {
    const provides = (value: string): DynamicModule => ({
      module: class Holder {},
      providers: [{ provide: 'x', useValue: value }],
      exports: ['x'],
    });
    const reader = { provide: 'read', useFactory: (x: string) => x, inject: ['x'] };
    const globally = { ...provides('global'), global: true };
    const read = async (imports: DynamicModule[], own: string[] = []): Promise<string> => {
      const providers = [reader, ...own.map((value) => ({ provide: 'x', useValue: value }))];
      return (await bootContainer({ imports: [globally, { module: class Reading {}, imports, providers }] })).get('read');
    };
    expect(await read([])).toBe('global');
    expect(await read([provides('first'), provides('second')])).toBe('first');
    expect(await read([provides('first')], ['own'])).toBe('own');
  });

  test('a module gives on what it imports by exporting the module, through several levels and by the class of a dynamic one', async () => {
    @Module({ imports: [ClockModule], exports: [ClockModule] })
    class Middle {}
    const dynamic: DynamicModule = { module: class Dynamic {}, imports: [Middle], exports: [Middle] };
    @Module({ imports: [dynamic], exports: [dynamic.module] })
    class Outer {}
    @Injectable()
    class Reader {
      constructor(readonly clock: Clock) {}
    }
    const container = await bootContainer({ imports: [Outer], providers: [Reader] });
    expect(container.get(Reader).clock).toBe(container.get(Clock));
  });

  test('the exports of a @Global module are visible without an import', async () => {
    @Global()
    @Module({ providers: [Clock], exports: [Clock] })
    class Everywhere {}
    @Module({ providers: [{ provide: 'read', useFactory: (clock: Clock) => clock, inject: [Clock] }] })
    class Reader {}
    const container = await bootContainer({ imports: [Reader, Everywhere] });
    expect(container.get('read')).toBeInstanceOf(Clock);
  });

  test('modules that import each other through forwardRef see each other', async () => {
    @Module({ imports: [forwardRef(() => Right)], providers: [{ provide: 'left', useValue: 1 }], exports: ['left'] })
    class Left {}
    @Module({ imports: [forwardRef(() => Left)], providers: [{ provide: 'sum', useFactory: (n: number) => n + 1, inject: ['left'] }] })
    class Right {}
    expect((await bootContainer(Left)).get('sum')).toBe(2);
  });

  test('a forward reference to a function call is one module, however often the graph comes by', async () => {
    let calls = 0;
    const reference = forwardRef((): DynamicModule => ({
      module: class Made {},
      providers: [{ provide: 'n', useValue: ++calls }],
      exports: ['n'],
    }));
    @Module({ imports: [reference] })
    class A {}
    await bootContainer({ imports: [A, reference] });
    expect(calls).toBe(1);
  });

  test('the class of a module is built with what it asks for, and can be injected inside the module', async () => {
    @Module({ providers: [Clock, { provide: 'module', useFactory: (module: unknown) => module, inject: [forwardRef(() => Host)] }] })
    class Host {
      constructor(readonly clock: Clock) {}
    }
    const container = await bootContainer(Host);
    expect(container.get(Host).clock).toBe(container.get(Clock));
    expect(container.get('module')).toBe(container.get(Host));
  });
});

describe('get, resolve and select', () => {
  const make = (name: string): DynamicModule => ({ module: class Made {}, providers: [{ provide: 'name', useValue: name }] });

  test('get finds a provider of any module, the last one where several have the token, and strictly only the root', async () => {
    const container = await bootContainer({ imports: [make('a'), make('b')], providers: [{ provide: 'own', useValue: 1 }] });
    expect(container.get('name')).toBe('b');
    expect(container.get('name', { each: true })).toEqual(['a', 'b']);
    expect(container.get('own', { strict: true })).toBe(1);
    expect(() => container.get('name', { strict: true })).toThrow(/Could not find the "name" element/);
    expect(() => container.get('nope')).toThrow(/this provider does not exist in the current context/);
  });

  test('select gives one module, by class or by dynamic module object', async () => {
    const a = make('a');
    const container = await bootContainer({ imports: [a, make('b')] });
    expect(container.select(a).get('name', { strict: true })).toBe('a');
    expect(() => container.select(class Unknown {})).toThrow(
      'Could not select the given module (Unknown does not exist in the current context).',
    );
  });

  test('ModuleRef is strict about its own module unless told otherwise, and builds a class that is no provider', async () => {
    @Injectable()
    class Job {
      constructor(readonly clock: Clock) {}
    }
    @Injectable()
    class Broken {
      constructor(@Inject('nothing') readonly nothing: string) {}
    }
    @Injectable()
    class Runner {
      constructor(readonly modules: ModuleRef) {}
    }
    const container = await bootContainer({ imports: [make('a')], providers: [Clock, Runner] });
    const { modules } = container.get(Runner);
    expect(() => modules.get('name')).toThrow(/Could not find/);
    expect(modules.get('name', { strict: false })).toBe('a');
    expect((await modules.create(Job)).clock).toBe(container.get(Clock));
    expect(await modules.create(Job)).not.toBe(await modules.create(Job));
    await expect(modules.create(Broken)).rejects.toMatchObject({ code: 'MCP_DEPENDENCY_UNRESOLVED' });
  });

  test('DiscoveryService lists the providers of all modules or of some, and reads what its decorators were given', async () => {
    const Marked = DiscoveryService.createDecorator<{ readonly order: number }>();
    @Marked({ order: 1 })
    @Injectable()
    class Worker {
      @Marked({ order: 2 })
      work(): void {}
    }
    @Injectable()
    class Lister {
      constructor(readonly discovery: DiscoveryService) {}
    }
    const a = make('a');
    const container = await bootContainer({ imports: [a], providers: [Worker, Lister] });
    const { discovery } = container.get(Lister);
    expect(discovery.getProviders().map((each) => each.token)).toEqual(expect.arrayContaining([Worker, Lister, 'name']));
    expect(discovery.getProviders({ include: [a.module] }).map((each) => each.token)).not.toContain(Worker);
    const marked = discovery.getProviders({ metadataKey: Marked.KEY });
    expect(marked).toMatchObject([{ token: Worker, metatype: Worker, moduleName: 'RootModule', instance: container.get(Worker) }]);
    expect(marked.map((each) => discovery.getMetadataByDecorator(Marked, each))).toEqual([{ order: 1 }]);
    expect(marked.map((each) => discovery.getMetadataByDecorator(Marked, each, 'work'))).toEqual([{ order: 2 }]);
    expect(marked.map((each) => discovery.getMetadataByDecorator(Marked, each, 'none'))).toEqual([undefined]);
  });
});

test('F18: two containers of one module share no instance', async () => {
  @Module({ providers: [Clock] })
  class Shared {}
  const [one, other] = [await bootContainer(Shared), await bootContainer(Shared)];
  expect(one.get(Clock)).not.toBe(other.get(Clock));
  await one.close();
  expect(other.get(Clock)).toBeInstanceOf(Clock);
});

test('a container that was not built gives its problems instead of instances', async () => {
  expect(codesOf(await problemsOf(class Nothing {}))).toEqual(['MCP_MODULE_INVALID']);
});
