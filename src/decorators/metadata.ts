import type { EnhancerLists, ErrorType } from '../contracts/enhancers';
import type { InputOf } from '../contracts/schema-source';
import type { ModuleMetadata } from '../contracts/provider';
import type { Scope } from '../contracts/scope';
import type { ToolDescription } from '../contracts/tool';
import type { ForwardReference, InjectionToken, Type } from '../contracts/type';

/** What `@Field()` adds to the schema of a DTO property. */
export interface FieldOptions {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** A JSON Schema `format`. An annotation: it adds no check. */
  readonly format?: string;
  /** Published as `x-mcp-header`: modern HTTP clients repeat the value in the header `Mcp-Param-<header>`. */
  readonly header?: string;
}

/** One `@McpTool()`, as it stands on a class or a method. */
export interface ToolDeclaration {
  readonly method: PropertyKey;
  readonly options: ToolDescription;
}

/** What to inject, where the type does not say it. */
export type DeclaredToken = InjectionToken | ForwardReference<InjectionToken> | undefined;

/** What one class declares itself; what it inherits stands on its parents' records. */
export interface ClassRecord {
  readonly module?: ModuleMetadata;
  readonly isGlobal?: true;
  readonly injectable?: { readonly scope?: Scope };
  readonly tools?: readonly ToolDeclaration[];
  readonly fields?: ReadonlyMap<PropertyKey, FieldOptions>;
  /** `@Inject(token)` by parameter index; the value is `undefined` for a bare `@Inject()`. */
  readonly parameterTokens?: ReadonlyMap<number, DeclaredToken>;
  readonly optionalParameters?: ReadonlySet<number>;
  /** `@Inject(token)` by property; the value is `undefined` for a bare `@Inject()`. */
  readonly propertyTokens?: ReadonlyMap<PropertyKey, DeclaredToken>;
  readonly optionalProperties?: ReadonlySet<PropertyKey>;
  readonly enhancers?: EnhancerLists;
  readonly methodEnhancers?: ReadonlyMap<PropertyKey, EnhancerLists>;
  /** What a filter answers; an empty list is every error. */
  readonly catches?: readonly ErrorType[];
}

/** Only for the compiler: the type of input a declaration promises. */
export type DeclaredInput<D extends ToolDeclaration> = InputOf<D['options']['input']>;

const RECORD = Symbol.for('perch-mcp:class');
const NOTHING: ClassRecord = Object.freeze({});

/** What this class declares itself. Never what it inherits. */
export function ownRecord(target: Type | object): ClassRecord {
  return Object.hasOwn(target, RECORD) ? (target as { [RECORD]: ClassRecord })[RECORD] : NOTHING;
}

/** Replaces the class's own record by one with these changes. Parents and siblings keep theirs. */
export function updateRecord(target: object, change: (own: ClassRecord) => ClassRecord): void {
  const record = Object.freeze(change(ownRecord(target)));
  Object.defineProperty(target, RECORD, { value: record, configurable: true });
}

/** The records of a class and its parents, the class itself first. Goes through proxies and mixins. */
export function recordChain(target: Type): readonly ClassRecord[] {
  const chain: ClassRecord[] = [];
  for (let each: unknown = target; typeof each === 'function' && each !== Function.prototype; each = Object.getPrototypeOf(each)) {
    chain.push(ownRecord(each));
  }
  return chain;
}

/**
 * The tools of a class with those it inherits, parents first. A method that is decorated again replaces its parent's declaration;
 * one that is overridden without a decorator keeps it.
 */
export function toolDeclarations(target: Type): readonly ToolDeclaration[] {
  const byMethod = new Map<PropertyKey, ToolDeclaration>();
  for (const record of [...recordChain(target)].reverse()) {
    for (const tool of record.tools ?? []) byMethod.set(tool.method, tool);
  }
  return [...byMethod.values()];
}

/** The `@Field()` options of a DTO class by property, with those it inherits; the nearest class wins. */
export function fieldsOf(target: Type): ReadonlyMap<PropertyKey, FieldOptions> {
  const fields = new Map<PropertyKey, FieldOptions>();
  for (const record of [...recordChain(target)].reverse()) {
    for (const [property, options] of record.fields ?? []) fields.set(property, { ...fields.get(property), ...options });
  }
  return fields;
}

/** No enhancer of any kind. */
export const NO_ENHANCERS: EnhancerLists = Object.freeze({ guards: [], pipes: [], interceptors: [], filters: [] });

/**
 * The enhancers of one method in binding order: those of its class and then its own, each with what parents declare first. An
 * override keeps what its parent's method has, decorated or not.
 */
export function enhancersOf(target: Type, method: PropertyKey): { readonly ofClass: EnhancerLists; readonly ofMethod: EnhancerLists } {
  const records = [...recordChain(target)].reverse();
  return {
    ofClass: concat(records.map(({ enhancers }) => enhancers)),
    ofMethod: concat(records.map(({ methodEnhancers }) => methodEnhancers?.get(method))),
  };
}

/** What a filter class answers; every error for a class without `@Catch()`. */
export function caughtBy(filter: Type): readonly ErrorType[] {
  return recordChain(filter).find(({ catches }) => catches !== undefined)?.catches ?? [];
}

function concat(lists: readonly (EnhancerLists | undefined)[]): EnhancerLists {
  const present = lists.filter((each): each is EnhancerLists => each !== undefined);
  if (present.length === 0) return NO_ENHANCERS;
  return {
    guards: present.flatMap(({ guards }) => guards),
    pipes: present.flatMap(({ pipes }) => pipes),
    interceptors: present.flatMap(({ interceptors }) => interceptors),
    filters: present.flatMap(({ filters }) => filters),
  };
}

/** True for a class that carries any word of ours which makes it a provider: `@Injectable`, `@McpTool`. */
export function isDeclaredProvider(target: Type): boolean {
  const own = ownRecord(target);
  return own.injectable !== undefined || own.tools !== undefined;
}
