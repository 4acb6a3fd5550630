import { setImmediate, setTimeout } from 'node:timers/promises';
import { bootContainer, recordingLogger, someContext } from './boot';
import type { ProviderReference, RequestScope } from '../../src/contracts/provider';
import { McpContext } from '../../src/contracts/mcp-context';
import { Scope } from '../../src/contracts/scope';
import { Inject, forwardRef } from '../../src/decorators/inject';
import { Injectable } from '../../src/decorators/injectable';
import { McpTool } from '../../src/decorators/mcp-tool';

const REQUEST = { scope: Scope.REQUEST };
const GUARD = 'GUARD';

@Injectable(REQUEST)
class Tenant {
  static constructed = 0;
  static disposed = 0;
  constructor(readonly context: McpContext) {
    Tenant.constructed += 1;
  }
  [Symbol.dispose](): void {
    Tenant.disposed += 1;
  }
}

@Injectable()
class Guard {
  constructor(readonly tenant: Tenant) {}
}

@McpTool({ name: 'who', description: 'x' })
class Who {
  constructor(readonly tenant: Tenant) {}
  execute(): unknown {
    return this.tenant.context.requestId;
  }
}

async function bootWho() {
  const container = await bootContainer({ providers: [Tenant, Who, { provide: GUARD, useClass: Guard }] }, { enhancerTokens: [GUARD] });
  const tool = container.discover()[0]?.target.provider as ProviderReference;
  const guard = container.references(GUARD)[0] as ProviderReference;
  return { container, tool, guard };
}

test('B15: the guard and the tool of one operation share the request-scoped instance, and two operations never do', async () => {
  const { container, tool, guard } = await bootWho();
  expect([tool.isRequestScoped, guard.isRequestScoped]).toEqual([true, true]);
  Tenant.constructed = 0;
  const [first, second] = [container.openScope(someContext(1)), container.openScope(someContext(2))];
  const tenants = [first, second].map((scope) => [
    (guard.get(scope) as Guard).tenant,
    (tool.get(scope) as Who).tenant,
    (tool.get(scope) as Who).tenant,
  ]);
  expect(Tenant.constructed).toBe(2);
  for (const shared of tenants) expect(new Set(shared).size).toBe(1);
  expect(tenants.map(([tenant]) => tenant?.context.requestId)).toEqual([1, 2]);
});

test('B14: F1: 500 interleaved operations each see their own context, and every instance is disposed once', async () => {
  const { container, tool } = await bootWho();
  Tenant.constructed = Tenant.disposed = 0;
  const operate = async (id: number): Promise<unknown> => {
    const scope = container.openScope(someContext(id));
    const before = (tool.get(scope) as Who).execute();
    await (id % 2 === 0 ? setImmediate() : setTimeout(id % 3));
    const after = (tool.get(scope) as Who).execute();
    await scope.close();
    return before === after ? after : 'mixed';
  };
  const ids = Array.from({ length: 500 }, (_, id) => id);
  expect(await Promise.all(ids.map(operate))).toEqual(ids);
  expect([Tenant.constructed, Tenant.disposed]).toEqual([500, 500]);
});

test('F5: outside of its operation a request-scoped instance is an error and not stale data', async () => {
  const { container, tool } = await bootWho();
  const scope = container.openScope(someContext());
  tool.get(scope);
  await scope.close();
  expect(() => tool.get(scope)).toThrow('The operation has ended: its Who is gone.');
  expect(() => tool.get()).toThrow('Who lives for one operation, and this is outside of any.');
  expect(() => container.get(Tenant)).toThrow(/^Tenant is marked as a scoped provider\..*use "resolve\(\)" instead\.$/);
  await expect(container.resolve(Tenant)).rejects.toThrow('McpContext was asked for outside of an operation.');
});

describe('the end of an operation', () => {
  const ended: string[] = [];
  beforeEach(() => void ended.splice(0));

  @Injectable(REQUEST)
  class First {
    async [Symbol.asyncDispose](): Promise<void> {
      await setImmediate();
      ended.push('first');
    }
    [Symbol.dispose](): void {
      ended.push('never');
    }
  }
  @Injectable(REQUEST)
  class Second {
    constructor(readonly first: First) {}
    onModuleDestroy(): void {
      ended.push('second');
      throw new Error('no');
    }
  }
  @Injectable(REQUEST)
  class Third {
    constructor(readonly second: Second) {}
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.reject(new Error('no'));
    }
  }
  @Injectable()
  class Singleton {
    [Symbol.dispose](): void {
      ended.push('singleton');
    }
  }

  const boot = async (logger = recordingLogger()) =>
    bootContainer(
      {
        providers: [
          First,
          Second,
          Third,
          Singleton,
          { provide: 'same', useFactory: (one: unknown) => one, inject: [Singleton], ...REQUEST },
        ],
      },
      { logger, hookTimeoutMs: 5 },
    );
  const build = async (container: Awaited<ReturnType<typeof boot>>, token: string | typeof Third): Promise<RequestScope> => {
    const scope = container.openScope(someContext());
    await (container.references(token)[0] as ProviderReference).get(scope);
    return scope;
  };

  test('instances end in the reverse order, one that fails stops no other, and failures are logged with the class', async () => {
    const logger = recordingLogger();
    const scope = await build(await boot(logger), Third);
    await Promise.all([scope.close(), scope.close()]);
    expect(ended).toEqual(['second', 'first']);
    expect(logger.lines).toEqual([
      'Could not end an instance of Third after its operation',
      'Could not end an instance of Second after its operation',
    ]);
  });

  test('F4: a singleton that a factory hands out in an operation is not disposed with it', async () => {
    const scope = await build(await boot(), 'same');
    await scope.close();
    expect(ended).toEqual([]);
  });

  test('an instance whose end hangs is cut off', async () => {
    const logger = recordingLogger();
    const providers = [{ provide: 'hanging', useFactory: () => ({ [Symbol.asyncDispose]: () => new Promise(() => {}) }), ...REQUEST }];
    const container = await bootContainer({ providers }, { logger, hookTimeoutMs: 5 });
    const scope = container.openScope(someContext());
    (container.references('hanging')[0] as ProviderReference).get(scope);
    await scope.close();
    expect(logger.lines).toEqual(['Could not end an instance of "hanging" after its operation']);
  });
});

