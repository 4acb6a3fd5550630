import { IsInt, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { Field, Injectable, McpContext, McpTool, type ToolHandler } from 'perch-mcp';

export class GreetInput {
  @Field({ description: 'Whom to greet', examples: ['Ada'] })
  @IsString()
  @MinLength(1)
  @MaxLength(80)
  name!: string;

  @Field({ description: 'How many times' })
  @IsInt()
  @Min(1)
  @Max(5)
  times = 1;
}

@Injectable()
export class Greeter {
  greet(name: string): string {
    return `Hello, ${name}!`;
  }
}

@McpTool({ name: 'greet', title: 'Greet', description: 'Greets a person by name', input: GreetInput, annotations: { readOnlyHint: true } })
export class GreetTool implements ToolHandler<GreetInput, string> {
  constructor(private readonly greeter: Greeter) {}

  execute(input: GreetInput, context: McpContext): string {
    context.signal.throwIfAborted();
    return Array.from({ length: input.times }, () => this.greeter.greet(input.name)).join('\n');
  }
}
