import {
  Engine,
  EngineModule,
  Inject,
  Injectable,
  McpFactory,
  McpSetupError,
  McpTool,
  Module,
  Scope,
  ToolRegistry,
  toTool,
  type EngineLike,
  type EngineModuleOptions,
  type McpApplication,
  type ModuleImport,
  type Provider,
} from 'perch-mcp';
import { closeApps, createApp, everyDoor, RecordingLogger } from '../support/app';
import { textOf } from '../support/every-client';

afterEach(closeApps);

const engine = (id: string, execute: (context: never) => unknown = () => id): EngineLike => ({ id, execute });
const served = (options: EngineModuleOptions, providers: readonly Provider[] = []): Promise<McpApplication> =>
  createApp(providers, {}, [EngineModule.forRoot(options)]);
const names = ({ tools }: McpApplication): string[] => tools.list().map(({ name }) => name);

async function problemsOf(boot: Promise<unknown>): Promise<McpSetupError['problems']> {
  const error: unknown = await boot.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(McpSetupError);
  return (error as McpSetupError).problems;
}

const THREE = [engine('document.summarize'), engine('document.keywords'), engine('table.csv')];

test.each<[string, EngineModuleOptions, string[]]>([
  ['nothing', {}, ['document.summarize', 'document.keywords', 'table.csv']],
  ['an id to include', { include: ['table.csv'] }, ['table.csv']],
  ['a pattern to include', { include: ['document.*'] }, ['document.summarize', 'document.keywords']],
  ['a pattern whose dot is a dot', { include: ['documentxs*', 'table?csv'] }, []],
  ['no id to include', { include: [] }, []],
  ['everything to include', { include: ['*'] }, ['document.summarize', 'document.keywords', 'table.csv']],
  ['an id to exclude', { exclude: ['table.csv'] }, ['document.summarize', 'document.keywords']],
  ['what is included and excluded', { include: ['document.*'], exclude: ['*.keywords'] }, ['document.summarize']],
  ['functions', { include: ({ id }) => id !== 'table.csv', exclude: ({ id }) => id.endsWith('keywords') }, ['document.summarize']],
])('with %s, these engines are presented, and the registry has all', async (_what, options, presented) => {
  const app = await served({ ...options, engines: THREE });
  expect(names(app)).toEqual(presented);
  expect(app.engines.list()).toHaveLength(3);
  app.engines.register(engine('document.late'));
  app.engines.register(engine('table.late'));
  const late = options.include === undefined && options.exclude === undefined ? ['document.late', 'table.late'] : undefined;
  if (late !== undefined) expect(names(app)).toEqual([...presented, ...late]);
  expect(app.engines.unregister('document.late')).toBe(true);
  expect(names(app)).not.toContain('document.late');
});

test('an excluded engine is unknown to clients, and runs where the registry is asked', async () => {
  const app = await served({ engines: THREE, exclude: ['table.csv'] });
  for (const door of await everyDoor(app)) {
    expect(await door.ask('tools/call', { name: 'table.csv' })).toMatchObject({ error: { code: -32602 } });
  }
  expect(await app.engines.execute('table.csv', {})).toBe('table.csv');
});

test.each<[string, EngineModuleOptions]>([
  ['include', { include: (async () => false) as never }],
  ['exclude', { exclude: (() => undefined) as never }],
])('a function "%s" that says neither true nor false stops the boot', async (option, options) => {
  const problems = await problemsOf(served({ ...options, engines: [engine('e')] }));
  expect(problems).toMatchObject([{ code: 'MCP_OPTION_INVALID', problem: expect.stringContaining(`"${option}"`) }]);
});

test('an id that no engine has is warned of, a pattern is not', async () => {
  const logger = new RecordingLogger();
  await createApp([], { logger }, [EngineModule.forRoot({ engines: THREE, include: ['table.csv', 'tabel.csv'], exclude: ['none.*'] })]);
  expect(logger.lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
    'EngineModule.forRoot() includes or excludes "tabel.csv", and no engine has that id.',
  ]);
});

