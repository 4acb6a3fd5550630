import { Injectable, McpResource } from 'perch-mcp';
import { NoteBook } from './note-book';

const DOT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==', 'base64');

/** Several resources in one class. */
@Injectable()
export class LibraryResources {
  constructor(private readonly book: NoteBook) {}

  // #region static
  @McpResource({ uri: 'library://folders', name: 'folders', description: 'The folders, and how many notes each has' })
  folders(): Record<string, number> {
    const count = (folder: string): number => this.book.all().filter((note) => note.folder === folder).length;
    return Object.fromEntries(this.book.folders().map((folder) => [folder, count(folder)]));
  }
  // #endregion static

  @McpResource({ uri: 'library://cover', name: 'cover', description: 'The cover of the book', mimeType: 'image/png', size: DOT.length })
  cover(): Uint8Array {
    return DOT;
  }

  // #region query
  @McpResource({ uri: 'library://search{?text,limit}', name: 'search', description: 'The titles of notes that contain a text' })
  search({ text = '', limit = '10' }: { text?: string | undefined; limit?: string | undefined }): readonly string[] {
    const found = this.book.all().filter((note) => note.text.includes(text));
    return found.slice(0, Number(limit)).map(({ title }) => title);
  }
  // #endregion query
}
