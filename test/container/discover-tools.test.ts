import { bootContainer, codesOf, problemsOf } from './boot';
import type { Container } from '../../src/container/container';
import type { Provider } from '../../src/contracts/provider';
import { Injectable } from '../../src/decorators/injectable';
import { McpTool } from '../../src/decorators/mcp-tool';
import { Module } from '../../src/decorators/module';
import { DuplicateRegistrationError } from '../../src/errors/registry-errors';
import type { Type } from '../../src/contracts/type';

const tool = (name: string) => McpTool({ name, description: name });

@Injectable()
class Calc {
  @tool('add')
  add(): string {
    return 'sum';
  }
}

const namesOf = (container: Container): string[] => container.discover().map((each) => each.declaration.options.name);

function callOf(container: Container, name: string): unknown {
  const { target } = container.discover().find((each) => each.declaration.options.name === name) ?? {};
  const instance = target?.provider.get() as Record<PropertyKey, () => unknown>;
  return instance[target?.method ?? '']?.();
}

test('the tools of a class and of its methods are found in scan order, with the class and the module', async () => {
  @tool('whole')
  class Whole {
    execute(): string {
      return 'w';
    }
  }
  @Module({ providers: [Calc] })
  class Imported {}
  @Module({ imports: [Imported], providers: [Whole] })
  class Root {}
  const container = await bootContainer(Root);
  expect(
    container.discover().map(({ declaration, target, moduleName }) => [declaration.options.name, target.class, target.method, moduleName]),
  ).toEqual([
    ['whole', Whole, 'execute', 'Root'],
    ['add', Calc, 'add', 'Imported'],
  ]);
  expect(container.discover()[0]?.target.provider.isRequestScoped).toBe(false);
});

describe('B05: providers whose class is only known from the instance', () => {
  const mixin = (base: Type<Calc>): Type<Calc> => class extends base {};
  const cases: [string, Provider][] = [
    ['a proxy from a factory under the class', { provide: Calc, useFactory: () => new Proxy(new Calc(), {}) }],
    [
      'a proxy from an asynchronous factory under a string',
      { provide: 'calc', useFactory: async () => Promise.resolve(new Proxy(new Calc(), {})) },
    ],
    ['a subclass instance made by a mixin', { provide: 'calc', useFactory: () => new (mixin(Calc))() }],
    ['a proxy given as a value', { provide: 'calc', useValue: new Proxy(new Calc(), {}) }],
    ['a proxy of the class', { provide: 'calc', useClass: new Proxy(Calc, {}) }],
  ];
  test.each(cases)('%s is listed once and callable', async (_, provider) => {
    const container = await bootContainer({ providers: [provider] });
    expect(namesOf(container)).toEqual(['add']);
    expect(callOf(container, 'add')).toBe('sum');
  });

  test('two of them in one application stop the boot with the names of both providers', async () => {
    const providers = [cases[0]?.[1], cases[2]?.[1]] as Provider[];
    await expect(bootContainer({ providers })).rejects.toMatchObject({
      code: 'MCP_TOOL_DUPLICATE',
      message: expect.stringMatching(
        /declared by both Calc.add in RootModule and an anonymous class \(provided as "calc"\)\.add in RootModule/,
      ),
    });
  });

  test('a stand-in without tools of its own serves those of the class it stands for, or stops the boot', async () => {
    const container = await bootContainer({ providers: [{ provide: Calc, useValue: { add: () => 'stand-in' } }] });
    expect(callOf(container, 'add')).toBe('stand-in');
    await expect(bootContainer({ providers: [{ provide: Calc, useFactory: () => ({}) }] })).rejects.toMatchObject({
      code: 'MCP_TOOL_HANDLER',
    });
  });
});

describe('B06: names', () => {
  @tool('search')
  class Catalog {
    execute(): void {}
  }
  @tool('search')
  class Archive {
    execute(): void {}
  }

  test('F11: two classes with one name stop the boot, and both are named', async () => {
    const problems = await problemsOf({ providers: [Catalog, Archive] });
    expect(codesOf(problems)).toEqual(['MCP_TOOL_DUPLICATE']);
    expect(problems[0]?.problem).toBe(
      'Tool already registered: "search". It is declared by both Catalog.execute in RootModule and Archive.execute in RootModule.',
    );
    expect(problems[0]?.cause).toEqual(new DuplicateRegistrationError('Tool', 'search'));
  });

  test('the same classes in two applications, and names that differ in case, are no clash', async () => {
    @tool('Search')
    class Upper {
      execute(): void {}
    }
    expect(namesOf(await bootContainer({ providers: [Catalog] }))).toEqual(['search']);
    expect(namesOf(await bootContainer({ providers: [Archive, Upper] }))).toEqual(['search', 'Search']);
  });

  test('F11: a class that two modules provide is one entry, of the first module', async () => {
    const one = { module: class One {}, providers: [Catalog] };
    const two = { module: class Two {}, providers: [Catalog, { provide: 'again', useExisting: Catalog }] };
    const container = await bootContainer({ imports: [one, two, one] });
    expect(container.discover().map((each) => each.moduleName)).toEqual(['One']);
  });

  test.each(['', 'a b', 'a/b', 'a'.repeat(129), 'naïve', 'a\n'])('the name %j is refused', async (name) => {
    @tool(name)
    class Named {
      execute(): void {}
    }
    expect(codesOf(await problemsOf({ providers: [Named] }))).toEqual(['MCP_TOOL_NAME']);
  });

  test('every character that MCP allows may be used, 128 times', async () => {
    @tool(`aZ09_-.${'x'.repeat(121)}`)
    class Named {
      execute(): void {}
    }
    expect(await problemsOf({ providers: [Named] })).toEqual([]);
  });
});

describe('B08: F14: inheritance', () => {
  class Base {
    @tool('a')
    a(): string {
      return 'base';
    }
  }
  class S1 extends Base {
    @tool('b')
    b(): void {}
    override a(): string {
      return 's1';
    }
  }
  class S2 extends Base {
    @tool('c')
    c(): void {}
    @McpTool({ name: 'a2', description: 'replaced' })
    override a(): string {
      return 's2';
    }
  }

  test.each([
    [Base, ['a']],
    [S1, ['a', 'b']],
    [S2, ['a2', 'c']],
  ] as [Type, string[]][])('%p has its own tools and those it inherits, and no others', async (type, names) => {
    expect(namesOf(await bootContainer({ providers: [type] })).sort()).toEqual(names);
  });

  test('an overridden method keeps the declaration and is the one that runs', async () => {
    expect(callOf(await bootContainer({ providers: [S1] }), 'a')).toBe('s1');
  });
});

test('a class whose execute is a property or an accessor is told to write a method', async () => {
  @tool('property')
  class Property {
    readonly execute = (): void => {};
  }
  @tool('accessor')
  class Accessor {
    get execute(): () => void {
      throw new Error('not to be read');
    }
  }
  const problems = await problemsOf({ providers: [Property, Accessor] });
  expect(codesOf(problems)).toEqual(['MCP_TOOL_HANDLER', 'MCP_TOOL_HANDLER']);
  expect(problems[0]?.problem).toBe('Tool "property" has nothing to call: Property has no method execute().');
});
