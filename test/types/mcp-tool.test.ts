import { z } from 'zod';
import { IsInt, IsString } from 'class-validator';
import { Injectable, jsonSchema, McpContext, McpTool, type ToolHandler, type ToolResult } from 'perch-mcp';

// Each `@ts-expect-error` is an assertion: the file does not compile, and the test fails, when the line below it is accepted.

class Input {
  @IsString() name!: string;
  @IsInt() times = 1;
}

class Output {
  @IsString() text!: string;
}

const tool = { name: 't', description: 'd' } as const;

@McpTool({ ...tool, input: Input })
class Fits implements ToolHandler<Input> {
  execute(input: Input, context: McpContext): string {
    return `${input.name} ${String(context.requestId)}`;
  }
}

@McpTool({ ...tool, input: Input, output: Output })
class FitsOutput {
  execute(input: Input): Promise<Output> {
    return Promise.resolve({ text: input.name });
  }
}

@McpTool({ ...tool, output: Output })
class GivesContent {
  execute(): ToolResult {
    return { content: [{ type: 'text', text: '{}' }], structuredContent: { text: '' } };
  }
}

@McpTool(tool)
class TakesNothing {
  execute(): number {
    return 1;
  }
}

// @ts-expect-error -- execute is missing
@McpTool({ ...tool, input: Input })
class NoExecute {}

// @ts-expect-error -- the input is another type
@McpTool({ ...tool, input: Input })
class WrongInput {
  execute(input: { name: number }): string {
    return String(input.name);
  }
}

// @ts-expect-error -- the result is not the declared output
@McpTool({ ...tool, input: Input, output: Output })
class WrongOutput {
  execute(input: Input): { text: number } {
    return { text: input.times };
  }
}

// @ts-expect-error -- a tool without input has no field to read
@McpTool(tool)
class ReadsUndeclaredInput {
  execute(input: { name: string }): string {
    return input.name;
  }
}

// @ts-expect-error -- a model chooses a tool by its description
@McpTool({ name: 't', input: Input })
class NoDescription {
  execute(input: Input): string {
    return input.name;
  }
}

@Injectable()
class Methods {
  @McpTool({ ...tool, input: Input })
  fits(input: Input, context: McpContext): string {
    return `${input.name} ${context.era}`;
  }

  @McpTool({ ...tool, input: z.object({ count: z.number().default(1) }) })
  fitsZod(input: { count: number }): number {
    return input.count;
  }

  @McpTool({ ...tool, input: jsonSchema<{ count: number }>({ type: 'object' }) })
  fitsRaw(input: { count: number }): number {
    return input.count;
  }

  // @ts-expect-error -- zod says count is a number
  @McpTool({ ...tool, input: z.object({ count: z.number() }) })
  wrongZod(input: { count: string }): string {
    return input.count;
  }

  // @ts-expect-error -- the output of the schema is not what the method returns
  @McpTool({ ...tool, output: z.object({ count: z.number() }) })
  wrongZodOutput(): { count: string } {
    return { count: '1' };
  }

  // @ts-expect-error -- the method takes another input
  @McpTool({ ...tool, input: Input })
  wrongInput(input: { other: boolean }): boolean {
    return input.other;
  }
}

test('the decorator accepts what fits its options, and the compiler refuses the rest', () => {
  const accepted = [Fits, FitsOutput, GivesContent, TakesNothing];
  const refused = [NoExecute, WrongInput, WrongOutput, ReadsUndeclaredInput, NoDescription];
  expect([...accepted, ...refused, Methods].every((each) => typeof each === 'function')).toBe(true);
});

test('a static method is refused by the compiler, and at decoration with the class and the method', () => {
  const decorate = (): unknown => {
    class Static {
      // @ts-expect-error -- tools belong to instances
      @McpTool({ ...tool, input: Input })
      static run(input: Input): string {
        return input.name;
      }
    }
    return Static;
  };
  expect(decorate).toThrow(/the static method Static\.run/);
});

test('a property is refused by the compiler, and at decoration with its name', () => {
  const decorate = (): unknown => {
    class Property {
      // @ts-expect-error -- a property is not a method
      @McpTool({ ...tool, input: Input })
      readonly run = 1;
    }
    return Property;
  };
  expect(decorate).toThrow(/Property\.run, which is not a method/);
});
