import { closeApps, everyDoor } from '../support/app';
import { Engine, EngineModule, McpFactory, Module, type EngineContext } from 'perch-mcp';

afterEach(closeApps);

test('a decorated class is listed and called as a tool named by its id, in both eras', async () => {
  @Engine()
  class SummarizeEngine {
    readonly id = 'document.summarize';
    readonly name = 'Summarize';
    readonly description = 'Summarizes a document';
    readonly version = '1.2.0';
    async execute(context: EngineContext<{ text: string }>) {
      return Promise.resolve({ summary: context.request.input.text.slice(0, 3), strategy: context.request.strategy });
    }
  }
  @Module({ imports: [EngineModule.forRoot()] })
  class FeatureModule {}
  @Module({ imports: [FeatureModule], providers: [SummarizeEngine] })
  class AppModule {}
  const served = await McpFactory.create(AppModule, { name: 't', version: '1', logger: false });
  try {
    for (const door of await everyDoor(served)) {
      const listed = await door.ask('tools/list');
      expect(listed.result?.['tools']).toEqual([
        {
          name: 'document.summarize',
          title: 'Summarize',
          description: 'Summarizes a document',
          inputSchema: { type: 'object', additionalProperties: true },
          _meta: { 'perch-mcp/engine-version': '1.2.0' },
        },
      ]);
      const called = await door.ask('tools/call', { name: 'document.summarize', arguments: { text: 'abcdef', more: [1] } });
      expect(called.result?.['content']).toEqual([{ type: 'text', text: '{"summary":"abc","strategy":"document.summarize"}' }]);
    }
  } finally {
    await served.close();
  }
});
