import type { ToolDefinition, ToolEntry } from '../contracts/tool';
import { ToolNotFoundError } from '../errors/registry-errors';
import { EntryRegistry, ownFunction, type EntryRules, type RegistryOptions } from './entry-registry';
import { problemOfToolName } from './tool-name';

const RULES: EntryRules<ToolEntry> = {
  kind: 'Tool',
  functions: ['execute'],
  keyOf: ({ name }) => name,
  problemOf: ({ name }) => problemOfToolName(name, 'a registration', 'ToolRegistry.register()'),
};

/**
 * The tools of a server by name. In an application `call` runs the full pipeline; alone it calls the tool directly.
 * Names are case sensitive.
 */
export class ToolRegistry extends EntryRegistry<ToolDefinition, ToolEntry> {
  readonly #dispatch: NonNullable<RegistryOptions<ToolEntry>['dispatch']>;

  constructor({ dispatch = callDirectly, ...options }: RegistryOptions<ToolEntry> = {}) {
    super(RULES, options);
    this.#dispatch = dispatch;
  }

  /** Calls a tool in process. Rejects with `ToolNotFoundError` for an unknown name. */
  async call(name: string, input: unknown = {}): Promise<unknown> {
    const entry = this.get(name);
    if (entry === undefined) throw new ToolNotFoundError(name);
    return this.#dispatch(entry, input);
  }
}

async function callDirectly({ name, execute }: ToolEntry, input: unknown): Promise<unknown> {
  // A registry on its own has no request to describe; tools that need a context run inside an application.
  return ownFunction(execute, `Tool "${name}"`, 'app.tools')(input, undefined as never);
}
