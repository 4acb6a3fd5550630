import type { PromptDefinition, PromptEntry } from '../contracts/prompt';
import { PromptNotFoundError } from '../errors/registry-errors';
import { EntryRegistry, ownFunction, type EntryRules, type RegistryOptions } from './entry-registry';
import { problemOfPromptName } from './prompt-name';

const RULES: EntryRules<PromptEntry> = {
  kind: 'Prompt',
  functions: ['get'],
  keyOf: ({ name }) => name,
  problemOf: ({ name }) => problemOfPromptName(name, { owner: 'a registration', where: 'PromptRegistry.register()' }),
};

/** The prompts of a server by name. In an application `getMessages` runs the full pipeline; alone it calls the prompt directly. */
export class PromptRegistry extends EntryRegistry<PromptDefinition, PromptEntry> {
  readonly #dispatch: NonNullable<RegistryOptions<PromptEntry>['dispatch']>;

  constructor({ dispatch = getDirectly, ...options }: RegistryOptions<PromptEntry> = {}) {
    super(RULES, options);
    this.#dispatch = dispatch;
  }

  /** The messages of a prompt, in process. Rejects with `PromptNotFoundError` for an unknown name. */
  async getMessages(name: string, args: unknown = {}): Promise<unknown> {
    const entry = this.get(name);
    if (entry === undefined) throw new PromptNotFoundError(name);
    return this.#dispatch(entry, args);
  }
}

async function getDirectly({ name, get }: PromptEntry, args: unknown): Promise<unknown> {
  // As for tools: a registry on its own has no request to describe.
  return ownFunction(get, `Prompt "${name}"`, 'app.prompts')(args, undefined as never);
}
