import { IsInt } from 'class-validator';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  Catch,
  Inject,
  Injectable,
  McpContext,
  McpTool,
  Scope,
  ToolError,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type Interceptor,
  type PipeTransform,
  type Type,
} from 'perch-mcp';
import { closeApps, createApp, everyDoor, RecordingLogger } from '../support/app';

afterEach(closeApps);

let trace: string[] = [];

beforeEach(() => {
  trace = [];
});

const guard = (name: string, answer: unknown = true): CanActivate => ({
  canActivate: () => {
    trace.push(`guard ${name}`);
    return answer as boolean;
  },
});
const pipe = (name: string): PipeTransform => ({
  transform: (value) => {
    trace.push(`pipe ${name}`);
    return value;
  },
});
const interceptor = (name: string): Interceptor => ({
  intercept: async (_context, next) => {
    trace.push(`before ${name}`);
    const result = await next();
    trace.push(`after ${name}`);
    return result;
  },
});

@Injectable()
class AppGuard implements CanActivate {
  canActivate(): boolean {
    trace.push('guard APP');
    return true;
  }
}

class Input {
  @IsInt() n!: number;
}

@UseGuards(guard('class 1'), guard('class 2'))
@UsePipes(pipe('class'))
@UseInterceptors(interceptor('class'))
@Injectable()
class Tools {
  @UseGuards(guard('method'))
  @UsePipes(pipe('method'))
  @UseInterceptors(interceptor('method'))
  @McpTool({ name: 'traced', description: 'd', input: Input })
  traced({ n }: Input): string {
    trace.push('handler');
    return String(n);
  }
}

const ORDER = [
  'guard APP',
  'guard global',
  'guard class 1',
  'guard class 2',
  'guard method',
  'before APP',
  'before global',
  'before class',
  'before method',
  'pipe APP',
  'pipe global',
  'pipe class',
  'pipe method',
  'handler',
  'after method',
  'after class',
  'after global',
  'after APP',
];

async function tracedApp(): ReturnType<typeof createApp> {
  const app = await createApp([
    Tools,
    { provide: APP_GUARD, useClass: AppGuard },
    { provide: APP_PIPE, useValue: pipe('APP') },
    { provide: APP_INTERCEPTOR, useFactory: () => interceptor('APP') },
  ]);
  return app.useGlobalGuards(guard('global')).useGlobalPipes(pipe('global')).useGlobalInterceptors(interceptor('global'));
}

test('F7: guards, interceptors, validation, pipes, handler and interceptors reversed run in this order on every transport', async () => {
  const app = await tracedApp();
  for (const door of await everyDoor(app)) {
    trace = [];
    expect((await door.ask('tools/call', { name: 'traced', arguments: { n: 1 } })).result).toMatchObject({ content: [{ text: '1' }] });
    expect([door.name, trace]).toEqual([door.name, ORDER]);
  }
  trace = [];
  await app.tools.call('traced', { n: 1 });
  expect(trace).toEqual(ORDER);
});

test('F10: a call with wrong arguments is stopped behind the guards and the interceptors, before any pipe', async () => {
  const app = await tracedApp();
  expect(await app.tools.call('traced', { n: 'x' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^n /) as string }],
  });
  expect(trace).toEqual(ORDER.slice(0, 9));
});

test.each([undefined, null, 0, 1, 'true', 'false', {}, [], Promise.resolve(undefined), Promise.resolve('true'), { then: 5 }])(
  'F8: a guard that answers %p denies, and the handler is not entered',
  async (answer) => {
    class Denied {
      execute(): string {
        trace.push('handler');
        return '';
      }
    }
    UseGuards({ canActivate: () => answer as unknown as boolean })(Denied);
    McpTool({ name: 'denied', description: 'd' })(Denied);
    for (const door of await everyDoor(await createApp([Denied]))) {
      expect((await door.ask('tools/call', { name: 'denied' })).result).toEqual(
        expect.objectContaining({ isError: true, content: [{ type: 'text', text: 'Forbidden' }] }),
      );
    }
    expect(trace).not.toContain('handler');
  },
);

function guarded(canActivate: CanActivate['canActivate']): Type {
  class Guarded {
    execute(): string {
      trace.push('handler');
      return '';
    }
  }
  UseGuards({ canActivate })(Guarded);
  McpTool({ name: 'guarded', description: 'd', timeoutMs: 30 })(Guarded);
  return Guarded;
}

