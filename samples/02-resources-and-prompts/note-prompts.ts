import { IsIn, IsOptional, IsString } from 'class-validator';
import { Complete, embedded, Field, Injectable, McpError, McpPrompt, text, type PromptMessage } from 'perch-mcp';
import { NoteBook, uriOf } from './note-book';

// #region args
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
// #endregion args

@Injectable()
export class NotePrompts {
  constructor(private readonly book: NoteBook) {}

  // #region rewrite
  @McpPrompt({ name: 'rewrite_note', title: 'Rewrite a note', description: 'Asks for a note in another tone', args: RewriteArgs })
  rewrite({ folder, id, tone = 'plain' }: RewriteArgs): readonly PromptMessage[] {
    const note = this.book.find(folder, id);
    if (note === undefined) throw new McpError(-32602, `There is no note "${id}" in "${folder}".`);
    return [
      { role: 'user', content: embedded({ uri: uriOf(note), mimeType: 'text/markdown', text: note.text }) },
      { role: 'user', content: text(`Rewrite the note above so that it sounds ${tone}.`) },
    ];
  }
  // #endregion rewrite

  @McpPrompt({ name: 'suggest_note', description: 'Asks what to write next' })
  suggest(): string {
    return `My notes are: ${this.book
      .all()
      .map(({ title }) => title)
      .join(', ')}. What should I write about next?`;
  }

  // #region complete
  @Complete('folder')
  folders(value: string): string[] {
    return this.book.folders().filter((folder) => folder.startsWith(value));
  }
  // #endregion complete
}
