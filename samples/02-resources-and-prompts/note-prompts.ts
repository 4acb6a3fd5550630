import { IsIn, IsOptional, IsString } from 'class-validator';
import { Complete, embedded, Field, Injectable, McpError, McpPrompt, text, type PromptMessage } from 'perch-mcp';
import { NoteBook, uriOf } from './note-book';

export class RewriteArgs {
  @Field({ description: 'The folder of the note' })
  @IsString()
  folder!: string;

  @Field({ description: 'The note' })
  @IsString()
  id!: string;

  @Field({ description: 'How it should sound' })
  @IsOptional()
  @IsIn(['plain', 'formal', 'pirate'])
  tone?: string;
}

@Injectable()
export class NotePrompts {
  constructor(private readonly book: NoteBook) {}

  @McpPrompt({ name: 'rewrite_note', title: 'Rewrite a note', description: 'Asks for a note in another tone', args: RewriteArgs })
  rewrite({ folder, id, tone = 'plain' }: RewriteArgs): readonly PromptMessage[] {
    const note = this.book.find(folder, id);
    if (note === undefined) throw new McpError(-32602, `There is no note "${id}" in "${folder}".`);
    return [
      { role: 'user', content: embedded({ uri: uriOf(note), mimeType: 'text/markdown', text: note.text }) },
      { role: 'user', content: text(`Rewrite the note above so that it sounds ${tone}.`) },
    ];
  }

  @McpPrompt({ name: 'suggest_note', description: 'Asks what to write next' })
  suggest(): string {
    return `My notes are: ${this.book
      .all()
      .map(({ title }) => title)
      .join(', ')}. What should I write about next?`;
  }

  @Complete('folder')
  folders(value: string): string[] {
    return this.book.folders().filter((folder) => folder.startsWith(value));
  }
}
