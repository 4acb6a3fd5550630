import type { ResourceDefinition, ResourceEntry, UriVariables } from '../contracts/resource';
import { ResourceNotFoundError } from '../errors/registry-errors';
import { EntryRegistry, ownFunction, type EntryRules, type RegistryOptions } from './entry-registry';
import { problemOfResource, sharedKeyOf } from './resource-uri';
import { isTemplate, parseTemplate, type UriTemplate } from './uri-template';

/** A resource or template that a URI belongs to. */
export interface ResourceMatch {
  readonly entry: ResourceEntry;
  readonly uri: string;
  readonly variables: UriVariables;
}

const RULES: EntryRules<ResourceEntry> = {
  kind: 'Resource',
  functions: ['read', 'list'],
  keyOf: ({ uri }) => uri,
  identityOf: ({ uri }) => sharedKeyOf(uri),
  problemOf: (entry) => problemOfResource(entry, { owner: 'a registration', where: 'ResourceRegistry.register()' }),
};

const NO_VARIABLES: UriVariables = Object.freeze({});

/** The resources and templates of a server by URI. In an application `read` runs the full pipeline; alone it calls the resource directly. */
export class ResourceRegistry extends EntryRegistry<ResourceDefinition, ResourceEntry> {
  readonly #templates = new WeakMap<ResourceEntry, UriTemplate>();
  readonly #followers = new Set<(uri: string) => void>();
  readonly #dispatch: (match: ResourceMatch) => Promise<unknown>;

  constructor({ dispatch = readDirectly, ...options }: RegistryOptions<ResourceEntry, ResourceMatch> = {}) {
    super(RULES, options);
    this.#dispatch = (match) => dispatch(match, match.variables);
  }

  /** Reads a resource in process. Rejects with `ResourceNotFoundError` for a URI that nothing answers. */
  async read(uri: string): Promise<unknown> {
    const match = this.match(uri);
    if (match === undefined) throw new ResourceNotFoundError(uri);
    return this.#dispatch(match);
  }

  /** Finds what answers a URI: the resource of exactly this URI, or else the first template that matches. */
  match(uri: string): ResourceMatch | undefined {
    const exact = this.get(uri);
    if (exact !== undefined && !isTemplate(uri)) return { entry: exact, uri, variables: NO_VARIABLES };
    for (const entry of this.list()) {
      if (!isTemplate(entry.uri)) continue;
      const variables = this.#templateOf(entry).match(uri);
      if (variables !== undefined) return { entry, uri, variables };
    }
    return undefined;
  }

  /** Tells the clients that subscribed to this URI that its contents are others now. */
  notifyUpdated(uri: string): void {
    for (const follower of this.#followers) follower(uri);
  }

  /** Calls `listener` with every URI given to {@link notifyUpdated}; the result stops that. */
  onUpdate(listener: (uri: string) => void): () => void {
    this.#followers.add(listener);
    return () => this.#followers.delete(listener);
  }

  #templateOf(entry: ResourceEntry): UriTemplate {
    const known = this.#templates.get(entry) ?? parseTemplate(entry.uri);
    this.#templates.set(entry, known);
    return known;
  }
}

async function readDirectly({ entry, variables }: ResourceMatch): Promise<unknown> {
  // As for tools: a registry on its own has no request to describe.
  return ownFunction(entry.read, `Resource "${entry.uri}"`, 'app.resources')(variables, undefined as never);
}
