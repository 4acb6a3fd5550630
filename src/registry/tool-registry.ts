import type { ToolDefinition, ToolEntry } from '../contracts/tool';
import { DuplicateRegistrationError, ToolNotFoundError } from '../errors/registry-errors';
import { McpSetupError } from '../errors/setup-error';
import { problemOfToolName } from './tool-name';

/** Runs a tool for {@link ToolRegistry.call}. */
export type ToolDispatch = (entry: ToolEntry, input: unknown) => Promise<unknown>;

/** What an application gives its registry. */
export interface ToolRegistryOptions {
  /** Default: the tool's own `execute`, with nothing before or after it. */
  readonly dispatch?: ToolDispatch;
  /** Checks an entry before it is kept; what it throws comes out of `register`. */
  readonly admit?: (entry: ToolEntry) => void;
}

/**
 * The tools of a server by name. In an application `call` runs the full pipeline; alone it calls the tool directly.
 * Names are case sensitive.
 */
export class ToolRegistry {
  readonly #entries = new Map<string, ToolEntry>();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly options: ToolRegistryOptions = {}) {}

  /**
   * Adds a tool, and tells connected clients. Throws `DuplicateRegistrationError` when the name is taken, `McpSetupError` when MCP does
   * not allow it, and what `admit` throws for a definition that cannot be served; then nothing has changed.
   */
  register(tool: ToolDefinition | ToolEntry): ToolEntry {
    const problem = problemOfToolName(tool.name, 'a registration', 'ToolRegistry.register()');
    if (problem !== undefined) throw new McpSetupError([problem]);
    if (this.#entries.has(tool.name)) throw new DuplicateRegistrationError('Tool', tool.name);
    const entry: ToolEntry = Object.freeze({ ...tool, ...(typeof tool.execute === 'function' ? { execute: tool.execute.bind(tool) } : {}) });
    this.options.admit?.(entry);
    this.#entries.set(entry.name, entry);
    this.#changed();
    return entry;
  }

  /** Removes a tool; false when there is none of that name. A running call finishes. */
  unregister(name: string): boolean {
    const removed = this.#entries.delete(name);
    if (removed) this.#changed();
    return removed;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  get(name: string): ToolEntry | undefined {
    return this.#entries.get(name);
  }

  /** Every tool, in the order of registration. */
  list(): readonly ToolEntry[] {
    return [...this.#entries.values()];
  }

  /** Calls a tool in process. Rejects with `ToolNotFoundError` for an unknown name. */
  async call(name: string, input: unknown = {}): Promise<unknown> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new ToolNotFoundError(name);
    return (this.options.dispatch ?? callDirectly)(entry, input);
  }

  /** Calls `listener` after every change; the result stops that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

async function callDirectly(entry: ToolEntry, input: unknown): Promise<unknown> {
  if (entry.execute === undefined) throw new TypeError(`Tool "${entry.name}" belongs to an application; call it through app.tools.`);
  // A registry on its own has no request to describe; tools that need a context run inside an application.
  return entry.execute(input, undefined as never);
}
