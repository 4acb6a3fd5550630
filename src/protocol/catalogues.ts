import type { PromptEntry } from '../contracts/prompt';
import type { ResourceEntry } from '../contracts/resource';
import type { ToolEntry } from '../contracts/tool';
import type { CompiledPrompt } from '../invocation/compile-prompt';
import type { CompiledResource } from '../invocation/compile-resource';
import type { CompiledTool } from '../invocation/compile-tool';
import type { PromptRegistry } from '../registry/prompt-registry';
import type { ResourceRegistry } from '../registry/resource-registry';
import type { ToolRegistry } from '../registry/tool-registry';

/** One registry of an application, and what was compiled for each of its entries when it was admitted. */
export interface Catalogue<Registry, Entry, Compiled> {
  readonly registry: Registry;
  /** What was compiled for an entry of the registry, also while a call to an entry that was just removed goes on. */
  readonly compiled: (entry: Entry) => Compiled;
}

/** Everything an application serves. */
export interface Catalogues {
  readonly tools: Catalogue<ToolRegistry, ToolEntry, CompiledTool>;
  readonly resources: Catalogue<ResourceRegistry, ResourceEntry, CompiledResource>;
  readonly prompts: Catalogue<PromptRegistry, PromptEntry, CompiledPrompt>;
}
