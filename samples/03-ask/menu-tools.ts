import { IsString, MaxLength } from 'class-validator';
import { Field, Injectable, link, McpContext, McpTool, text, ToolError, type ContentBlock, type ToolResult } from 'perch-mcp';

export class PlanMenuInput {
  @Field({ description: 'What is celebrated' }) @IsString() @MaxLength(80) occasion!: string;
}

@Injectable()
export class MenuTools {
  // #region together
  @McpTool({ name: 'plan_menu', description: 'Lets your model plan a menu, and names a file of yours for it', input: PlanMenuInput })
  async plan({ occasion }: PlanMenuInput, context: McpContext): Promise<ToolResult> {
    const wish = text(`A menu of three courses for ${occasion}, one line each.`);
    const [answer, folders] = await Promise.all([
      context.sample('menu', { messages: [{ role: 'user', content: wish }], maxTokens: 200 }),
      context.roots('folders'),
    ]);
    const file = folders.map(({ uri }) => link({ uri: `${uri}/menu.txt`, name: 'menu.txt' })).slice(0, 1);
    return { content: [text(menuIn(answer.content)), ...file] };
  }
  // #endregion together
}

/** A model answers with one block or with several, and is free to answer with something that is no text. */
function menuIn(content: unknown): string {
  const blocks = [content].flat() as readonly ContentBlock[];
  const lines = blocks.flatMap((block) => (block.type === 'text' ? [String(block['text'])] : []));
  if (lines.length === 0) throw new ToolError('Your model wrote no menu');
  return lines.join('\n');
}
