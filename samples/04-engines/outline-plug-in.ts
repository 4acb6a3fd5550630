import { EngineRegistry, Injectable, McpTool, ToolError, type OnApplicationBootstrap } from 'perch-mcp';
import { OutlineEngine } from './plug-ins/outline';

/** Adds an engine after the start, and takes it away when it is asked to. Clients that are connected are told. */
// #region plug-in
@Injectable()
export class OutlinePlugIn implements OnApplicationBootstrap {
  readonly #outline = new OutlineEngine();

  constructor(private readonly engines: EngineRegistry) {}

  onApplicationBootstrap(): void {
    this.engines.register(this.#outline);
  }

  @McpTool({ name: 'load_outline', description: 'Loads the plug-in that lists the headings of a text' })
  load(): string {
    if (this.engines.has(this.#outline.id)) throw new ToolError('The plug-in is loaded.');
    this.engines.register(this.#outline);
    return 'Loaded.';
  }

  @McpTool({ name: 'unload_outline', description: 'Unloads the plug-in that lists the headings of a text' })
  unload(): string {
    return this.engines.unregister(this.#outline.id) ? 'Unloaded.' : 'It was not loaded.';
  }
}
// #endregion plug-in
