import { Complete, McpResource, type ListedResource, type McpContext, type ResourceHandler } from 'perch-mcp';
import { NoteBook, uriOf, type Note } from './note-book';

// #region template
type NoteVariables = Pick<Note, 'folder' | 'id'>;

@McpResource({ uri: 'notes://{folder}/{id}', name: 'note', description: 'One note of a folder', mimeType: 'text/markdown' })
export class NoteResource implements ResourceHandler<NoteVariables> {
  constructor(private readonly book: NoteBook) {}

  /** `undefined` says that there is no such note. */
  read({ folder, id }: NoteVariables): string | undefined {
    const note = this.book.find(folder, id);
    return note === undefined ? undefined : `# ${note.title}\n\n${note.text}`;
  }

  list(): readonly ListedResource[] {
    return this.book.all().map((note) => ({ uri: uriOf(note), name: note.id, title: note.title, mimeType: 'text/markdown' }));
  }

  @Complete('folder')
  folders(value: string): string[] {
    return this.book.folders().filter((folder) => folder.startsWith(value));
  }

  @Complete('id')
  ids(value: string, _context: McpContext, others: Readonly<Record<string, string>>): string[] {
    const { folder } = others;
    return this.book
      .all()
      .flatMap((note) => (note.id.startsWith(value) && (folder === undefined || note.folder === folder) ? [note.id] : []));
  }
}
// #endregion template
