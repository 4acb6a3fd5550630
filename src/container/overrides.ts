import type { ModuleImport, Provider } from '../contracts/provider';
import type { InjectionToken } from '../contracts/type';
import { isDynamicModule } from './read-module';

/** Stand-ins for tests. */
export interface OverrideOptions {
  /** By token: what every module that provides the token provides instead. Its `provide` is not read. */
  readonly providers?: ReadonlyMap<InjectionToken, Exclude<Provider, new (...args: never[]) => unknown>>;
  /** By module class, or by the very dynamic module object: what is imported instead. A class also stands for its dynamic modules. */
  readonly modules?: ReadonlyMap<unknown, ModuleImport>;
  /** Makes something for a token that nothing provides; `undefined` leaves it missing. */
  readonly mocker?: (token: InjectionToken) => unknown;
}

/** The stand-ins of one application, and which of them found something to stand in for. */
export class Overrides {
  readonly #unused: Set<unknown>;

  constructor(private readonly options: OverrideOptions = {}) {
    this.#unused = new Set([...(options.providers?.keys() ?? []), ...(options.modules?.keys() ?? [])]);
  }

  /** The tokens and modules that nothing in the graph matched. */
  get unused(): readonly unknown[] {
    return [...this.#unused];
  }

  /** What a module provides instead of `entry` under this token. */
  providerFor(token: InjectionToken): object | undefined {
    const found = this.options.providers?.get(token);
    if (found === undefined) return undefined;
    this.#unused.delete(token);
    return { ...found, provide: token };
  }

  moduleFor(entry: unknown): unknown {
    const key = this.options.modules?.has(entry) !== true && isDynamicModule(entry) ? entry.module : entry;
    const found = this.options.modules?.get(key);
    if (found !== undefined) this.#unused.delete(key);
    return found;
  }

  mock(token: InjectionToken): unknown {
    return this.options.mocker?.(token);
  }
}
