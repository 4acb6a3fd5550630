import type { PromptEntry } from '../contracts/prompt';
import type { ListedResource, ResourceEntry } from '../contracts/resource';
import type { ToolEntry } from '../contracts/tool';
import type { OperationRequest } from '../invocation/operation-context';
import type { CompiledOperation } from '../invocation/compiled-operation';
import type { OperationInvoker } from '../invocation/operation-invoker';
import { isTemplate } from '../registry/uri-template';
import type { Catalogues } from './catalogues';
import { EntryList, present, type ListedItem, type ListSlice } from './entry-list';

/** One of the lists that clients ask for page by page. */
export interface Listing {
  /** Under which the items stand in the result. */
  readonly key: string;
  readonly entries: ListedEntries;
  /** What is listed after the entries, for each caller anew; undefined when there is nothing of that kind. */
  readonly more: (() => ((call: OperationRequest) => Promise<readonly ListedItem[]>) | undefined) | undefined;
}

/** The entries of a list, for one caller or for all. */
export interface ListedEntries {
  /** True when callers see different lists. */
  dependOnCaller(): boolean;
  after(number: number, count: number, call: OperationRequest): Promise<ListSlice> | ListSlice;
}

/** Decides which entries a caller may know of. */
export type Admission = Pick<OperationInvoker, 'dependsOnCaller' | 'visible' | 'version'>;

/** Lists the resources of one template for one caller. */
export type ListTemplate = (entry: ResourceEntry, call: OperationRequest) => Promise<readonly ListedResource[]>;

/** The lists, by the method that asks for them. */
export function createListings(
  { tools, resources, prompts }: Catalogues,
  admission: Admission,
  listTemplate: ListTemplate,
): ReadonlyMap<string, Listing> {
  const listers = (): readonly ResourceEntry[] => resources.registry.list().filter((entry) => resources.compiled(entry).list !== undefined);
  const fromTemplates = async (call: OperationRequest): Promise<readonly ListedItem[]> =>
    (await Promise.all(listers().map((entry) => listTemplate(entry, call)))).flat().map((each) => ({ ...each }));
  const ofTools = new EntryList(tools.registry, (entry) => toListed(entry, schemasOf(tools.compiled(entry))));
  const ofPrompts = new EntryList(prompts.registry, (entry) => toListed(entry, { arguments: prompts.compiled(entry).arguments }));
  const ofTemplates = new EntryList(resources.registry, toListedTemplate);
  const ofResources = new EntryList(resources.registry, toListedResource);
  const asTool = (entry: ToolEntry): CompiledOperation<unknown> => tools.compiled(entry);
  const asPrompt = (entry: PromptEntry): CompiledOperation<unknown> => prompts.compiled(entry).get;
  const asResource = (entry: ResourceEntry): CompiledOperation<unknown> => resources.compiled(entry).read;
  return new Map<string, Listing>([
    ['tools/list', { key: 'tools', entries: admitted(ofTools, asTool, admission), more: undefined }],
    ['prompts/list', { key: 'prompts', entries: admitted(ofPrompts, asPrompt, admission), more: undefined }],
    ['resources/templates/list', { key: 'resourceTemplates', entries: admitted(ofTemplates, asResource, admission), more: undefined }],
    [
      'resources/list',
      {
        key: 'resources',
        entries: admitted(ofResources, asResource, admission),
        more: () => (listers().length > 0 ? fromTemplates : undefined),
      },
    ],
  ]);
}

/** A list as its caller may see it. A list that all see alike is not decided entry by entry. */
function admitted<Entry extends object>(
  list: EntryList<Entry>,
  operationOf: (entry: Entry) => CompiledOperation<unknown>,
  admission: Admission,
): ListedEntries {
  const dependOnCaller = (): boolean => list.dependsOnCaller((entry) => admission.dependsOnCaller(operationOf(entry)), admission.version);
  return {
    dependOnCaller,
    after: (number, count, call) =>
      dependOnCaller()
        ? list.visibleAfter(number, count, (entries) => admission.visible(entries.map(operationOf), call))
        : list.after(number, count),
  };
}

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: unknown;
  readonly annotations?: unknown;
  readonly meta?: unknown;
}

function toListed({ name, title, description, annotations, icons, meta }: Described, own: Readonly<Record<string, unknown>>): ListedItem {
  return present({ name, title, description, ...own, annotations, icons, _meta: meta });
}

function schemasOf({
  inputSchema,
  outputSchema,
}: {
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
}): Readonly<Record<string, unknown>> {
  return { inputSchema, outputSchema };
}

function toListedResource(entry: ResourceEntry): ListedItem | undefined {
  const { uri, mimeType, size } = entry;
  return isTemplate(uri) ? undefined : toListed(entry, { uri, mimeType, size });
}

function toListedTemplate(entry: ResourceEntry): ListedItem | undefined {
  const { uri, mimeType } = entry;
  return isTemplate(uri) ? toListed(entry, { uriTemplate: uri, mimeType }) : undefined;
}
