import { Injectable, McpTool, Roles } from 'perch-mcp';

/** Remembers what was read. */
@Injectable()
export class ReadingRoom {
  readonly #read: string[] = [];

  hasRead(path: string): void {
    this.#read.push(path);
  }

  // #region roles
  @McpTool({ name: 'reading_report', description: 'Says which files were read' })
  @Roles('admin')
  report(): readonly string[] {
    return this.#read;
  }
  // #endregion roles
}
