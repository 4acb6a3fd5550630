import { injectAll, injectable } from 'tsyringe';
import { codesOf, problemsOf } from './boot';
import { Scope } from '../../src/contracts/scope';
import { Inject, Optional, forwardRef } from '../../src/decorators/inject';
import { Injectable } from '../../src/decorators/injectable';
import { McpTool } from '../../src/decorators/mcp-tool';
import { Module } from '../../src/decorators/module';
import type { SetupProblem } from '../../src/errors/setup-error';

@Injectable()
class Missing {}

async function onlyProblem(...args: Parameters<typeof problemsOf>): Promise<SetupProblem> {
  const problems = await problemsOf(...args);
  expect(codesOf(problems)).toHaveLength(1);
  return problems[0] as SetupProblem;
}

describe('F12: dependencies', () => {
  test('an unresolved token names the class, the position, the parameter and the module', async () => {
    @Injectable()
    class Other {}
    @Injectable()
    class Consumer {
      constructor(
        readonly other: Other,
        @Inject('NOPE') readonly nope: string,
      ) {}
    }
    @Module({ providers: [Consumer, Other] })
    class M1 {}
    const problem = await onlyProblem(M1);
    expect(problem.code).toBe('MCP_DEPENDENCY_UNRESOLVED');
    expect(problem.problem).toBe(
      'Cannot resolve dependencies of the Consumer (Other, ?). Please make sure that the argument "NOPE" at index [1] (nope) is available in the M1 module.',
    );
    expect(problem.where).toBe('Consumer in M1, constructor parameter [1] (nope)');
    expect(problem.fix).toContain('add it to the "providers" of M1');
  });

  test('a decorated class that no module provides is told to be added to the providers', async () => {
    @Injectable()
    class Consumer {
      constructor(readonly missing: Missing) {}
    }
    const problem = await onlyProblem({ providers: [Consumer] });
    expect(problem.code).toBe('MCP_PROVIDER_UNREACHED');
    expect(problem.problem).toContain('the argument Missing at index [0] (missing)');
    expect(problem.fix).toContain('If Missing is a provider, add it to the "providers" of RootModule.');
  });

  test('what another module has but does not export, or exports to others, is said with its name', async () => {
    @Module({ providers: [Missing] })
    class Hiding {}
    @Module({ providers: [Missing], exports: [Missing] })
    class Giving {}
    @Injectable()
    class Consumer {
      constructor(readonly missing: Missing) {}
    }
    const hidden = await onlyProblem({ imports: [Hiding], providers: [Consumer] });
    expect(hidden).toMatchObject({ code: 'MCP_DEPENDENCY_NOT_EXPORTED', fix: 'Add Missing to the "exports" of Hiding.' });
    expect(hidden.problem).toContain('Hiding provides it, but does not export it.');
    @Module({ imports: [Giving] })
    class Between {}
    const foreign = await onlyProblem({ imports: [Between], providers: [Consumer] });
    expect(foreign).toMatchObject({ code: 'MCP_DEPENDENCY_NOT_EXPORTED', fix: 'Add Giving to the "imports" of RootModule.' });
  });

  test('an interface or primitive parameter names the erased type, and is undefined when optional', async () => {
    interface Options {
      readonly a: number;
    }
    @Injectable()
    class Consumer {
      constructor(
        readonly options: Options,
        readonly name: string,
        @Optional() readonly other?: number,
      ) {}
    }
    const problems = await problemsOf({ providers: [Consumer] });
    expect(codesOf(problems)).toEqual(['MCP_DEPENDENCY_ERASED', 'MCP_DEPENDENCY_ERASED']);
    expect(problems.map((each) => each.where)).toEqual([
      'Consumer in RootModule, constructor parameter [0] (options)',
      'Consumer in RootModule, constructor parameter [1] (name)',
    ]);
    expect(problems[0]?.problem).toContain('The type of the parameter is Object at run time');
    expect(problems[1]?.problem).toContain('is String at run time');
  });

  test('an undefined type or token is told about import cycles', async () => {
    @Injectable()
    class ByToken {
      constructor(@Inject(undefined as never) readonly value: string) {}
    }
    @Injectable()
    class ByType {
      constructor(readonly value: Missing) {}
    }
    Reflect.defineMetadata('design:paramtypes', [undefined], ByType);
    const factory = { provide: 'f', useFactory: () => 1, inject: [undefined as never] };
    const problems = await problemsOf({
      providers: [ByToken, ByType, factory, { provide: 'a', useExisting: forwardRef(() => undefined as never) as never }],
    });
    expect(codesOf(problems)).toEqual(new Array(4).fill('MCP_DEPENDENCY_UNDEFINED'));
    expect(problems[0]?.fix).toContain('forwardRef');
    expect(problems[2]?.where).toBe('"f" in RootModule, "inject" at index [0]');
  });

  test('a property that nothing provides is named', async () => {
    @Injectable()
    class Consumer {
      @Inject('NOPE') readonly tool!: string;
    }
    const problem = await onlyProblem({ providers: [Consumer] });
    expect(problem.problem).toContain('the "tool" property is available');
    expect(problem.where).toBe('Consumer in RootModule, property "tool"');
  });

  test("tsyringe's lists are refused with the way to write them here", async () => {
    @injectable()
    class Consumer {
      constructor(@injectAll('PLUGIN') readonly plugins: unknown[]) {}
    }
    expect(await onlyProblem({ providers: [Consumer] })).toMatchObject({ code: 'MCP_DEPENDENCY_UNSUPPORTED' });
  });

  test('all problems are reported together, causes before consequences', async () => {
    @Injectable()
    class One {
      constructor(
        @Inject('A') readonly a: string,
        @Inject('B') readonly b: string,
      ) {}
    }
    const providers = [One, { provide: 'x' } as never, undefined as never];
    const problems = await problemsOf({ imports: [undefined as never], providers, exports: ['nothing'] });
    expect(codesOf(problems)).toEqual([
      'MCP_MODULE_UNDEFINED',
      'MCP_PROVIDER_INVALID',
      'MCP_MODULE_UNDEFINED',
      'MCP_EXPORT_UNKNOWN',
      'MCP_DEPENDENCY_UNRESOLVED',
      'MCP_DEPENDENCY_UNRESOLVED',
    ]);
  });
});

