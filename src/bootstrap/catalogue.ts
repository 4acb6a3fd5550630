import type { Limits } from '../contracts/limits';
import type { PromptEntry } from '../contracts/prompt';
import type { ResourceEntry } from '../contracts/resource';
import type { ToolEntry } from '../contracts/tool';
import { fieldsOf } from '../decorators/metadata';
import { compilePrompt, type CompiledPrompt } from '../invocation/compile-prompt';
import { compileResource, type CompiledResource } from '../invocation/compile-resource';
import { compileTool, type CompiledTool } from '../invocation/compile-tool';
import type { CompiledOperation } from '../invocation/compiled-operation';
import type { Catalogue, Catalogues } from '../protocol/catalogues';
import { PromptRegistry } from '../registry/prompt-registry';
import { ResourceRegistry } from '../registry/resource-registry';
import { ToolRegistry } from '../registry/tool-registry';
import type { SchemaOptions } from '../schema/schema-place';
import { servedDefinition, type ServeObject } from './serve-definition';

/** A catalogue that can also check an entry and keep nothing. */
export interface CheckingCatalogue<Registry, Entry, Compiled> extends Catalogue<Registry, Entry, Compiled> {
  readonly compile: (entry: Entry) => Compiled;
}

/** The catalogues, while they are being filled. */
export interface CheckingCatalogues extends Catalogues {
  readonly tools: CheckingCatalogue<ToolRegistry, ToolEntry, CompiledTool>;
  readonly resources: CheckingCatalogue<ResourceRegistry, ResourceEntry, CompiledResource>;
  readonly prompts: CheckingCatalogue<PromptRegistry, PromptEntry, CompiledPrompt>;
}

/** Runs an operation in process. */
export type InvokeInProcess = <R>(operation: CompiledOperation<R>, raw: unknown) => Promise<R>;

/** What registries need of the application they belong to. */
export interface CatalogueParts {
  readonly limits: Limits;
  readonly invoke: InvokeInProcess;
  readonly serve: ServeObject;
}

/** Makes the registries of an application; what is called on them directly goes through `invoke`. */
export function createCatalogues({ limits, invoke, serve }: CatalogueParts): CheckingCatalogues {
  const options: SchemaOptions = { fieldsOf, maxDepth: limits.depth, maxElements: limits.elements };
  const catalogues: CheckingCatalogues = {
    tools: catalogue(
      (entry: ToolEntry) => compileTool(entry, options),
      (admit) =>
        new ToolRegistry({
          admit,
          serve: servedDefinition(serve, { target: 'execute' }),
          dispatch: (entry, input) => invoke(catalogues.tools.compiled(entry), input),
        }),
    ),
    resources: catalogue(
      (entry: ResourceEntry) => compileResource(entry),
      (admit) =>
        new ResourceRegistry({
          admit,
          serve: servedDefinition(serve, { target: 'read', lister: 'list' }),
          dispatch: ({ entry, ...request }) => invoke(catalogues.resources.compiled(entry).read, request),
        }),
    ),
    prompts: catalogue(
      (entry: PromptEntry) => compilePrompt(entry, options),
      (admit) =>
        new PromptRegistry({
          admit,
          serve: servedDefinition(serve, { target: 'get' }),
          dispatch: async (entry, args) => (await invoke(catalogues.prompts.compiled(entry).get, args)).messages,
        }),
    ),
  };
  return catalogues;
}

function catalogue<Registry, Entry extends object, Compiled>(
  compile: (entry: Entry) => Compiled,
  create: (admit: (entry: Entry) => void) => Registry,
): CheckingCatalogue<Registry, Entry, Compiled> {
  const kept = new WeakMap<Entry, Compiled>();
  return {
    registry: create((entry) => void kept.set(entry, compile(entry))),
    compile,
    compiled(entry) {
      const compiled = kept.get(entry);
      if (compiled === undefined) throw new Error('The entry was never registered here.');
      return compiled;
    },
  };
}
