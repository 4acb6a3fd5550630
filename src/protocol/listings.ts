import type { ListedResource, ResourceEntry } from '../contracts/resource';
import type { OperationRequest } from '../invocation/operation-context';
import { isTemplate } from '../registry/uri-template';
import type { Catalogues } from './catalogues';
import { EntryList, present, type ListedItem } from './entry-list';

/** One of the lists that clients ask for page by page. */
export interface Listing {
  /** Under which the items stand in the result. */
  readonly key: string;
  readonly entries: Pick<EntryList<object>, 'after'>;
  /** What is listed after the entries, for each caller anew; undefined when there is nothing of that kind. */
  readonly more: (() => ((call: OperationRequest) => Promise<readonly ListedItem[]>) | undefined) | undefined;
}

/** Lists the resources of one template for one caller. */
export type ListTemplate = (entry: ResourceEntry, call: OperationRequest) => Promise<readonly ListedResource[]>;

/** The lists, by the method that asks for them. */
export function createListings({ tools, resources, prompts }: Catalogues, listTemplate: ListTemplate): ReadonlyMap<string, Listing> {
  const listers = (): readonly ResourceEntry[] => resources.registry.list().filter((entry) => resources.compiled(entry).list !== undefined);
  const fromTemplates = async (call: OperationRequest): Promise<readonly ListedItem[]> =>
    (await Promise.all(listers().map((entry) => listTemplate(entry, call)))).flat().map((each) => ({ ...each }));
  return new Map<string, Listing>([
    ['tools/list', fixed('tools', new EntryList(tools.registry, (entry) => toListed(entry, schemasOf(tools.compiled(entry)))))],
    [
      'prompts/list',
      fixed('prompts', new EntryList(prompts.registry, (entry) => toListed(entry, { arguments: prompts.compiled(entry).arguments }))),
    ],
    ['resources/templates/list', fixed('resourceTemplates', new EntryList(resources.registry, toListedTemplate))],
    [
      'resources/list',
      {
        ...fixed('resources', new EntryList(resources.registry, toListedResource)),
        more: () => (listers().length > 0 ? fromTemplates : undefined),
      },
    ],
  ]);
}

function fixed<Entry extends object>(key: string, entries: EntryList<Entry>): Listing {
  return { key, entries, more: undefined };
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