describe('B09: classes without decorator metadata', () => {
  /** What a compiler leaves that emits decorators but no types. */
  function withoutTypes<T extends object>(type: T): T {
    Reflect.deleteMetadata('design:paramtypes', type);
    return type;
  }

  test('a decorated class is told which compiler option to set, and how to do without', async () => {
    @Injectable()
    class Consumer {
      constructor(readonly missing: Missing) {}
    }
    const problem = await onlyProblem({ providers: [Missing, withoutTypes(Consumer)] });
    expect(problem.code).toBe('MCP_METADATA_MISSING');
    expect(problem.problem).toBe(
      'The Consumer has no decorator metadata, so nothing says what to inject as the argument at index [0] (missing).',
    );
    expect(problem.fix).toMatch(/@Inject\(SomeService\) missing: SomeService/);
    expect(problem.fix).toMatch(/emitDecoratorMetadata.*decoratorMetadata.*tsx and esbuild/);
  });

  test('a class with decorators on its methods only is told to add @Injectable()', async () => {
    class Tools {
      constructor(readonly missing: Missing) {}
      @McpTool({ name: 'execute', description: 'x' })
      execute(): string {
        return '';
      }
    }
    const problem = await onlyProblem({ providers: [Missing, Tools] });
    expect(problem.code).toBe('MCP_METADATA_MISSING');
    expect(problem.fix).toMatch(/^Add @Injectable\(\) to Tools/);
  });

  test('explicit tokens need no metadata, nor do optional parameters and classes without parameters', async () => {
    @Injectable()
    class Explicit {
      constructor(
        @Inject(Missing) readonly missing: Missing,
        @Optional() readonly other?: Missing,
      ) {}
    }
    class Plain {}
    expect(await problemsOf({ providers: [Missing, Plain, withoutTypes(Explicit)] })).toEqual([]);
  });
});