test.each([['two words'], ['ä'], ['a'.repeat(129)], ['a/b'], ['a\nb']])(
  'the id %j, which MCP does not allow as a name, is refused unless toolName maps it',
  async (id) => {
    const [problem] = await problemsOf(served({ engines: [engine(id)] }));
    expect(problem).toMatchObject({ code: 'MCP_TOOL_NAME', fix: expect.stringContaining('EngineModule.forRoot({ toolName') });
    const app = await served({ engines: [engine(id)], toolName: () => 'mapped' });
    expect(textOf(await app.tools.call('mapped'))).toBe(JSON.stringify(id));
    expect(app.engines.unregister(id)).toBe(true);
    expect(names(app)).toEqual([]);
  },
);

test('a toolName that throws, and one that gives no name, stop the boot and say which engine it was', async () => {
  const throws = (): string => {
    throw new Error('no mapping');
  };
  class Mapped {
    readonly id = 'mapped';
    execute(): void {}
  }
  expect(await problemsOf(served({ engines: [new Mapped()], toolName: throws }))).toMatchObject([
    { code: 'MCP_ENGINE_INVALID', problem: expect.stringMatching(/Mapped .*no mapping/) },
  ]);
  expect(await problemsOf(served({ engines: [new Mapped()], toolName: (async () => 'x') as never }))).toMatchObject([
    { code: 'MCP_TOOL_NAME' },
  ]);
});

test('two engines that are mapped to one name stop the boot, and both are named', async () => {
  class First {
    readonly id: string = 'first';
    execute(): void {}
  }
  class Second extends First {
    override readonly id = 'second';
  }
  const [problem] = await problemsOf(served({ engines: [new First(), new Second()], toolName: () => 'same' }));
  expect(problem).toMatchObject({ code: 'MCP_TOOL_DUPLICATE' });
  expect(problem.problem).toMatch(/First .*Second/);
});

test("B06: (iii) an engine whose id is a decorated tool's name stops the boot, and both classes are named", async () => {
  @McpTool({ name: 'search', description: 'd' })
  class CatalogTool {
    execute(): void {}
  }
  @Engine({ id: 'search' })
  class ArchiveEngine {
    execute(): void {}
  }
  const problems = await problemsOf(served({}, [CatalogTool, ArchiveEngine]));
  expect(problems).toMatchObject([{ code: 'MCP_TOOL_DUPLICATE', fix: expect.stringContaining('toolName') }]);
  expect(problems[0].problem).toMatch(/CatalogTool.*ArchiveEngine/);
  const app = await served({ toolName: ({ id }) => `engine.${id}` }, [CatalogTool, ArchiveEngine]);
  expect(names(app)).toEqual(['search', 'engine.search']);
});

test('an id in another case is another engine', async () => {
  expect(names(await served({ engines: [engine('Search'), engine('search')] }))).toEqual(['Search', 'search']);
});

test.each([
  [true, /^SECRET dsn$/],
  [undefined, /^SECRET dsn$/],
  [false, /^Internal error \(ref [0-9a-f]{8}\)$/],
])('exposeErrors: %s decides whether the own message is shown; its stack, cause and fields never are', async (exposeErrors, shown) => {
  const logger = new RecordingLogger();
  const thrown = Object.assign(new Error('SECRET dsn', { cause: new Error('HIDDEN cause') }), { data: 'HIDDEN data', code: -32603 });
  const fails = engine('fails', () => {
    throw thrown;
  });
  const options = exposeErrors === undefined ? {} : { exposeErrors };
  const app = await createApp([], { logger }, [EngineModule.forRoot({ engines: [fails], ...options })]);
  const doors = await everyDoor(app);
  for (const door of doors) {
    const { result } = await door.ask('tools/call', { name: 'fails' });
    expect(textOf(result)).toMatch(shown);
    expect(JSON.stringify(result)).not.toMatch(/HIDDEN|\.ts\b/);
  }
  const errors = logger.lines.filter(({ level }) => level === 'error');
  expect(errors).toHaveLength(doors.length);
  expect(errors.every(({ details }) => details.includes(thrown))).toBe(true);
});