test('F8: a guard that throws denies without its text, which stands in the log; one that throws a ToolError denies with it', async () => {
  const logger = new RecordingLogger();
  const secret = await createApp(
    [
      guarded(() => {
        throw new Error('SECRET');
      }),
    ],
    { logger },
  );
  expect(await secret.tools.call('guarded')).toEqual({ isError: true, content: [{ type: 'text', text: 'Forbidden' }] });
  expect(logger.lines.find(({ level }) => level === 'error')?.details).toEqual([new Error('SECRET')]);
  const told = await createApp([guarded(() => Promise.reject(new ToolError('Log in first')))]);
  expect(await told.tools.call('guarded')).toMatchObject({ isError: true, content: [{ text: 'Log in first' }] });
  expect(trace).toEqual([]);
});

test('F8: a guard that never answers denies when the time of the call is up', async () => {
  const app = await createApp([guarded(() => new Promise<never>(() => undefined))]);
  expect(await app.tools.call('guarded')).toMatchObject({ isError: true, content: [{ text: 'Timed out' }] });
  expect(trace).toEqual([]);
});

test.each([
  ['undefined, as an import cycle leaves it', undefined],
  ['a class without canActivate', class NoGuard {}],
  ['an instance without canActivate', {}],
])('F9: the boot is refused for a guard that is %s', async (_what, wrong) => {
  class Tool {
    execute(): string {
      return '';
    }
  }
  UseGuards(wrong as never)(Tool);
  McpTool({ name: 'tool', description: 'd' })(Tool);
  await expect(createApp([Tool])).rejects.toMatchObject({ code: 'MCP_ENHANCER_INVALID', message: expect.stringContaining('Tool') });
  await expect(createApp([{ provide: APP_GUARD, useValue: wrong }])).rejects.toMatchObject({ code: 'MCP_ENHANCER_INVALID' });
});

@Injectable()
class NeedsMissing implements CanActivate {
  constructor(@Inject('MISSING') readonly missing: unknown) {}
  canActivate(): boolean {
    return true;
  }
}

@UseGuards(NeedsMissing)
@McpTool({ name: 'unbuildable', description: 'd' })
class Unbuildable {
  execute(): string {
    return '';
  }
}

test('F9: the boot is refused for a guard that cannot be built, and the guard is named', async () => {
  await expect(createApp([Unbuildable])).rejects.toMatchObject({
    code: 'MCP_DEPENDENCY_UNRESOLVED',
    message: expect.stringMatching(/NeedsMissing[\s\S]*MISSING/),
  });
  await expect(createApp([Unbuildable, { provide: 'MISSING', useValue: 1 }])).resolves.toBeDefined();
});

@Injectable()
class Parent {
  @UseGuards(guard('parent', false))
  @McpTool({ name: 'del', description: 'd' })
  del(): string {
    trace.push('handler');
    return 'deleted';
  }
}

@Injectable()
class Inherits extends Parent {}

@Injectable()
class Overrides extends Parent {
  @McpTool({ name: 'del', description: 'd' })
  override del(): string {
    return super.del();
  }
}

@UseGuards(guard('class', false))
class GuardedParent {
  @McpTool({ name: 'del', description: 'd' })
  del(): string {
    trace.push('handler');
    return 'deleted';
  }
}

@Injectable()
class InheritsClassGuard extends GuardedParent {}

test.each([Inherits, Overrides, InheritsClassGuard])('B10: %p is guarded as its parent is', async (type) => {
  const app = await createApp([type]);
  expect(await app.tools.call('del')).toMatchObject({ isError: true, content: [{ text: 'Forbidden' }] });
  expect(trace.filter((each) => each === 'handler')).toEqual([]);
});

test('a tool behind a factory keeps the guards of its class, and one whose guard nobody provides is refused', async () => {
  const app = await createApp([{ provide: 'behind', useFactory: () => new Proxy(new Inherits(), {}) }]);
  expect(await app.tools.call('del')).toMatchObject({ isError: true });
  const boot = createApp([{ provide: 'behind', useFactory: () => new Unbuildable() }]);
  await expect(boot).rejects.toMatchObject({ code: 'MCP_PROVIDER_UNREACHED', message: expect.stringContaining('NeedsMissing') });
});

test('an execution context names the operation, the class and the method', async () => {
  let seen: ExecutionContext | undefined;
  class Seen {
    execute(): string {
      return '';
    }
  }
  UseGuards({
    canActivate: (context: ExecutionContext) => {
      seen = context;
      return true;
    },
  })(Seen);
  McpTool({ name: 'seen', description: 'd' })(Seen);
  await (await createApp([Seen])).tools.call('seen', {});
  expect([seen?.getType(), seen?.getClass(), seen?.getHandler()]).toEqual(['mcp', Seen, Seen.prototype.execute]);
  expect(seen?.switchToMcp()).toMatchObject({ operation: 'call', name: 'seen', arguments: {}, context: { transport: 'memory' } });
  expect(seen?.getArgByIndex(1)).toBeInstanceOf(McpContext);
});

