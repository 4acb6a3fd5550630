import type { EngineLike } from '../contracts/engine';
import type { ToolEntry } from '../contracts/tool';
import { DuplicateRegistrationError } from '../errors/registry-errors';
import type { ToolRegistry } from '../registry/tool-registry';
import { engineFacts } from './engine-facts';
import { describeTool, type EngineToolOptions } from './to-tool';

/** An engine and the tool that presents it. */
interface Adapted {
  readonly engine: EngineLike;
  readonly tool: ToolEntry;
}

/** Presents engines in a tool registry, one by one, and remembers which tools are its own. Works with or without an application. */
export class EngineAdapter {
  readonly #adapted = new Map<string, Adapted>();

  constructor(
    private readonly tools: ToolRegistry,
    private readonly options: EngineToolOptions = {},
  ) {}

  /** Throws `InvalidEngineError`, `DuplicateRegistrationError` when the tool's name is taken, or `McpSetupError` for a name MCP does not allow. */
  registerEngine(engine: EngineLike): void {
    const facts = engineFacts(engine);
    const tool = describeTool(engine, facts, this.options);
    if (this.hasEngine(facts.id) && !this.tools.has(tool.name)) throw new DuplicateRegistrationError('Engine', facts.id);
    // The tool first: an engine that is listed here has its tool, and the other way round.
    this.#adapted.set(facts.id, { engine, tool: this.tools.register(tool) });
  }

  /** Stops at the first that fails, throws its error, and keeps those before it. */
  registerEngines(engines: Iterable<EngineLike>): void {
    for (const engine of engines) this.registerEngine(engine);
  }

  /** False when this adapter has no engine of that id. */
  unregisterEngine(id: string): boolean {
    const adapted = this.#adapted.get(id);
    if (adapted === undefined) return false;
    this.#adapted.delete(id);
    return this.#isServed(adapted) && this.tools.unregister(adapted.tool.name);
  }

  hasEngine(id: string): boolean {
    const adapted = this.#adapted.get(id);
    return adapted !== undefined && this.#isServed(adapted);
  }

  /** Removes its own tools and no others. */
  clear(): void {
    for (const id of [...this.#adapted.keys()]) this.unregisterEngine(id);
  }

  /** The engines themselves, in the order of registration. */
  listRegisteredEngines(): readonly EngineLike[] {
    return [...this.#adapted.values()].filter((each) => this.#isServed(each)).map(({ engine }) => engine);
  }

  /** Somebody may have unregistered the tool since, and another may have taken its name. */
  #isServed({ tool }: Adapted): boolean {
    return this.tools.get(tool.name) === tool;
  }
}
