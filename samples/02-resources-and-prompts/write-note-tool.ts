import { IsString, Matches } from 'class-validator';
import { Field, link, McpTool, ResourceRegistry, type ToolHandler, type ToolResult } from 'perch-mcp';
import { NoteBook, uriOf } from './note-book';

export class WriteNoteInput {
  @Field({ description: 'The folder' }) @Matches(/^[a-z]+$/) folder!: string;
  @Field({ description: 'The name of the note in its folder' }) @Matches(/^[a-z-]+$/) id!: string;
  @Field({ description: 'The title' }) @IsString() title!: string;
  @Field({ description: 'The note' }) @IsString() text!: string;
}

// #region tool
@McpTool({ name: 'write_note', description: 'Writes a note, or writes it anew', input: WriteNoteInput })
export class WriteNoteTool implements ToolHandler<WriteNoteInput> {
  constructor(
    private readonly book: NoteBook,
    private readonly resources: ResourceRegistry,
  ) {}

  execute(note: WriteNoteInput): ToolResult {
    this.book.write(note);
    // Whoever follows the note, in whichever era, hears of it.
    this.resources.notifyUpdated(uriOf(note));
    return { content: [link({ uri: uriOf(note), name: note.id, title: note.title })] };
  }
}
// #endregion tool
