import { defineTool, serve, ToolError } from 'perch-mcp';
import { z } from 'zod';

// #region tool
const convert = defineTool({
  name: 'convert',
  description: 'Converts a length',
  inputSchema: z.object({ metres: z.number().nonnegative(), to: z.enum(['feet', 'miles']).default('feet') }),
  handler: ({ metres, to }) => ({ [to]: to === 'feet' ? metres / 0.3048 : metres / 1609.344 }),
});

const readList = defineTool({
  name: 'shopping_list',
  description: 'Reads the shopping list',
  handler: (_args, ctx) => {
    if (!ctx.allowsFsRead('/srv/shopping-list.txt')) throw new ToolError('The operator does not let this server read the list.');
    return ['bread', 'apples'];
  },
});

void serve([convert, readList], { name: 'measures', version: '1.0.0' });
// #endregion tool
