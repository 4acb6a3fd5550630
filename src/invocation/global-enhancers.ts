import type { EnhancerKind, Enhancers } from '../contracts/enhancers';

const NONE: Enhancers = Object.freeze({ guards: [], pipes: [], interceptors: [], filters: [] });

/** The global enhancers of an application: those provided under `APP_…` first, then those given to `useGlobal…()`. */
export class GlobalEnhancers {
  #lists: Enhancers = NONE;
  #version = 0;

  /** Those of this application, before those of one handler. */
  before(own: Enhancers = NONE): Enhancers {
    const { guards, pipes, interceptors, filters } = this.#lists;
    return {
      guards: [...guards, ...own.guards],
      pipes: [...pipes, ...own.pipes],
      interceptors: [...interceptors, ...own.interceptors],
      filters: [...filters, ...own.filters],
    };
  }

  /** Grows with every change, so that what was compiled before can be told from what is valid. */
  get version(): number {
    return this.#version;
  }

  add<K extends EnhancerKind>(kind: K, added: Enhancers[K]): void {
    this.#lists = { ...this.#lists, [kind]: [...this.#lists[kind], ...added] };
    this.#version += 1;
  }
}
