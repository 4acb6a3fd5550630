import type { JsonSchema } from '../contracts/schema-source';
import type { ToolEntry } from '../contracts/tool';
import type { ToolRegistry } from '../registry/tool-registry';

/** The schemas of a tool, as compiled at boot. */
export interface ToolSchemas {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | undefined;
}

/** An entry of `tools/list` (specification: Tool). */
export type ListedTool = Readonly<Record<string, unknown>> & { readonly name: string };

/** The answer to `tools/list`, computed when the registry changes and not when a client asks. */
export class ToolList {
  #tools: readonly ListedTool[];

  constructor(registry: ToolRegistry, schemasOf: (entry: ToolEntry) => ToolSchemas) {
    const compute = (): readonly ListedTool[] => Object.freeze(registry.list().map((entry) => toListedTool(entry, schemasOf(entry))));
    this.#tools = compute();
    registry.onChange(() => {
      this.#tools = compute();
    });
  }

  result(): { tools: readonly ListedTool[] } {
    return { tools: this.#tools };
  }
}

/** What clients see of a tool. Absent options stay absent, since strict clients refuse `undefined` and `null` alike. */
export function toListedTool(entry: ToolEntry, { inputSchema, outputSchema }: ToolSchemas): ListedTool {
  const { name, title, description, annotations, icons, meta } = entry;
  const optional = { title, description, inputSchema, outputSchema, annotations, icons, _meta: meta };
  const present = Object.entries(optional).filter(([, value]) => value !== undefined);
  return Object.freeze({ name, ...Object.fromEntries(present) });
}
