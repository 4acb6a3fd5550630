import { bootContainer, codesOf, problemsOf, someContext } from './boot';
import type { DynamicModule, ModuleImport, Provider } from '../../src/contracts/provider';
import { Scope } from '../../src/contracts/scope';
import { Injectable } from '../../src/decorators/injectable';

const LONG = 20_000;
const NESTED = 10_000;

/** Factories "0" to "n - 1", each of which asks for the next; `last` is what the last one asks for. */
function chain(length: number, options: { readonly scope?: Scope; readonly last?: readonly string[] } = {}): Provider[] {
  const { scope = Scope.DEFAULT, last = [] } = options;
  return Array.from({ length }, (_, index) => ({
    provide: String(index),
    useFactory: (next?: number) => (next ?? 0) + 1,
    inject: index === length - 1 ? last : [String(index + 1)],
    scope,
  }));
}

/** Classes each of which asks for the one before it. */
function classChain(length: number, scope: Scope): (new () => object)[] {
  const classes: (new () => object)[] = [class First {}];
  for (let index = 1; index < length; index += 1) {
    class Link {
      constructor(readonly next?: unknown) {}
    }
    Reflect.defineMetadata('design:paramtypes', [classes.at(-1)], Link);
    Injectable({ scope })(Link);
    classes.push(Link);
  }
  return classes;
}

test('a chain of 20,000 singletons is built', async () => {
  expect((await bootContainer({ providers: chain(LONG) })).get('0')).toBe(LONG);
});

test('a chain of 20,000 transient providers is built for its consumer', async () => {
  const providers = [...chain(LONG, { scope: Scope.TRANSIENT }), { provide: 'top', useFactory: (n: number) => n, inject: ['0'] }];
  expect((await bootContainer({ providers })).get('top')).toBe(LONG);
});

test.each([Scope.REQUEST, Scope.TRANSIENT])('a chain of 20,000 classes of scope %i is built in an operation, and ended', async (scope) => {
  const classes = classChain(LONG, scope);
  const top = { provide: 'top', useFactory: (one: unknown) => [one], inject: [classes.at(-1) ?? ''], scope: Scope.REQUEST };
  const container = await bootContainer({ providers: [...classes, top] });
  const operation = container.openScope(someContext());
  expect(container.references('top')[0]?.get(operation)).toHaveLength(1);
  await operation.close();
});

test('a chain of 20,000 aliases leads to its end', async () => {
  const aliases = Array.from({ length: LONG }, (_, index) => ({ provide: String(index), useExisting: String(index + 1) }));
  expect((await bootContainer({ providers: [...aliases, { provide: String(LONG), useValue: 'end' }] })).get('0')).toBe('end');
});

test('a circle of 20,000 providers, and one of 20,000 aliases, is one problem with a short path', async () => {
  const circle = await problemsOf({ providers: chain(LONG, { last: ['0'] }) });
  expect(codesOf(circle)).toEqual(['MCP_DEPENDENCY_CYCLE']);
  expect(circle[0]?.problem.length).toBeLessThan(500);
  const aliases = Array.from({ length: LONG }, (_, index) => ({ provide: String(index), useExisting: String((index + 1) % LONG) }));
  const aliasCircle = await problemsOf({ providers: aliases });
  expect(codesOf(aliasCircle)).toEqual(['MCP_DEPENDENCY_CYCLE']);
  expect(aliasCircle[0]?.problem.length).toBeLessThan(500);
});

test('a captive dependency at the end of 20,000 transient providers is one problem with a short chain', async () => {
  const scoped = { provide: 'scoped', useFactory: () => 1, scope: Scope.REQUEST };
  const transient = chain(LONG, { scope: Scope.TRANSIENT, last: ['scoped'] });
  const problems = await problemsOf({ providers: [...transient, scoped, { provide: 'top', useFactory: () => 1, inject: ['0'] }] });
  expect(codesOf(problems)).toEqual(['MCP_DEPENDENCY_CAPTIVE']);
  expect(problems[0]?.problem.length).toBeLessThan(500);
});

test('10,000 modules inside each other, each giving on what the next exports, are started and ended', async () => {
  let inner: ModuleImport = { module: class Innermost {}, providers: [{ provide: 'deep', useValue: 1 }], exports: ['deep'] };
  for (let depth = 0; depth < NESTED; depth += 1) {
    const imported: DynamicModule = inner;
    inner = { module: class Each {}, imports: [depth % 2 === 0 ? imported : Promise.resolve(imported)], exports: [imported.module] };
  }
  const container = await bootContainer({ imports: [inner], providers: [{ provide: 'top', useExisting: 'deep' }] });
  await container.init();
  await container.close();
  expect(container.get('top')).toBe(1);
});

test('transient providers that would multiply without measure stop the boot instead of filling the memory', async () => {
  const doubling = Array.from({ length: 80 }, (_, index) => {
    const level = Math.floor(index / 2);
    const next = [`left ${String(level + 1)}`, `right ${String(level + 1)}`];
    return {
      provide: `${index % 2 === 0 ? 'left' : 'right'} ${String(level)}`,
      useFactory: () => index,
      inject: level === 39 ? [] : next,
      scope: Scope.TRANSIENT,
    };
  });
  const providers = [...doubling, { provide: 'top', useFactory: () => 1, inject: ['left 0'] }];
  await expect(bootContainer({ providers })).rejects.toMatchObject({
    code: 'MCP_PROVIDER_FAILED',
    cause: { message: '"top" would need more than 100000 transient instances.' },
  });
});
