import { EngineModule, Module } from 'perch-mcp';
import { CheckedKeywordsEngine, CheckedSummarizeEngine, CheckedTableEngine } from './checked-engines';
import { OutlinePlugIn } from './outline-plug-in';

/** The same pack, annotated: its engines are providers now, and what they are given is checked before they see it. */
// #region checked
@Module({
  imports: [EngineModule.forRoot()],
  providers: [CheckedSummarizeEngine, CheckedKeywordsEngine, CheckedTableEngine, OutlinePlugIn],
})
export class CheckedModule {}
// #endregion checked
