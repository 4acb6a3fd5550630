import type { EnhancerLists, ErrorType } from '../contracts/enhancers';
import type { PromptDescription } from '../contracts/prompt';
import type { ModuleMetadata } from '../contracts/provider';
import type { ResourceDescription } from '../contracts/resource';
import type { Scope } from '../contracts/scope';
import type { SchemaSource } from '../contracts/schema-source';
import { mergeSecurity, type Security } from '../contracts/security';
import type { ToolAnnotations, ToolDescription } from '../contracts/tool';
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

/** One of our words as it stands on a class, or on one of its methods. */
interface Declared<Kind extends string, Options> {
  readonly kind: Kind;
  readonly method: PropertyKey;
  /** True where it stands on the class, and `method` is the one that the word asks for. */
  readonly isOfClass: boolean;
  readonly options: Options;
}

export type ToolDeclaration = Declared<'tool', ToolDescription>;
export type ResourceDeclaration = Declared<'resource', ResourceDescription>;
export type PromptDeclaration = Declared<'prompt', PromptDescription>;
/** One `@Complete()`: the argument that its method suggests values for. */
export type CompleterDeclaration = Declared<'completer', { readonly argument: string }>;

/** The options of `@Engine()`. Where the class says the same itself, both must agree. */
export interface EngineOptions {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly version?: string;
  /** What `context.request.input` must be; without it any JSON object is accepted and arrives unchanged. */
  readonly input?: SchemaSource;
  /** What `execute` promises to return; checked, and sent as `structuredContent` too. */
  readonly output?: SchemaSource;
  readonly annotations?: ToolAnnotations;
  /** Milliseconds one call may take; default is the application's `limits.callTimeoutMs`. */
  readonly timeoutMs?: number;
}

export type EngineDeclaration = Declared<'engine', EngineOptions>;

/** The options of `@HealthIndicator()`. */
export interface HealthIndicatorOptions {
  /** Default: the name of the class. */
  readonly name?: string;
}

export type HealthDeclaration = Declared<'health', HealthIndicatorOptions>;

/** Anything that makes a method answer clients, or those who look after the server. */
export type HandlerDeclaration =
  ToolDeclaration | ResourceDeclaration | PromptDeclaration | CompleterDeclaration | EngineDeclaration | HealthDeclaration;

/** What to inject, where the type does not say it. */
export type DeclaredToken = InjectionToken | ForwardReference<InjectionToken> | undefined;

/** What one class declares itself; what it inherits stands on its parents' records. */
export interface ClassRecord {
  readonly module?: ModuleMetadata;
  readonly isGlobal?: true;
  readonly injectable?: { readonly scope?: Scope };
  readonly handlers?: readonly HandlerDeclaration[];
  readonly fields?: ReadonlyMap<PropertyKey, FieldOptions>;
  /** `@Inject(token)` by parameter index; the value is `undefined` for a bare `@Inject()`. */
  readonly parameterTokens?: ReadonlyMap<number, DeclaredToken>;
  readonly optionalParameters?: ReadonlySet<number>;
  /** `@Inject(token)` by property; the value is `undefined` for a bare `@Inject()`. */
  readonly propertyTokens?: ReadonlyMap<PropertyKey, DeclaredToken>;
  readonly optionalProperties?: ReadonlySet<PropertyKey>;
  readonly enhancers?: EnhancerLists;
  readonly methodEnhancers?: ReadonlyMap<PropertyKey, EnhancerLists>;
  readonly security?: Partial<Security>;
  readonly methodSecurity?: ReadonlyMap<PropertyKey, Partial<Security>>;
  /** What a filter answers; an empty list is every error. */
  readonly catches?: readonly ErrorType[];
}

const RECORD = Symbol.for('perch-mcp:class');
const NOTHING: ClassRecord = Object.freeze({});
const NO_HANDLERS: readonly HandlerDeclaration[] = Object.freeze([]);

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
 * What the methods of a class answer, with what it inherits, parents first. A method that is decorated again with the same word replaces
 * its parent's declaration; one that is overridden without a decorator keeps it.
 */
export function handlerDeclarations(target: Type): readonly HandlerDeclaration[] {
  return handlersIn(recordChain(target));
}

/** The same, where the records of the class and its parents are at hand. */
export function handlersIn(records: readonly ClassRecord[]): readonly HandlerDeclaration[] {
  if (records.every(declaresNoHandler)) return NO_HANDLERS;
  const kept: HandlerDeclaration[] = [];
  for (const declaration of [...records].reverse().flatMap(({ handlers }) => handlers ?? [])) {
    const inherited = kept.findIndex(({ kind, method }) => kind === declaration.kind && method === declaration.method);
    if (inherited === -1) kept.push(declaration);
    else kept[inherited] = declaration;
  }
  return kept;
}

function declaresNoHandler({ handlers }: ClassRecord): boolean {
  return handlers === undefined;
}

/** What `@Engine()` says on a class and on its parents; the nearest class wins, option by option, so that none loses a parent's `input`. */
export function engineOptionsOf(target: Type): EngineOptions {
  const declared = [...recordChain(target)].reverse().flatMap(({ handlers = [] }) => handlers.filter((each) => each.kind === 'engine'));
  const given = declared.flatMap(({ options }) => Object.entries(options).filter(([, value]) => value !== undefined));
  return Object.fromEntries(given);
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

/** What the class, its parents and the method demand, parents first. An override keeps what its parent's method demands, decorated or not. */
export function securityOf(target: Type, ...methods: readonly PropertyKey[]): Security {
  const records = [...recordChain(target)].reverse();
  return mergeSecurity([
    ...records.map(({ security }) => security),
    ...methods.flatMap((method) => records.map(({ methodSecurity }) => methodSecurity?.get(method))),
  ]);
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

/** True for a class that carries any word of ours which makes it a provider: `@Injectable`, `@McpTool` and its like. */
export function isDeclaredProvider(target: Type): boolean {
  const own = ownRecord(target);
  return own.injectable !== undefined || own.handlers !== undefined;
}
