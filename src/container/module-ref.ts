import type { InjectionToken, Type } from '../contracts/type';
import type { Lookup, LookupOptions } from './lookup';
import type { ModuleNode } from './module-node';
import { NotBuiltError } from './provider-errors';

/** Where to look, and for how many. */
export interface GetOptions {
  /** Only in the module itself. `ModuleRef` is strict unless told otherwise, an application is not. */
  readonly strict?: boolean;
  /** Gives one for each module that provides the token, as an array. */
  readonly each?: boolean;
}

/** What a {@link ModuleRef} stands on; the lookup exists once the graph is scanned. */
export interface ModuleRefSource {
  readonly module: ModuleNode;
  readonly lookup: () => Lookup | undefined;
  readonly strict: boolean;
}

/** Gives a provider what it cannot know when it is constructed. Injectable in every module, and bound to that module. */
export class ModuleRef {
  readonly #source: ModuleRefSource;

  constructor(source: ModuleRefSource) {
    this.#source = source;
  }

  /**
   * The singleton under a token. Throws `UnknownElementError` when there is none, `ScopedProviderError` for a transient or
   * request-scoped provider, and `NotBuiltError` while the application is being built.
   */
  get<T>(token: InjectionToken<T>, options: GetOptions & { readonly each: true }): T[];
  get<T>(token: InjectionToken<T>, options?: GetOptions): T;
  get(token: InjectionToken, options: GetOptions = {}): unknown {
    const lookup = this.#lookup();
    return options.each === true ? lookup.each(token, this.#where(options)) : lookup.get(token, this.#where(options));
  }

  /**
   * The singleton, or a new instance of a transient or request-scoped provider, outside of any operation. A new instance belongs to the
   * caller: no hook is called on it.
   */
  resolve<T>(token: InjectionToken<T>, options: GetOptions & { readonly each: true }): Promise<T[]>;
  resolve<T>(token: InjectionToken<T>, options?: GetOptions): Promise<T>;
  async resolve(token: InjectionToken, options: GetOptions = {}): Promise<unknown> {
    const lookup = this.#lookup();
    return options.each === true ? lookup.resolveEach(token, this.#where(options)) : lookup.resolve(token, this.#where(options));
  }

  /** Builds a class that is no provider, with what this module may inject. Rejects with `McpSetupError` when something is missing. */
  async create<T>(type: Type<T>): Promise<T> {
    return (await this.#lookup().create(type, this.#source.module)) as T;
  }

  #where({ strict = this.#source.strict }: GetOptions): LookupOptions {
    return strict ? { within: this.#source.module } : {};
  }

  #lookup(): Lookup {
    const lookup = this.#source.lookup();
    if (lookup === undefined)
      throw new NotBuiltError('The application is not built yet. Use ModuleRef from onModuleInit() on, not in a constructor.');
    return lookup;
  }
}
