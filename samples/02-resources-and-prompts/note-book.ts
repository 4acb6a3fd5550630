import { Injectable } from 'perch-mcp';

export interface Note {
  readonly folder: string;
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** The notes, in memory. */
@Injectable()
export class NoteBook {
  readonly #notes = new Map<string, Note>();

  constructor() {
    this.write({ folder: 'kitchen', id: 'bread', title: 'Bread', text: 'Flour, water, salt, time.' });
    this.write({ folder: 'kitchen', id: 'soup', title: 'Soup', text: 'Whatever is left.' });
    this.write({ folder: 'garden', id: 'roses', title: 'Roses', text: 'Cut them in March.' });
  }

  write(note: Note): void {
    this.#notes.set(uriOf(note), note);
  }

  find(folder: string, id: string): Note | undefined {
    return this.#notes.get(uriOf({ folder, id }));
  }

  all(): readonly Note[] {
    return [...this.#notes.values()];
  }

  folders(): readonly string[] {
    return [...new Set(this.all().map(({ folder }) => folder))];
  }
}

export function uriOf({ folder, id }: Pick<Note, 'folder' | 'id'>): string {
  return `notes://${encodeURIComponent(folder)}/${encodeURIComponent(id)}`;
}