describe('asynchronous factories in an operation', () => {
  test('get gives a promise, shared by everyone who asks meanwhile', async () => {
    let made = 0;
    @Injectable(REQUEST)
    class User {
      constructor(@Inject('session') readonly session: number) {}
    }
    const session = { provide: 'session', useFactory: async () => (await setImmediate(), ++made), ...REQUEST };
    const container = await bootContainer({ providers: [User, session] });
    const scope = container.openScope(someContext());
    const [reference, direct] = [container.references(User)[0], container.references('session')[0]];
    const both = await Promise.all([reference?.get(scope), direct?.get(scope), reference?.get(scope)]);
    expect(both).toMatchObject([{ session: 1 }, 1, { session: 1 }]);
    expect(both[0]).toBe(both[2]);
    expect(reference?.get(scope)).toBe(both[0]);
  });

  test('what arrives after the operation was ended is disposed and not given out', async () => {
    const gate = withResolvers();
    let disposed = 0;
    const late = { provide: 'late', useFactory: async () => (await gate.promise, { [Symbol.dispose]: () => (disposed += 1) }), ...REQUEST };
    const container = await bootContainer({ providers: [late] });
    const scope = container.openScope(someContext());
    const asked = container.references('late')[0]?.get(scope) as Promise<unknown>;
    await scope.close();
    gate.resolve(undefined);
    await expect(asked).rejects.toThrow('The operation has ended');
    expect(disposed).toBe(1);
  });
});

test("an error of a request-scoped constructor comes out as the author threw it, and leaves the operation's other instances", async () => {
  const error = new Error('mine');
  @Injectable(REQUEST)
  class Failing {
    constructor(readonly tenant: Tenant) {
      throw error;
    }
  }
  const container = await bootContainer({ providers: [Tenant, Failing] });
  const scope = container.openScope(someContext());
  expect(() => container.references(Failing)[0]?.get(scope)).toThrow(error);
  Tenant.constructed = Tenant.disposed = 0;
  container.references(Tenant)[0]?.get(scope);
  await scope.close();
  expect([Tenant.constructed, Tenant.disposed]).toEqual([0, 1]);
});

test('forwardRef works in an operation as it does at boot: one object on both sides, of this operation', async () => {
  @Injectable(REQUEST)
  class Left {
    constructor(@Inject(forwardRef(() => Right)) readonly right: { readonly left: unknown }) {}
  }
  @Injectable(REQUEST)
  class Right {
    constructor(@Inject(forwardRef(() => Left)) readonly left: unknown) {}
  }
  const container = await bootContainer({ providers: [Left, Right] });
  const [one, two] = [container.openScope(someContext()), container.openScope(someContext())];
  const [left, other] = [one, two].map((scope) => container.references(Left)[0]?.get(scope) as Left);
  expect(left?.right.left).toBe(left);
  expect(left?.right).toBe(container.references(Right)[0]?.get(one));
  expect(left?.right).toBeInstanceOf(Right);
  expect(other?.right).not.toBe(left?.right);
});

test('B05: what a request-scoped factory hides from the list of tools is said once, when it is first made', async () => {
  const logger = recordingLogger();
  const hidden = { provide: 'hidden', useFactory: () => new Who({} as Tenant), ...REQUEST };
  const container = await bootContainer({ providers: [hidden] }, { logger });
  for (let call = 0; call < 2; call += 1) container.references('hidden')[0]?.get(container.openScope(someContext()));
  expect(logger.lines).toEqual([
    expect.stringContaining('"hidden" gives an instance of Who, whose tools, resources and prompts are not listed.'),
  ]);
});

test('a start hook that request scope keeps from running is named at boot, with the reason', async () => {
  @McpTool({ name: 'hooked', description: 'x' })
  class Hooked {
    constructor(readonly tenant: Tenant) {}
    execute(): void {}
    onModuleInit(): void {
      throw new Error('never called');
    }
  }
  const logger = recordingLogger();
  const container = await bootContainer({ providers: [Tenant, Hooked] }, { logger });
  await container.init();
  expect(logger.lines).toEqual([
    'Hooked.onModuleInit() is never called: Hooked lives for one operation, because it needs Tenant. Move the hook to a singleton.',
  ]);
});

test('a transient provider is new for each class that injects it, in an operation too', async () => {
  @Injectable({ scope: Scope.TRANSIENT })
  class Each {
    constructor(readonly tenant: Tenant) {}
  }
  @Injectable(REQUEST)
  class A {
    constructor(readonly each: Each) {}
  }
  @Injectable(REQUEST)
  class B {
    constructor(
      readonly each: Each,
      readonly a: A,
    ) {}
  }
  const container = await bootContainer({ providers: [Tenant, Each, A, B] });
  const b = container.references(B)[0]?.get(container.openScope(someContext())) as B;
  expect(b.each).not.toBe(b.a.each);
  expect(b.each.tenant).toBe(b.a.each.tenant);
});

function withResolvers() {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}
