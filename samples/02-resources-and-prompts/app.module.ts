import { Module } from 'perch-mcp';
import { LibraryResources } from './library-resources';
import { NoteBook } from './note-book';
import { NotePrompts } from './note-prompts';
import { NoteResource } from './note-resource';
import { WriteNoteTool } from './write-note-tool';

@Module({ providers: [NoteBook, NoteResource, LibraryResources, NotePrompts, WriteNoteTool] })
export class AppModule {}
