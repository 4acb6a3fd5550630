import { IsInt, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { Engine, Field } from 'perch-mcp';
import { ExtractKeywordsEngine } from './document-pack/extract-keywords';
import { SummarizeEngine } from './document-pack/summarize';
import { TableToCsvEngine } from './document-pack/table-to-csv';

// #region input
export class SummarizeInput {
  @Field({ description: 'What to summarize' }) @IsString() @MinLength(1) @MaxLength(200_000) text!: string;
  @Field({ description: 'How many sentences to keep' }) @IsInt() @Min(1) @Max(20) sentences = 3;
}

@Engine({ input: SummarizeInput, annotations: { readOnlyHint: true } })
export class CheckedSummarizeEngine extends SummarizeEngine {}
// #endregion input

export class KeywordsInput {
  @Field({ description: 'The text, in English' }) @IsString() @MinLength(1) @MaxLength(200_000) text!: string;
  @Field({ description: 'How many words to give' }) @IsInt() @Min(1) @Max(100) limit = 10;
}

@Engine({ input: KeywordsInput, annotations: { readOnlyHint: true }, timeoutMs: 5_000 })
export class CheckedKeywordsEngine extends ExtractKeywordsEngine {}

// #region output
export class TableInput {
  @Field({ description: 'A Markdown table, or lines whose columns tabs or two spaces keep apart' })
  @IsString()
  @MinLength(1)
  @MaxLength(200_000)
  table!: string;
}

export class CsvOutput {
  @Field({ description: 'The table, with CRLF at the end of each line' }) @IsString() csv!: string;
  @Field({ description: 'How many lines it has, the header included' }) @IsInt() rows!: number;
  @Field({ description: 'How many columns it has' }) @IsInt() columns!: number;
}

@Engine({ input: TableInput, output: CsvOutput, annotations: { readOnlyHint: true } })
export class CheckedTableEngine extends TableToCsvEngine {}
// #endregion output
