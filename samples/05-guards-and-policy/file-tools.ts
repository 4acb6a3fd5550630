import { IsString, MaxLength } from 'class-validator';
import { AccessError, Field, GuardedFs, Injectable, McpTool, RateLimit, Requires, type GuardedEntry, type ToolHandler } from 'perch-mcp';
import { ReadingRoom } from './reading-room';

export class PathInput {
  @Field({ description: 'An absolute path' }) @IsString() @MaxLength(4_096) path!: string;
}

// #region read
@McpTool({ name: 'read_file', description: 'Reads a text file', input: PathInput, annotations: { readOnlyHint: true } })
@Requires({ fsRead: (input: PathInput) => input.path })
export class ReadFileTool implements ToolHandler<PathInput, string> {
  constructor(
    private readonly files: GuardedFs,
    private readonly room: ReadingRoom,
  ) {}

  async execute({ path }: PathInput): Promise<string> {
    const bytes = await this.files.read(path);
    this.room.hasRead(path);
    return bytes.toString('utf8');
  }
}
// #endregion read

@Injectable()
export class FolderTools {
  constructor(private readonly files: GuardedFs) {}

  // #region limit
  @McpTool({ name: 'list_folder', description: 'Lists a folder, five times a minute at most', input: PathInput })
  @RateLimit({ points: 5, durationMs: 60_000 })
  async list({ path }: PathInput): Promise<readonly GuardedEntry[]> {
    return this.files.list(path);
  }
  // #endregion limit

  @McpTool({ name: 'has_file', description: 'Says whether a file that may be read is there', input: PathInput })
  async has({ path }: PathInput): Promise<string> {
    try {
      return `Yes, a ${(await this.files.stat(path)).kind}.`;
    } catch (error) {
      // A denial is passed on as it is: to answer No would say that the policy had been asked about nothing.
      if (error instanceof AccessError && error.failure === 'missing') return 'No.';
      throw error;
    }
  }
}