describe('circles', () => {
  test('a circle of classes is given with its path and the way out', async () => {
    @Injectable()
    class A {
      constructor(@Inject('b') readonly b: unknown) {}
    }
    @Injectable()
    class B {
      constructor(readonly a: A) {}
    }
    const problem = await onlyProblem({ providers: [A, { provide: 'b', useClass: B }] });
    expect(problem.code).toBe('MCP_DEPENDENCY_CYCLE');
    expect(problem.problem).toBe('A circular dependency has been detected inside RootModule: A -> B -> A.');
    expect(problem.fix).toContain('forwardRef(() => SomeService)');
  });

  test('a factory in a circle cannot be helped with forwardRef, and is named', async () => {
    const providers = [
      { provide: 'a', useFactory: () => 1, inject: [forwardRef(() => 'b')] },
      { provide: 'b', useFactory: () => 1, inject: [forwardRef(() => 'a')] },
    ];
    const problem = await onlyProblem({ providers });
    expect(problem.code).toBe('MCP_DEPENDENCY_CYCLE');
    expect(problem.fix).toContain('Circles through a factory ("a") cannot be broken with forwardRef()');
  });

  test('a provider that asks for itself and aliases that lead to each other are circles', async () => {
    @Injectable()
    class Self {
      constructor(@Inject(forwardRef(() => 'self')) readonly self: unknown) {}
    }
    const providers = [
      { provide: 'self', useFactory: () => 1, inject: ['self'] },
      Self,
      { provide: 'x', useExisting: 'y' },
      { provide: 'y', useExisting: 'x' },
    ];
    const problems = await problemsOf({ providers });
    expect(codesOf(problems)).toEqual(['MCP_DEPENDENCY_CYCLE', 'MCP_DEPENDENCY_CYCLE']);
    expect(problems.map((each) => each.problem).join()).toMatch(/"x" -> "y" -> "x"[^]*"self" -> "self"/);
  });

  test('transient providers that need each other would never end, also with forwardRef', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class A {
      constructor(@Inject(forwardRef(() => B)) readonly b: unknown) {}
    }
    @Injectable({ scope: Scope.TRANSIENT })
    class B {
      constructor(@Inject(forwardRef(() => A)) readonly a: unknown) {}
    }
    const problem = await onlyProblem({ providers: [A, B] });
    expect(problem).toMatchObject({ code: 'MCP_DEPENDENCY_CYCLE' });
    expect(problem.fix).toContain('Make one of them a singleton');
  });
});

