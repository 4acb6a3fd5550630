import { IsIn, IsOptional, IsString } from 'class-validator';
import { Complete, Field, Injectable, McpPrompt, McpResource, text, type McpApplication, type PromptResult } from 'perch-mcp';
import { createApp } from '../../support/app';
import { CorpusTools } from './corpus-tools';
import { registerMisbehaving } from './misbehaving-tools';

class Plan {
  @Field({ description: 'Where to' }) @IsString() city!: string;
  @IsOptional() @IsIn(['foot', 'bike']) by?: string;
}

@Injectable()
class CorpusPrompts {
  @McpPrompt({ name: 'plan', title: 'Plan', description: 'Plans a trip', args: Plan })
  plan({ city, by }: Plan): string {
    return `To ${city} by ${by ?? 'foot'}`;
  }

  @McpPrompt({ name: 'dialogue' })
  dialogue(): PromptResult {
    return {
      description: 'Two voices',
      messages: [
        { role: 'user', content: text('Hm?') },
        { role: 'assistant', content: { type: 'resource', resource: { uri: 'x://1', text: 'one' } } },
      ],
    };
  }

  @McpPrompt({ name: 'half' })
  half(): PromptResult {
    return { messages: [{ role: 'user', content: { type: 'image', data: 'AA==' } }] };
  }

  @McpPrompt({ name: 'own-type' })
  ownType(): PromptResult {
    const wrong = { messages: [], resultType: 'input_required' };
    return wrong;
  }

  @McpPrompt({ name: 'broken' })
  broken(): never {
    throw new Error('SECRET');
  }

  @Complete('city')
  cities(value: string): string[] {
    return ['Paris', 'Prague', 'Rome'].filter((city) => city.startsWith(value));
  }
}

@Injectable()
class CorpusResources {
  @McpResource({ uri: 'doc://text', name: 'text', title: 'Text', mimeType: 'text/markdown', size: 6 })
  text(): string {
    return '# Text';
  }

  @McpResource({ uri: 'doc://bytes', name: 'bytes', mimeType: 'image/png' })
  bytes(): Uint8Array {
    return new Uint8Array([0, 255]);
  }

  @McpResource({ uri: 'doc://object', name: 'object' })
  object(): object {
    return { n: 1 };
  }

  @McpResource({ uri: 'doc://many', name: 'many' })
  many(): object {
    return {
      contents: [
        { uri: 'doc://a', text: 'a' },
        { uri: 'doc://b', blob: 'AA==' },
      ],
    };
  }

  @McpResource({ uri: 'doc://half', name: 'half' })
  half(): object {
    return { contents: [{ uri: 5, text: 'a' }] };
  }

  @McpResource({ uri: 'doc://own-type', name: 'own-type' })
  ownType(): object {
    return { contents: [{ text: 'a' }], resultType: 'input_required' };
  }

  @McpResource({ uri: 'doc://bug', name: 'bug' })
  bug(): never {
    throw new Error('SECRET');
  }

  @McpResource({ uri: 'note://{folder}/{id}', name: 'note', description: 'A note', mimeType: 'text/plain' })
  note({ folder, id }: { folder: string; id: string }): string | undefined {
    return id === 'none' ? undefined : `${folder}: ${id}`;
  }

  @McpResource({ uri: 'find://all{?text,limit}', name: 'find' })
  find(variables: { text?: string | undefined; limit?: string | undefined }): object {
    return { text: variables.text ?? 'absent', limit: variables.limit ?? 'absent' };
  }

  @McpResource({ uri: 'path:{/id*}', name: 'path' })
  path({ id }: { id?: readonly string[] | undefined }): object {
    return id ?? [];
  }

  @Complete('folder')
  folders(): string[] {
    return ['kitchen', 'garden'];
  }
}

/** One application with everything that the corpus asks for, with pages of ten. */
export async function createCorpusApp(): Promise<McpApplication> {
  const app = await createApp([CorpusTools, CorpusPrompts, CorpusResources], {
    title: 'Corpus',
    instructions: 'Ask anything.',
    limits: { listPage: 10 },
  });
  registerMisbehaving(app.tools);
  return app;
}