test('what cannot be written as JSON is no message of the engine, in an application and alone', async () => {
  const leaks = engine('leaks', () => ({
    toJSON: () => {
      throw new Error('SECRET');
    },
  }));
  const app = await served({ engines: [leaks] });
  expect(textOf(await app.tools.call('leaks'))).toMatch(/^Internal error \(ref/);
  const alone = new ToolRegistry();
  alone.register(toTool(leaks));
  expect(await alone.call('leaks')).toEqual({ content: [{ type: 'text', text: 'Internal error' }], isError: true });
});

test.each<[string, unknown, boolean]>([
  ['a list', { capabilities: ['chat', 'vision'] }, true],
  ['a list without it', { capabilities: ['chat'] }, false],
  ['a set', { capabilities: new Set(['vision']) }, true],
  ['a set without it', { capabilities: new Set() }, false],
  ['a record', { capabilities: { vision: true } }, true],
  ['a record that denies it', { capabilities: { vision: false } }, false],
  ['a record that says something else', { capabilities: { vision: 'no' } }, false],
  ['a string', { capabilities: 'vision' }, false],
  ['a prototype', { capabilities: Object.create({ vision: true }) as object }, false],
  ['nothing', {}, false],
  ['no provider', undefined, false],
  ['null for a provider', null, false],
])('capabilities as %s', async (_what, provider, isCapable) => {
  const ran = jest.fn(() => 1);
  const needs: EngineLike = { id: 'needs', requiredCapabilities: ['vision'], execute: ran };
  const app = await served({ engines: [needs], context: { provider } });
  const answer = await app.tools.call('needs');
  expect(ran).toHaveBeenCalledTimes(isCapable ? 1 : 0);
  if (!isCapable) {
    expect(answer).toMatchObject({ isError: true });
    expect(textOf(answer)).toBe('Engine "needs" requires the capability "vision", which its provider does not have');
  }
});

test('requiredCapabilities that are no list of strings are refused', async () => {
  const wrong = { id: 'needs', requiredCapabilities: 'vision', execute: () => 1 } as unknown as EngineLike;
  expect(await problemsOf(served({ engines: [wrong] }))).toMatchObject([
    { code: 'MCP_ENGINE_INVALID', problem: expect.stringContaining('"requiredCapabilities" of engine "needs"') },
  ]);
});

test('forRootAsync makes the options of what it injects from the modules it imports', async () => {
  class Provider {
    readonly capabilities = ['vision'];
  }
  @Module({ providers: [Provider], exports: [Provider] })
  class ProviderModule {}
  @Engine({ id: 'sees' })
  class Sees {
    readonly requiredCapabilities = ['vision'];
    execute({ provider }: { provider: Provider }) {
      return provider instanceof Provider;
    }
  }
  const module = EngineModule.forRootAsync({
    imports: [ProviderModule],
    inject: [Provider],
    useFactory: async (provider: Provider) => ({ context: { provider }, toolName: ({ id }) => `x.${id}` }),
  });
  const app = await createApp([Sees], {}, [module]);
  expect(textOf(await app.tools.call('x.sees'))).toBe('true');
});

test.each<[string, unknown, RegExp]>([
  ['no object', undefined, /no object/],
  ['an option that there is not', { exclud: [] }, /"exclud"/],
  ['a filter that is a string', { include: 'a' }, /"include"/],
  ['a context that is a list', { context: [] }, /"context"/],
  ['engines that are one engine', { engines: engine('e') }, /"engines"/],
  ['exposeErrors that is a string', { exposeErrors: 'false' }, /"exposeErrors"/],
  ['a toolName that is a string', { toolName: 'x' }, /"toolName"/],
])('options with %s stop the boot', async (_what, options, problem) => {
  const module = EngineModule.forRootAsync({ useFactory: () => options as EngineModuleOptions });
  expect(await problemsOf(createApp([], {}, [module]))).toMatchObject([
    { code: 'MCP_OPTION_INVALID', problem: expect.stringMatching(problem) as string, where: 'EngineModule.forRoot()' },
  ]);
});

test('forRoot that is imported twice with options of its own stops the boot; the same one twice is one', async () => {
  const importing = (...imports: ModuleImport[]): Promise<McpApplication> => createApp([], {}, imports);
  expect(await problemsOf(importing(EngineModule.forRoot({ engines: [engine('a')] }), EngineModule.forRoot()))).toMatchObject([
    { code: 'MCP_OPTION_INVALID', problem: expect.stringContaining('more than once') },
  ]);
  const once = EngineModule.forRoot({ engines: [engine('a')] });
  expect(names(await importing({ module: class Feature {}, imports: [once] }, once))).toEqual(['a']);
});

test('@Engine without EngineModule is warned of, and serves nothing', async () => {
  @Engine({ id: 'lonely' })
  class LonelyEngine {
    execute(): void {}
  }
  const logger = new RecordingLogger();
  const app = await createApp([LonelyEngine], { logger });
  expect(logger.lines.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
    expect.stringMatching(/^LonelyEngine: @Engine\(\) is served where a module imports EngineModule\.forRoot\(\)/),
  ]);
  expect(names(app)).toEqual([]);
});

