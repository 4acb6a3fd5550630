import 'reflect-metadata';
import { container, type DependencyContainer, type InjectionToken as TsyringeToken } from 'tsyringe';
import type { InjectionToken } from '../contracts/type';

// tsyringe does not export the class of its containers, and a child of the global one would see whatever anyone registers there.
const IndependentContainer = container.constructor as new () => DependencyContainer;

/** The tsyringe container of one module: the module's singletons are built through it, and what other modules export to them is found in it. */
export class ModuleInjector {
  readonly #container = new IndependentContainer();

  /** Registers a token once; `get` is asked at every resolution, since tsyringe would keep an instance for its own reasons. */
  provide(token: InjectionToken, get: () => unknown): void {
    if (!this.#container.isRegistered(token as TsyringeToken)) this.#container.register(token as TsyringeToken, { useFactory: get });
  }

  resolve(token: InjectionToken): unknown {
    return this.#container.resolve(token as TsyringeToken);
  }
}
