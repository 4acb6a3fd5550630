import type { Scope } from './scope';
import type { ForwardReference, InjectionToken, Type } from './type';

/** A dependency of a factory: a token, or one that may be missing. */
export type FactoryDependency =
  InjectionToken | ForwardReference<InjectionToken> | { readonly token: InjectionToken; readonly optional?: boolean };

/** Builds a class under a token. */
export interface ClassProvider<T = unknown> {
  readonly provide: InjectionToken<T>;
  readonly useClass: Type<T>;
  readonly scope?: Scope;
}

/** Gives a value that exists already. `undefined` and `null` are values. */
export interface ValueProvider<T = unknown> {
  readonly provide: InjectionToken<T>;
  readonly useValue: T;
}

/** Calls a function, awaited before anything that depends on its result is built. */
export interface FactoryProvider<T = unknown> {
  readonly provide: InjectionToken<T>;
  readonly useFactory: (...args: any[]) => T | Promise<T>;
  /** What the function receives, in order. */
  readonly inject?: readonly FactoryDependency[];
  readonly scope?: Scope;
}

/** Another name for a provider: the same instance under both tokens. */
export interface ExistingProvider<T = unknown> {
  readonly provide: InjectionToken<T>;
  readonly useExisting: InjectionToken<T>;
}

/** An entry of a module's `providers`. A class stands for `{ provide: X, useClass: X }`. */
export type Provider<T = unknown> = Type<T> | ClassProvider<T> | ValueProvider<T> | FactoryProvider<T> | ExistingProvider<T>;

/** The argument of `@Module()`. */
export interface ModuleMetadata {
  readonly imports?: readonly ModuleImport[];
  readonly providers?: readonly Provider[];
  /** Tokens, providers or imported modules that importers of this module may inject from. */
  readonly exports?: readonly ModuleExport[];
}

/** A module made by a function, such as `DatabaseModule.forRoot(options)`. Each object is a module of its own. */
export interface DynamicModule extends ModuleMetadata {
  readonly module: Type;
  /** Makes its exports visible everywhere, without an import. */
  readonly global?: boolean;
}

/** An entry of `imports`. */
export type ModuleImport = Type | DynamicModule | Promise<DynamicModule> | ForwardReference<Type | DynamicModule>;

/** An entry of `exports`. */
export type ModuleExport = InjectionToken | Provider | DynamicModule | ForwardReference<InjectionToken>;

/** The instances of one operation, by provider. Made by the container; closed after the answer. */
export interface RequestScope {
  /** Ends every disposable instance of the operation; one that fails is logged and stops no other. */
  close(): Promise<void>;
}

/** A provider of the graph, as invocation sees it. */
export interface ProviderReference {
  /** How messages name the provider. */
  readonly name: string;
  /** The class, where one is known without an instance. */
  readonly type?: Type | undefined;
  /** True when an instance lives for one operation only; then {@link get} needs the operation's scope. */
  readonly isRequestScoped: boolean;
  /** The instance: the singleton, or the one that belongs to `scope`, built when first asked for. */
  get(scope?: RequestScope): unknown;
}
