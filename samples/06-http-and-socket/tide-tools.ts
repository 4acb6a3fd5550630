import { Injectable, McpContext, McpTool, Scopes, ToolError } from 'perch-mcp';
import { TideGauge } from './tide-gauge';

@Injectable()
export class TideTools {
  constructor(private readonly gauge: TideGauge) {}

  @McpTool({ name: 'tide', description: 'Reads the tide gauge', annotations: { readOnlyHint: true } })
  tide(_input: object, context: McpContext): { metres: number; askedOver: string } {
    if (!this.gauge.isPlugged) throw new ToolError('The gauge is unplugged.');
    return { metres: this.gauge.read(Date.now()), askedOver: context.transport };
  }

  // #region local-only
  @Scopes('gauge:service')
  @McpTool({ name: 'unplug_gauge', description: 'Unplugs the gauge, until the server starts anew' })
  unplug(): string {
    this.gauge.unplug();
    return 'Unplugged.';
  }
  // #endregion local-only
}
