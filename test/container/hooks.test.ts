import { bootContainer, recordingLogger } from './boot';
import { Container } from '../../src/container/container';
import type { DynamicModule, Provider } from '../../src/contracts/provider';
import { Scope } from '../../src/contracts/scope';
import type { InjectionToken, Type } from '../../src/contracts/type';
import { Inject } from '../../src/decorators/inject';
import { Injectable } from '../../src/decorators/injectable';
import { Global, Module } from '../../src/decorators/module';

/** A provider that notes its hooks; each start hook yields once, so that what runs side by side shows. */
function noting(log: string[], name: string, needs: readonly InjectionToken[] = []): Provider {
  return { provide: name, useFactory: () => new Noting(log, name), inject: needs };
}

class Noting {
  constructor(
    private readonly log: string[],
    private readonly name: string,
  ) {}
  async onModuleInit(): Promise<void> {
    this.log.push(`${this.name}>`);
    await Promise.resolve();
    this.log.push(`<${this.name}`);
  }
  onApplicationBootstrap(): void {
    this.log.push(`${this.name} bootstrap`);
  }
  onModuleDestroy(): void {
    this.log.push(`${this.name} destroy`);
  }
  beforeApplicationShutdown(signal?: string): void {
    this.log.push(`${this.name} before ${signal ?? ''}`);
  }
  onApplicationShutdown(signal?: string): void {
    this.log.push(`${this.name} shutdown ${signal ?? ''}`);
  }
}

const only = (log: readonly string[], hook: string): string[] =>
  log.filter((line) => line.includes(hook)).map((line) => line.replace(hook, '').trim());

test('hooks run level by level inside a module, what is on one level side by side, and the module class last', async () => {
  const log: string[] = [];
  @Module({ providers: [noting(log, 'top', ['x', 'y']), noting(log, 'x'), noting(log, 'y')] })
  class Root {
    onModuleInit(): void {
      log.push('Root');
    }
  }
  const container = await bootContainer(Root);
  expect(log).toEqual([]);
  await container.init();
  expect(log.slice(0, 7)).toEqual(['x>', 'y>', '<x', '<y', 'top>', '<top', 'Root']);
});

test('the deepest module comes first by its longest import path, global modules before all, and the end is the exact reverse', async () => {
  const log: string[] = [];
  const module = (name: string, imports: (DynamicModule | Type)[], extra: Partial<DynamicModule> = {}): DynamicModule => ({
    module: class Each {},
    imports,
    providers: [noting(log, name)],
    ...extra,
  });
  const deep = module('deep', []);
  const middle = module('middle', [deep]);
  const globally = module('global', [], { global: true });
  const container = await bootContainer(module('root', [deep, globally, middle, module('other', [])]));
  await container.init();
  await container.close('SIGTERM');
  const order = ['global', 'deep', 'middle', 'other', 'root'];
  expect(only(log, '>')).toEqual(order);
  expect(only(log, ' bootstrap')).toEqual(order);
  const reverse = [...order].reverse();
  for (const hook of [' destroy', ' before SIGTERM', ' shutdown SIGTERM']) expect(only(log, hook)).toEqual(reverse);
  expect(log.indexOf('root before SIGTERM')).toBeGreaterThan(log.indexOf('global destroy'));
});

test('a global module that depends on another module is started after it', async () => {
  const log: string[] = [];
  @Module({ providers: [noting(log, 'dependency', ['deeper']), noting(log, 'deeper')], exports: ['dependency'] })
  class Plain {}
  @Global()
  @Module({ imports: [Plain], providers: [noting(log, 'global', ['dependency'])], exports: ['global'] })
  class Everywhere {}
  const container = await bootContainer({ imports: [Everywhere], providers: [noting(log, 'root')] });
  await container.init();
  expect(only(log, '>')).toEqual(['deeper', 'dependency', 'global', 'root']);
});

test('values have their hooks called, aliases and request-scoped providers do not, and one object never twice', async () => {
  const log: string[] = [];
  const value = new Noting(log, 'value');
  @Injectable({ scope: Scope.REQUEST })
  class Scoped extends Noting {
    constructor() {
      super(log, 'scoped');
    }
  }
  const container = await bootContainer({
    providers: [{ provide: 'a', useValue: value }, { provide: 'b', useValue: value }, { provide: 'c', useExisting: 'a' }, Scoped],
  });
  await container.init();
  await container.init();
  expect(log).toEqual(['value>', '<value', 'value bootstrap']);
});

