import type { ListedResource, ReadResult, ResourceEntry, UriVariables } from '../contracts/resource';
import { ResourceNotFoundError } from '../errors/registry-errors';
import { variablesIn } from '../registry/resource-uri';
import { compileCompleters, type CompletionOf } from './compile-completers';
import type { CompiledOperation } from './compiled-operation';
import { protocolOperation, type ProtocolOperation } from './protocol-operation';
import { toListedResources, toReadResult } from './to-read-result';

/** One read: the URI as it was sent, and what the template found in it. */
export interface ReadRequest {
  readonly uri: string;
  readonly variables: UriVariables;
}

/** A resource or a template, compiled. */
export interface CompiledResource {
  /** Those of the template; none for a single resource. */
  readonly variables: readonly string[];
  /** Takes a {@link ReadRequest}. */
  readonly read: CompiledOperation<ReadResult>;
  /** Asks whether the caller may follow the resource. Takes a {@link ReadRequest}. */
  readonly subscribe: CompiledOperation<object>;
  /** Names the resources of a template that exist for the caller. */
  readonly list: CompiledOperation<readonly ListedResource[]> | undefined;
  readonly completion: CompletionOf;
}

/** Compiles a resource. Throws a `TypeError` when it has nothing to run. */
export function compileResource(entry: ResourceEntry): CompiledResource {
  const { uri: name, target, completers, complete } = entry;
  const label = `Resource "${name}"`;
  const byUri = {
    name,
    label,
    target,
    requestOf: ({ uri, variables }: ReadRequest) => ({ name: uri, arguments: variables }),
    denied: ({ uri }: ReadRequest) => notFound(uri),
  } satisfies Partial<ProtocolOperation<unknown>>;
  return Object.freeze({
    variables: variablesIn(name),
    read: protocolOperation({
      ...byUri,
      operation: 'read',
      run: entry.read,
      metadata: { type: 'input', metatype: undefined },
      toResult: (value, { uri }: ReadRequest) => toReadResult(value, entry, uri),
    }),
    subscribe: protocolOperation({ ...byUri, operation: 'subscribe', run: () => ({}), toResult: () => ({}) }),
    list: compileList(entry, label),
    completion: compileCompleters({ name, label, target, completers, complete, notFound: () => notFound(name) }),
  } satisfies CompiledResource);
}

function notFound(uri: string): never {
  throw new ResourceNotFoundError(uri);
}

/** Who is denied the list sees nothing of it. */
function compileList({ uri, list, lister }: ResourceEntry, label: string): CompiledResource['list'] {
  if (list === undefined && lister === undefined) return undefined;
  return protocolOperation({
    operation: 'list',
    name: uri,
    label: `List of ${label}`,
    target: lister,
    run: list,
    argumentsOf: (_input, context) => [context],
    toResult: toListedResources,
    denied: () => [],
  });
}
