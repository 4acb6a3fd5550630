import * as perch from 'perch-mcp';
import { Field, Inject, Injectable, McpTool, UseGuards } from 'perch-mcp';
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