test('transient instances that were built at boot have their hooks called', async () => {
  const log: string[] = [];
  @Injectable({ scope: Scope.TRANSIENT })
  class Each extends Noting {
    constructor() {
      super(log, 'each');
    }
  }
  @Injectable()
  class First {
    constructor(readonly each: Each) {}
  }
  @Injectable()
  class Second {
    constructor(readonly each: Each) {}
  }
  const container = await bootContainer({ providers: [Each, First, Second] });
  await container.init();
  expect(only(log, ' bootstrap')).toEqual(['each', 'each']);
});

test('B16: close runs once, however often it is called, also while it is running', async () => {
  const log: string[] = [];
  const container = await bootContainer({ providers: [noting(log, 'a')] });
  await container.init();
  await Promise.all([container.close(), container.close()]);
  await container.close();
  expect(only(log, ' destroy')).toEqual(['a']);
});

test('close lets the caller release what it holds between the second and the last hook', async () => {
  const log: string[] = [];
  const container = await bootContainer({ providers: [noting(log, 'a')] });
  await container.close(undefined, async () => void log.push('release'));
  expect(log.map((line) => line.trim())).toEqual(['a destroy', 'a before', 'release', 'a shutdown']);
});

describe('failures', () => {
  class Failing {
    onModuleInit(): void {
      throw new Error('hunter2');
    }
  }
  class Hanging {
    onModuleInit(): Promise<void> {
      return new Promise(() => {});
    }
    onModuleDestroy(): Promise<void> {
      return new Promise(() => {});
    }
  }

  test('B15: a start hook that throws stops the start, ends everything that was built, and names its class without the secret', async () => {
    const log: string[] = [];
    const providers = [noting(log, 'before'), noting(log, 'late', [Failing]), Failing];
    const container = await bootContainer({ providers });
    const failure: unknown = await container.init().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'MCP_HOOK_FAILED', cause: new Error('hunter2') });
    expect((failure as Error).message).toContain('Failing.onModuleInit() failed');
    expect((failure as Error).message).not.toContain('hunter2');
    expect(only(log, '>')).toEqual(['before']);
    expect(only(log, ' destroy')).toEqual(['late', 'before']);
    expect(only(log, ' shutdown')).toEqual(['late', 'before']);
    await container.close();
    expect(only(log, ' destroy')).toEqual(['late', 'before']);
  });

  test('B15, B16: a hook that hangs is cut off at its limit, at the start and at the end', async () => {
    const logger = recordingLogger();
    const container = await bootContainer({ providers: [Hanging] }, { logger, hookTimeoutMs: 5 });
    await expect(container.init()).rejects.toMatchObject({
      code: 'MCP_HOOK_FAILED',
      message: expect.stringContaining('did not finish within 5 ms'),
    });
    expect(logger.lines).toEqual(['Hanging.onModuleDestroy() did not finish within 5 ms']);
  });

  test('B16: an end hook that throws or rejects stops no other and is logged with its class', async () => {
    class Throwing {
      onModuleDestroy(): void {
        throw new Error('x');
      }
      async onApplicationShutdown(): Promise<void> {
        await Promise.resolve();
        throw new Error('y');
      }
    }
    const log: string[] = [];
    const logger = recordingLogger();
    const container = await bootContainer({ providers: [noting(log, 'a', [Throwing]), Throwing, noting(log, 'b')] }, { logger });
    await container.close();
    expect(only(log, ' destroy')).toEqual(['a', 'b']);
    expect(only(log, ' shutdown')).toEqual(['a', 'b']);
    expect(logger.lines).toEqual(['Throwing.onModuleDestroy() failed', 'Throwing.onApplicationShutdown() failed']);
  });
});

describe('F13: a build that fails', () => {
  test('the class is named, the error is kept as the cause only, and what was built is destroyed', async () => {
    const log: string[] = [];
    @Injectable()
    class Failing {
      constructor(@Inject('early') readonly early: unknown) {
        throw new Error('password=hunter2');
      }
    }
    const rejecting = { provide: 'rejecting', useFactory: async () => Promise.reject(new Error('token=abc')), inject: ['early'] };
    const container = await Container.scan(
      { providers: [noting(log, 'early'), Failing, rejecting, noting(log, 'never', [Failing]), noting(log, 'nor', ['rejecting'])] },
      { logger: recordingLogger() },
    );
    const problems = await container.build();
    expect(problems.map((each) => [each.code, each.where])).toEqual([
      ['MCP_PROVIDER_FAILED', 'Failing in RootModule'],
      ['MCP_PROVIDER_FAILED', '"rejecting" in RootModule'],
    ]);
    expect(problems.map((each) => (each.cause as Error).message)).toEqual(['password=hunter2', 'token=abc']);
    expect(problems.map((each) => each.problem + each.fix).join()).not.toMatch(/hunter2|abc/);
    expect(only(log, ' destroy')).toEqual(['early']);
  });
});