test.each([
  ['request scope', Scope.REQUEST],
  ['transient scope', Scope.TRANSIENT],
])('an engine of %s is refused', async (_what, scope) => {
  @Engine({ id: 'scoped' })
  @Injectable({ scope })
  class ScopedEngine {
    execute(): void {}
  }
  const problems = await problemsOf(served({}, [ScopedEngine]));
  expect(problems).toMatchObject([{ code: 'MCP_ENGINE_SCOPE', problem: expect.stringContaining('ScopedEngine') }]);
});

test('an engine that depends on request scope is refused, with the chain, and does not become request-scoped by itself', async () => {
  @Injectable({ scope: Scope.REQUEST })
  class Tenant {}
  @Engine({ id: 'captive' })
  class CaptiveEngine {
    constructor(@Inject(Tenant) readonly tenant: Tenant) {}
    execute(): void {}
  }
  const problems = await problemsOf(served({}, [Tenant, CaptiveEngine]));
  expect(problems.map(({ problem }) => problem).join()).toMatch(/CaptiveEngine.*Tenant/);
});

test.each<[string, object]>([
  ['id', { id: 'a' }],
  ['name', { name: 'B' }],
  ['description', { description: 'b' }],
  ['version', { version: '2' }],
])('an @Engine() that contradicts the %s of its class stops the boot', async (field, options) => {
  @Engine(options)
  class ContraryEngine {
    readonly id = 'x';
    readonly name = 'X';
    readonly description = 'x';
    readonly version = '1';
    execute(): void {}
  }
  const problems = await problemsOf(served({}, [ContraryEngine]));
  expect(problems).toMatchObject([{ code: 'MCP_ENGINE_INVALID', problem: expect.stringContaining(`ContraryEngine has the ${field}`) }]);
});

test('everything that is wrong with engines is reported together', async () => {
  const wrong = [engine(''), engine('two words'), engine('e'), engine('e'), { id: 'no execute' } as unknown as EngineLike, 5 as never];
  const problems = await problemsOf(served({ engines: wrong }));
  expect(problems.map(({ code }) => code)).toEqual([
    'MCP_ENGINE_INVALID',
    'MCP_TOOL_NAME',
    'MCP_ENGINE_DUPLICATE',
    'MCP_ENGINE_INVALID',
    'MCP_ENGINE_INVALID',
  ]);
});

test('a boot that fails because of an engine ends what was built', async () => {
  const ended = jest.fn();
  class Connection {
    onModuleDestroy = ended;
  }
  class Root {}
  Module({ imports: [EngineModule.forRoot({ engines: [engine('')] })], providers: [Connection] })(Root);
  await problemsOf(McpFactory.create(Root, { name: 't', version: '1', logger: false }));
  expect(ended).toHaveBeenCalledTimes(1);
});
