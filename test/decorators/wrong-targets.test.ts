import * as perch from 'perch-mcp';
import { Engine, Field, Inject, Injectable, McpPrompt, McpResource, McpTool, UseGuards } from 'perch-mcp';
import { closeApps, createApp } from '../support/app';

afterEach(closeApps);

const tool = { name: 't', description: 'd' };
// What JavaScript, or a cast, lets through and the compiler does not.
const anywhere = (decorator: unknown): any => decorator;

function staticTool(): unknown {
  class A {
    @anywhere(McpTool(tool))
    static run(): void {}
  }
  return A;
}

function propertyTool(): unknown {
  class A {
    @anywhere(McpTool(tool))
    run = 1;
  }
  return A;
}

function getterTool(): unknown {
  class A {
    @anywhere(McpTool(tool))
    get run(): number {
      return 1;
    }
  }
  return A;
}

function staticField(): unknown {
  class A {
    @Field()
    static x = 1;
  }
  return A;
}

function staticGuard(): unknown {
  class A {
    @anywhere(UseGuards({ canActivate: () => true }))
    static run(): void {}
  }
  return A;
}

test.each([
  ['@McpTool on a static method', staticTool, /static method A\.run/],
  ['@McpTool on a property', propertyTool, /A\.run, which is not a method/],
  ['@McpTool on a getter', getterTool, /A\.run, which is not a method/],
  ['@Field on a static property', staticField, /static property A\.x/],
  ['@UseGuards on a static method', staticGuard, /static method A\.run/],
  ['@McpTool under standard decorators', () => anywhere(McpTool(tool))(class A {}, { kind: 'class', name: 'A' }), /experimentalDecorators/],
  ['@Inject on a class', () => anywhere(Inject('X'))(class A {}), /constructor parameter or on a property/],
])('F15: %s is refused at decoration, and the place is named', (_what, declare, text) => {
  expect(declare).toThrow(text);
});

test('F15: classes that another copy of the framework decorated are served, and its errors are recognised', async () => {
  let other: typeof perch | undefined;
  jest.isolateModules(() => {
    other = jest.requireActual<typeof perch>('perch-mcp');
  });
  const copy = other as typeof perch;
  expect(copy.ToolError).not.toBe(perch.ToolError);

  @copy.Injectable()
  class Greeter {
    greet(): string {
      throw new copy.ToolError('from the other copy');
    }
  }

  @Injectable()
  class Tools {
    constructor(@copy.Inject(Greeter) private readonly greeter: Greeter) {}

    @copy.McpTool(tool)
    run(): string {
      return this.greeter.greet();
    }
  }
  const app = await createApp([Greeter, Tools]);
  expect(await app.tools.call('t')).toEqual({ isError: true, content: [{ type: 'text', text: 'from the other copy' }] });
});

test.each([
  [
    '@McpTool({ name: "t" }) has no option "guards". Put @UseGuards() beside it.',
    () => McpTool(anywhere({ name: 't', description: 'd', guards: [] })),
  ],
  ['@McpTool({ name: "t" }) has no option "timeout". Use name,', () => McpTool(anywhere({ name: 't', description: 'd', timeout: 5 }))],
  ['@McpPrompt({ name: "p" }) has no option "scopes". Put @Scopes() beside it.', () => McpPrompt(anywhere({ name: 'p', scopes: ['a'] }))],
  [
    '@McpResource({ uri: "x://a" }) has no option "Filters". Put @UseFilters() beside it.',
    () => McpResource(anywhere({ uri: 'x://a', name: 'a', Filters: [] })),
  ],
  ['@Engine() has no option "guard". Put @UseGuards() beside it.', () => Engine(anywhere({ guard: class {} }))],
])('F9: an option that there is not is refused at decoration, and the word that was meant is named: %s', (text, decorate) => {
  expect(decorate).toThrow(TypeError);
  expect(decorate).toThrow(text);
});