class Wrong extends Error {}
class VeryWrong extends Wrong {}

const filter = (name: string): ExceptionFilter => ({
  catch: (error) => {
    trace.push(`filter ${name}`);
    return `${name}: ${(error as Error).message}`;
  },
});

@Catch(VeryWrong)
class NarrowFilter implements ExceptionFilter<VeryWrong> {
  catch(error: VeryWrong): string {
    return `narrow: ${error.message}`;
  }
}

@Injectable()
class Failing {
  @UseFilters(NarrowFilter)
  @McpTool({ name: 'very-wrong', description: 'd' })
  veryWrong(): never {
    throw new VeryWrong('x');
  }

  @UseFilters(NarrowFilter)
  @McpTool({ name: 'wrong', description: 'd' })
  wrong(): never {
    throw new Wrong('y');
  }

  @UseFilters({
    catch: () => {
      throw new Error('SECRET');
    },
  })
  @McpTool({ name: 'worse', description: 'd' })
  worse(): never {
    throw new Wrong('z');
  }
}

test('the nearest filter that catches the type answers, and only that one; a filter that throws is answered like any error', async () => {
  const app = await createApp([Failing, { provide: APP_FILTER, useValue: filter('APP') }]);
  expect(await app.tools.call('very-wrong')).toEqual({ content: [{ type: 'text', text: 'narrow: x' }] });
  expect(await app.tools.call('wrong')).toEqual({ content: [{ type: 'text', text: 'APP: y' }] });
  expect(trace).toEqual(['filter APP']);
  expect(await app.tools.call('worse')).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^Internal error \(ref [0-9a-f]{8}\)$/) }],
  });
});

test.each([
  ['twice', async (next: () => Promise<unknown>) => [await next(), await next()][1]],
  ['never', async () => 'answered by the interceptor'],
])('F20: an interceptor that goes on %s gives one answer', async (_times, intercept) => {
  class Intercepted {
    execute(): string {
      return 'answered';
    }
  }
  UseInterceptors({ intercept: (_context: ExecutionContext, next: () => Promise<unknown>) => intercept(next) })(Intercepted);
  McpTool({ name: 'intercepted', description: 'd' })(Intercepted);
  for (const door of await everyDoor(await createApp([Intercepted]))) {
    expect((await door.ask('tools/call', { name: 'intercepted' })).result).toMatchObject({
      content: [{ text: expect.stringContaining('answered') }],
    });
  }
});

let built = 0;

@Injectable({ scope: Scope.REQUEST })
class Tenant {
  readonly id = (built += 1);
  readonly request = this.context.requestId;
  constructor(private readonly context: McpContext) {}
}

const seenByGuard = new Map<unknown, number>();

@Injectable()
class TenantGuard implements CanActivate {
  constructor(private readonly tenant: Tenant) {}
  canActivate(): boolean {
    seenByGuard.set(this.tenant.request, this.tenant.id);
    return true;
  }
}

@UseGuards(TenantGuard)
@McpTool({ name: 'tenant', description: 'd' })
class TenantTool {
  constructor(private readonly tenant: Tenant) {}
  async execute(_input: object, context: McpContext): Promise<{ own: boolean; same: boolean }> {
    await new Promise((resolve) => setImmediate(resolve));
    return { own: this.tenant.request === context.requestId, same: seenByGuard.get(context.requestId) === this.tenant.id };
  }
}

test.each([
  ['class', [Tenant, TenantTool]],
  ['global', [Tenant, TenantTool, { provide: APP_GUARD, useClass: TenantGuard }]],
])(
  'B15: a %s guard shares the request-scoped instance of its call with the handler, and two calls never share',
  async (_level, providers) => {
    built = 0;
    const app = await createApp(providers);
    const results = await Promise.all(Array.from({ length: 20 }, () => app.tools.call('tenant')));
    for (const result of results) expect(result).toMatchObject({ content: [{ text: '{"own":true,"same":true}' }] });
    expect(built).toBe(20);
  },
);

test('a guard that needs request scope is no captive, also where nothing uses it yet', async () => {
  await expect(createApp([Tenant, TenantGuard])).resolves.toBeDefined();
});
