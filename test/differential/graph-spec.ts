/**
 * A graph of modules in plain data, from which both sides build the same classes. A token is the name of one of `classes`,
 * `module:<index>`, one of the names that begin with `@` (see `Framework.tokens`), `#name` for a symbol, or else a string.
 */
export interface GraphSpec {
  readonly classes?: Readonly<Record<string, ClassSpec>>;
  /** The first is the root. */
  readonly modules: readonly ModuleSpec[];
}

export interface ModuleSpec {
  /** A dynamic module; with a number, one of the class of that module. */
  readonly dynamic?: true | number;
  readonly isGlobal?: boolean;
  /** The imports of a dynamic module stand in the `@Module()` of its class instead of in its object. */
  readonly importsInClass?: true;
  readonly imports?: readonly ImportSpec[];
  readonly providers?: readonly ProviderSpec[];
  readonly exports?: readonly ExportSpec[];
  /** What the class of the module asks for, and its hooks. */
  readonly itself?: ClassSpec;
}

export type ImportSpec =
  | number
  | { readonly forward: number }
  | { readonly promise: number }
  | { readonly bad: 'undefined' | 'null' | 'undecorated' }
  | { readonly provider: string };
export type ExportSpec = string | { readonly module: number } | { readonly bad: 'undefined' };

export type ProviderSpec =
  | string
  | { readonly provide: string; readonly useClass: string; readonly scope?: ScopeName }
  | { readonly provide: string; readonly useValue: string; readonly isQuiet?: true }
  | ({ readonly provide: string; readonly useFactory: 'sync' | 'async'; readonly scope?: ScopeName } & ClassSpec)
  | { readonly provide: string; readonly useExisting: string }
  | { readonly provide: string; readonly bad: 'nothing' }
  | { readonly bad: 'undefined' };

export type ScopeName = 'DEFAULT' | 'TRANSIENT' | 'REQUEST';

/** What is built: by a class, or by a factory. */
export interface ClassSpec {
  readonly deps?: readonly DependencySpec[];
  readonly properties?: Readonly<Record<string, DependencySpec>>;
  readonly scope?: ScopeName;
  /** How many turns of the microtask queue each hook takes. */
  readonly ticks?: number;
  /** Hooks that reject, or `construct`. */
  readonly fails?: readonly (Hook | 'construct')[];
  /** Serves a tool here; a plain provider for NestJS, where everything that needs request scope becomes request-scoped. */
  readonly isHandler?: true;
  readonly extends?: string;
}

export type DependencySpec = string | { readonly token: string; readonly isForward?: boolean; readonly isOptional?: boolean };

export const HOOKS = [
  'onModuleInit',
  'onApplicationBootstrap',
  'onModuleDestroy',
  'beforeApplicationShutdown',
  'onApplicationShutdown',
] as const;
export type Hook = (typeof HOOKS)[number];

/** A dependency with all its parts. */
export function dependencyOf(spec: DependencySpec): { readonly token: string; readonly isForward: boolean; readonly isOptional: boolean } {
  return { isForward: false, isOptional: false, ...(typeof spec === 'string' ? { token: spec } : spec) };
}
