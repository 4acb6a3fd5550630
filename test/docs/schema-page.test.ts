import { McpTool } from 'perch-mcp';
import { closeApps, createApp } from '../support/app';
import { INPUTS, TOOLS } from './schema-page';

afterEach(closeApps);

test.each(INPUTS)('docs/schema.md shows %p, which can be used as input', async (input) => {
  class Tool {
    execute(): void {
      // Only the schema matters.
    }
  }
  McpTool({ name: 'tool', description: 'd', input })(Tool as never);
  await expect(createApp([Tool])).resolves.toBeDefined();
});

test.each(TOOLS)('docs/schema.md shows %p, which greets', async (tool) => {
  const app = await createApp([tool]);
  expect(await app.tools.call('greet', { name: 'Ada' })).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
});
