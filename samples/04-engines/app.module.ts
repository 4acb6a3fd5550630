import { EngineModule, Module } from 'perch-mcp';
import { ExtractKeywordsEngine } from './document-pack/extract-keywords';
import { SummarizeEngine } from './document-pack/summarize';
import { TableToCsvEngine } from './document-pack/table-to-csv';
import { OutlinePlugIn } from './outline-plug-in';

// #region expose
@Module({
  imports: [EngineModule.forRoot({ engines: [new SummarizeEngine(), new ExtractKeywordsEngine(), new TableToCsvEngine()] })],
})
export class DocumentModule {}
// #endregion expose

@Module({ imports: [DocumentModule], providers: [OutlinePlugIn] })
export class AppModule {}
