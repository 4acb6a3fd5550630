import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { Field, Injectable, McpFactory, McpTool, Module, type ToolHandler } from 'perch-mcp';

class GreetInput {
  @Field({ description: 'Whom to greet' }) @IsString() @MaxLength(80) name!: string;
  @Field({ description: 'How many times' }) @IsInt() @Min(1) @Max(5) times = 1; // an initialiser: optional, with this default
}

@Injectable()
class Greeter {
  greet(name: string) {
    return `Hello, ${name}!`;
  }
}

@McpTool({ name: 'greet', description: 'Greets a person by name', input: GreetInput })
class GreetTool implements ToolHandler<GreetInput> {
  constructor(private readonly greeter: Greeter) {}
  execute(input: GreetInput) {
    return Array.from({ length: input.times }, () => this.greeter.greet(input.name)).join('\n');
  }
}

@Module({ providers: [Greeter, GreetTool] })
class AppModule {}

void McpFactory.create(AppModule, { name: 'greeter', version: '1.0.0' }).then((app) => app.listen());
