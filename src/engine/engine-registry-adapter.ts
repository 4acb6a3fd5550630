import type { EngineLike } from '../contracts/engine';
import type { ToolRegistry } from '../registry/tool-registry';
import { EngineAdapter } from './engine-adapter';
import { engineFacts } from './engine-facts';
import type { EngineRegistry } from './engine-registry';
import type { EngineToolOptions } from './to-tool';

/** Presents all engines of a registry as tools, in bulk. Works with or without an application. */
export class EngineRegistryAdapter {
  readonly #adapter: EngineAdapter;
  readonly #ids = new Map<EngineLike, string>();

  constructor(
    private readonly engines: EngineRegistry,
    tools: ToolRegistry,
    options: EngineToolOptions = {},
  ) {
    this.#adapter = new EngineAdapter(tools, options);
  }

  /**
   * Presents those that are not yet, so that it can be called again after more were registered, and withdraws those that left. Throws
   * `DuplicateRegistrationError` when a tool's name is taken by anything else.
   */
  registerAll(): void {
    const present = new Set(this.engines.list());
    for (const [engine, id] of this.#ids) if (!present.has(engine)) this.#withdraw(engine, id);
    for (const engine of present) this.#present(engine);
  }

  /** Withdraws the tools that this adapter made. */
  unregisterAll(): void {
    this.#adapter.clear();
    this.#ids.clear();
  }

  #present(engine: EngineLike): void {
    const { id } = engineFacts(engine);
    if (this.#adapter.hasEngine(id)) return;
    this.#adapter.registerEngine(engine);
    this.#ids.set(engine, id);
  }

  #withdraw(engine: EngineLike, id: string): void {
    this.#adapter.unregisterEngine(id);
    this.#ids.delete(engine);
  }
}