describe('lists', () => {
  test('an undefined entry is given with its position, in imports, providers and exports', async () => {
    const nothing = undefined as never;
    const problems = await problemsOf({ imports: [nothing], providers: [Missing, nothing], exports: [Missing, nothing] });
    expect(problems.map((each) => each.problem)).toEqual([
      'Cannot create the RootModule module: the module at index [0] of its "imports" array is undefined.',
      'Cannot create the RootModule module: the provider at index [1] of its "providers" array is undefined.',
      'Cannot create the RootModule module: the export at index [1] of its "exports" array is undefined.',
    ]);
  });

  test('what is no module is refused, and a rejected promise keeps its error as the cause', async () => {
    const error = new Error('secret');
    class Undecorated {}
    const imports = [Undecorated, null, 5, 'x', { providers: [] }, [], Promise.reject(error), forwardRef(() => Undecorated)] as never[];
    const problems = await problemsOf({ imports });
    expect(codesOf(problems)).toEqual(new Array(8).fill('MCP_MODULE_INVALID'));
    expect(problems[6]?.cause).toBe(error);
    expect(JSON.stringify(problems.map((each) => [each.problem, each.where, each.fix]))).not.toContain('secret');
  });

  test('a provider in imports is told where it belongs, whether a module provides it or none does', async () => {
    const provided = await onlyProblem({ imports: [Missing], providers: [Missing] });
    expect(provided).toMatchObject({
      code: 'MCP_MODULE_INVALID',
      fix: expect.stringContaining('Move "Missing" to the "providers" array of RootModule'),
    });
    const unprovided = await onlyProblem({ imports: [Missing] });
    expect(unprovided).toMatchObject({
      code: 'MCP_PROVIDER_UNREACHED',
      problem: 'Missing stands in the "imports" of RootModule, but no module provides it.',
    });
    const exported = await onlyProblem({ exports: [Missing] });
    expect(exported).toMatchObject({ code: 'MCP_PROVIDER_UNREACHED', fix: 'Add Missing to the "providers" of RootModule.' });
  });

  test('an object that is no provider is refused by what it lacks', async () => {
    const providers = [
      { provide: 'a' },
      { provide: undefined, useValue: 1 },
      { provide: 'b', useFactory: 1 },
      { provide: 'c', useFactory: () => 1, inject: 'x' },
      { provide: 'd', useClass: undefined },
      5,
      () => 1,
    ] as never[];
    const problems = await problemsOf({ providers });
    expect(codesOf(problems)).toEqual(new Array(7).fill('MCP_PROVIDER_INVALID'));
    expect(problems[0]?.problem).toContain('does not define a valid "useClass", "useValue", "useFactory" or "useExisting" property.');
    expect(problems[1]?.problem).toContain('has no usable token');
  });

  test('one token twice in one module is an error that gives both positions; enhancer tokens may repeat', async () => {
    const twice = [Missing, { provide: Missing, useValue: 1 }];
    expect(await onlyProblem({ providers: twice })).toMatchObject({
      code: 'MCP_PROVIDER_DUPLICATE',
      problem: 'RootModule provides Missing twice, at index [0] and at index [1] of its "providers" array.',
    });
    expect(await problemsOf({ providers: twice }, { enhancerTokens: [Missing] })).toEqual([]);
  });

  test('an export of what the module does not have is refused', async () => {
    @Module({ providers: [{ provide: 'deep', useValue: 1 }], exports: ['deep'] })
    class Deep {}
    const problem = await onlyProblem({ imports: [Deep], exports: ['deep'] });
    expect(problem).toMatchObject({ code: 'MCP_EXPORT_UNKNOWN' });
    expect(problem.problem).toContain('is not a part of the currently processed module (RootModule): "deep"');
  });

  test.each([
    [undefined, 'MCP_MODULE_UNDEFINED'],
    [5, 'MCP_MODULE_INVALID'],
    [Missing, 'MCP_MODULE_INVALID'],
    [Promise.reject(new Error('x')), 'MCP_MODULE_UNDEFINED'],
  ])('a root that is no module is refused: %s', async (root, code) => {
    expect(await onlyProblem(root as never)).toMatchObject({ code, where: 'the first argument of McpFactory.create()' });
  });
});

describe('F2: captive dependencies', () => {
  @Injectable({ scope: Scope.REQUEST })
  class Tenant {}

  test('a singleton that needs request scope is refused with the chain, also through transient providers and factories', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Between {
      constructor(readonly tenant: Tenant) {}
    }
    @Injectable()
    class Service {
      constructor(readonly between: Between) {}
    }
    const factory = { provide: 'made', useFactory: () => 1, inject: [Tenant] };
    const problems = await problemsOf({ providers: [Tenant, Between, Service, factory] });
    expect(codesOf(problems)).toEqual(['MCP_DEPENDENCY_CAPTIVE', 'MCP_DEPENDENCY_CAPTIVE']);
    const text = problems.map((each) => each.problem).join('\n');
    expect(text).toContain('Service -> Between -> Tenant, which is request-scoped.');
    expect(text).toContain('"made" -> Tenant, which is request-scoped.');
    expect(problems.map((each) => each.fix).join('\n')).toMatch(/Decorate Service with @Injectable\(\{ scope: Scope.REQUEST \}\)/);
  });

  test('a tool class that needs it becomes request-scoped by itself, and a singleton that needs the tool class is refused', async () => {
    @McpTool({ name: 'a', description: 'x' })
    class Tool {
      constructor(readonly tenant: Tenant) {}
      execute(): string {
        return '';
      }
    }
    @Injectable()
    class Service {
      constructor(readonly tool: Tool) {}
    }
    expect(await problemsOf({ providers: [Tenant, Tool] })).toEqual([]);
    expect((await onlyProblem({ providers: [Tenant, Tool, Service] })).problem).toContain('Service -> Tool -> Tenant');
  });
});
