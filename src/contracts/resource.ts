import type { ContentAnnotations, ResourceContents } from './content';
import type { McpContext } from './mcp-context';
import type { HandlerTarget, Icon } from './tool';

/** What clients are shown of a resource or of a template. */
export interface ResourceDescription {
  /** A URI, or with a `{…}` in it a template of RFC 6570. */
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: ContentAnnotations;
  readonly icons?: readonly Icon[];
  /** Bytes, before any encoding. Not published for a template. */
  readonly size?: number;
  /** Published as the resource's `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * The variables of a template, read from the URI and decoded: a list for `{name*}`, undefined for one that the URI leaves out, and empty
 * for a resource without variables. They come from the client, like any argument: check what you make a path or a query of.
 */
export type UriVariables = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A complete answer to a read, passed through as it is. Contents without a `uri` are those of the URI that was asked for. */
export interface ReadResult {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A resource that a template lists. */
export interface ListedResource extends Omit<ResourceDescription, 'meta'> {
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Suggests values for an argument that begin with, or are like, `value`. `others` are the arguments that are known already. */
export type Completer = (
  value: string,
  context: McpContext,
  others: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>;

/** What a class with `@McpResource` implements. */
export interface ResourceHandler<V = UriVariables, O = unknown> {
  /** Called once for each `resources/read` that was admitted. */
  readonly read: (variables: V, context: McpContext) => O | Promise<O>;
  /** For templates: the resources that exist now, as `resources/list` shows them to this caller. */
  readonly list?: (context: McpContext) => readonly ListedResource[] | Promise<readonly ListedResource[]>;
}

/** A resource registered at run time. */
export interface ResourceDefinition extends ResourceDescription {
  /** Reads the resource. What it returns and throws is treated as for a decorated resource. */
  read(variables: UriVariables, context: McpContext): unknown;
  /** For templates: the resources that exist now. */
  list?(context: McpContext): readonly ListedResource[] | Promise<readonly ListedResource[]>;
  /** For templates: by variable. */
  readonly complete?: Readonly<Record<string, Completer>>;
}

/** Provider methods that suggest values, by argument. */
export type CompleterTargets = ReadonlyMap<string, HandlerTarget>;

/** A resource as its registry keeps it: the description, frozen, and what serves it. */
export interface ResourceEntry extends ResourceDescription {
  readonly read?: ResourceDefinition['read'];
  readonly list?: ResourceDefinition['list'];
  readonly complete?: ResourceDefinition['complete'];
  /** The method that serves the resource, and what its class declares. Absent on plain objects, and without an application. */
  readonly target?: HandlerTarget;
  /** The method `list` of a template's class, where there is one. */
  readonly lister?: HandlerTarget;
  readonly completers?: CompleterTargets;
}
