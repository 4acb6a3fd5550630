import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import {
  audio,
  embedded,
  Field,
  image,
  Injectable,
  jsonSchema,
  link,
  McpError,
  McpTool,
  text,
  ToolError,
  type McpContext,
  type ToolResult,
} from 'perch-mcp';
import { z } from 'zod';

class Greeting {
  @Field({ description: 'Whom' }) @IsString() @MaxLength(20) name!: string;
  @IsInt() @Min(1) @Max(3) times = 1;
  @IsOptional() @IsString() mood?: string;
}

class Sum {
  @IsInt() sum!: number;
}

const numbers = z.object({ a: z.number(), b: z.number().default(1) });
const OPTIONS = {
  annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' },
  _meta: { 'x.example/a': 1 },
} as const;

/** Tools with every kind of input, output and content. */
@Injectable()
export class CorpusTools {
  @McpTool({ name: 'greet', title: 'Greet', description: 'Greets', input: Greeting, annotations: { readOnlyHint: true } })
  greet({ name, times, mood }: Greeting): string {
    return `${'Hello '.repeat(times)}${name}${mood ?? ''}`;
  }

  @McpTool({ name: 'add', description: 'Adds', input: numbers, output: Sum })
  add({ a, b }: z.infer<typeof numbers>): Sum {
    return { sum: a + b };
  }

  @McpTool({ name: 'raw', description: 'As it is', input: jsonSchema({ type: 'object', properties: { deep: { type: 'object' } } }) })
  raw(input: object): object {
    return input;
  }

  @McpTool({ name: 'broken-promise', description: 'Says one thing and gives another', output: Sum })
  broken(): Sum {
    return { sum: 'much' as never };
  }

  @McpTool({ name: 'content', description: 'Every kind of content', icons: [{ src: 'https://x.example/i.png', mimeType: 'image/png' }] })
  content(): ToolResult {
    const bytes = new Uint8Array([1, 2, 255]);
    return {
      content: [
        text('text', OPTIONS),
        image(bytes, 'image/png', OPTIONS),
        audio(bytes, 'audio/wav', OPTIONS),
        embedded({ uri: 'x://1', mimeType: 'text/plain', text: 'one' }, OPTIONS),
        embedded({ uri: 'x://2', blob: 'AA==' }),
        link({ uri: 'x://3', name: 'three', title: 'Three', size: 3 }, OPTIONS),
      ],
      structuredContent: { any: 'thing' },
      _meta: { 'x.example/b': 2 },
    };
  }

  @McpTool({ name: 'fails', description: 'Fails with a result of its own' })
  fails(): ToolResult {
    return { content: [text('no')], isError: true };
  }

  @McpTool({ name: 'tool-error', description: 'Throws for the model' })
  toolError(): never {
    throw new ToolError('Try tomorrow\nor "later"');
  }

  @McpTool({ name: 'mcp-error', description: 'Throws for the protocol' })
  mcpError(): never {
    throw new McpError(-31_999, 'Of my own', { retryAfter: 3 });
  }

  @McpTool({ name: 'bug', description: 'Throws for nobody' })
  bug(): never {
    throw new Error('SECRET');
  }

  @McpTool({ name: 'progress', description: 'Tells how far it is' })
  async progress(_input: object, context: McpContext): Promise<string> {
    await context.progress(1, { total: 2, message: 'half' });
    await context.progress(2);
    return 'done';
  }

  @McpTool({ name: 'log', description: 'Logs' })
  async log(_input: object, context: McpContext): Promise<string> {
    await context.log('debug', 'small');
    await context.log('error', { big: true }, 'corpus');
    await context.log('error', undefined);
    return 'logged';
  }

  @McpTool({ name: 'tell-the-unspeakable', description: 'Tells what JSON cannot say' })
  async unspeakable(_input: object, context: McpContext): Promise<string> {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    await context.progress(Number.NaN);
    await context.progress(1, { total: Number.POSITIVE_INFINITY, message: undefined as never });
    for (const data of [cycle, 1n, () => 1, Symbol('x')]) await context.log('error', data);
    return 'told';
  }

  @McpTool({ name: 'meta', description: 'Shows what came with the call' })
  meta(_input: object, { meta, client, session }: McpContext): object {
    return { meta: { mine: meta['x.example/mine'] }, client: client?.name, hasSession: session !== undefined };
  }

  @McpTool({ name: 'ask', description: 'Asks the person' })
  async ask(_input: object, context: McpContext): Promise<string> {
    return (await context.ask('who', { message: 'Who?', schema: z.object({ name: z.string() }) })).name;
  }
}
