import { IsString } from 'class-validator';
import { z } from 'zod';
import { Injectable, McpPrompt, text, type McpContext, type PromptHandler, type PromptResult } from 'perch-mcp';

// Each `@ts-expect-error` is an assertion: the file does not compile, and the test fails, when the line below it is accepted.

class Args {
  @IsString() topic!: string;
}

@McpPrompt({ name: 'p', args: Args })
class Fits implements PromptHandler<Args> {
  get({ topic }: Args, context: McpContext): string {
    return `${topic} ${context.era}`;
  }
}

@McpPrompt({ name: 'p' })
class FitsResult {
  get(): Promise<PromptResult> {
    return Promise.resolve({ messages: [{ role: 'user', content: text('x') }] });
  }
}

// @ts-expect-error -- get is missing
@McpPrompt({ name: 'p' })
class NoGet {}

// @ts-expect-error -- the arguments are of another type
@McpPrompt({ name: 'p', args: Args })
class WrongArgs {
  get({ topic }: { topic: number }): string {
    return String(topic);
  }
}

// @ts-expect-error -- a number is no prompt
@McpPrompt({ name: 'p' })
class WrongAnswer {
  get(): number {
    return 1;
  }
}

// @ts-expect-error -- a prompt without args has none to read
@McpPrompt({ name: 'p' })
class ReadsUndeclared {
  get({ topic }: { topic: string }): string {
    return topic;
  }
}

@Injectable()
class Methods {
  @McpPrompt({ name: 'p', args: z.object({ count: z.coerce.number() }) })
  fitsZod({ count }: { count: number }): string {
    return String(count);
  }

  // @ts-expect-error -- messages have a role
  @McpPrompt({ name: 'p' })
  wrongMessages(): { content: { type: string } }[] {
    return [];
  }
}

test('what the compiler accepts is accepted at run time', () => {
  expect([Fits, FitsResult, NoGet, WrongArgs, WrongAnswer, ReadsUndeclared, Methods]).toHaveLength(7);
});

test('a property is refused by the compiler, and at decoration with its name', () => {
  const decorate = (): unknown => {
    class Property {
      // @ts-expect-error -- a property is not a method
      @McpPrompt({ name: 'p' })
      readonly run = 1;
    }
    return Property;
  };
  expect(decorate).toThrow(/@McpPrompt\(\{ name: "p" \}\) stands on Property\.run, which is not a method\. Put it on a class with get\(\)/);
});
