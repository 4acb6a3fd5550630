import type { McpContext } from '../contracts/mcp-context';
import type { ListedResource, ResourceDescription, UriVariables } from '../contracts/resource';
import { declareHandler } from './declare-handler';
import { mustBeKnown } from './known-options';

/** The options of {@link McpResource}. */
export interface McpResourceOptions<U extends string = string> extends ResourceDescription {
  /** A URI, or with a `{…}` in it a template of RFC 6570. */
  readonly uri: U;
}

type Unprefixed<T extends string> = T extends `${infer Operator}${infer Rest}`
  ? Operator extends '+' | '#' | '.' | '/' | ';' | '?' | '&'
    ? Rest
    : T
  : T;
type IsOptional<T extends string> = T extends `${'#' | '.' | '/' | ';' | '?' | '&'}${string}` ? true : false;
type Names<T extends string> = T extends `${infer First},${infer Rest}` ? First | Names<Rest> : T;
type Expressions<U extends string> = U extends `${string}{${infer Inner}}${infer Rest}` ? Inner | Expressions<Rest> : never;
type ValueOf<N extends string> = N extends `${string}*` ? readonly string[] : string;
type NameOf<N extends string> = N extends `${infer Name}*` ? Name : N;
type Required<E extends string> = E extends string ? (IsOptional<E> extends true ? never : Names<Unprefixed<E>>) : never;
type Optional<E extends string> = E extends string ? (IsOptional<E> extends true ? Names<Unprefixed<E>> : never) : never;

/** The variables of a template, by its text: `{id}` is a string, `{?page}` one that may be missing, `{/path*}` a list. */
export type VariablesOf<U extends string> = string extends U
  ? UriVariables
  : { readonly [N in Required<Expressions<U>> as NameOf<N>]: ValueOf<N> } & {
      readonly [N in Optional<Expressions<U>> as NameOf<N>]?: ValueOf<N> | undefined;
    };

type Handler<U extends string> = (variables: VariablesOf<U>, context: McpContext) => unknown;
type Lister = (context: McpContext) => readonly ListedResource[] | Promise<readonly ListedResource[]>;

/** Fits a class with a matching `read`, or a matching method that is not static. */
export interface McpResourceDecorator<U extends string> {
  <T extends abstract new (...args: never[]) => { readonly read: Handler<U>; readonly list?: Lister }>(target: T): void;
  <T extends object, M extends Handler<U>>(
    target: T extends Function ? never : T,
    method: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}

const OPTIONS: Readonly<Record<keyof McpResourceOptions, true>> = Object.freeze({
  uri: true,
  name: true,
  title: true,
  description: true,
  mimeType: true,
  annotations: true,
  icons: true,
  size: true,
  meta: true,
});

/**
 * Makes a class with `read(variables, context)`, or one method of an `@Injectable()` class, an MCP resource; with a `{…}` in `uri`, a
 * template for many. On a template's class `list(context)` names those that exist now, for each caller anew.
 *
 * A string answer is the text of the resource, a `Uint8Array` its bytes, a value with `contents` goes through as it is, `undefined` says
 * that there is no such resource, and anything else is sent as JSON. A thrown `McpError` is answered as it is, a `ToolError` as -32603
 * with its text, and anything else as `Internal error (ref …)`. Who is not admitted by a guard gets the answer of an unknown resource.
 *
 * Throws a `TypeError` at decoration when it stands on anything but a class or an instance method, and for an option that there is not.
 */
export function McpResource<const U extends string>(options: McpResourceOptions<U>): McpResourceDecorator<U> {
  const word = `@McpResource({ uri: "${options.uri}" })`;
  mustBeKnown(word, options, OPTIONS);
  return declareHandler({
    word,
    classMethod: 'read',
    declare: (place) => ({ kind: 'resource', ...place, options: Object.freeze({ ...options }) }),
  });
}
