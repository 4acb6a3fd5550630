import type { Enhancers } from '../contracts/enhancers';

const NONE: Enhancers = Object.freeze({ guards: [], pipes: [], interceptors: [], filters: [] });

/** The enhancers of one class and of its methods, each found in the graph. */
export class AttachedEnhancers {
  constructor(
    private readonly ofClass: Enhancers,
    private readonly ofMethods: ReadonlyMap<PropertyKey, Enhancers>,
  ) {}

  /** Those of the class, then those of each of these methods. */
  of(...methods: readonly PropertyKey[]): Enhancers {
    const all = [this.ofClass, ...methods.map((method) => this.ofMethods.get(method) ?? NONE)];
    return {
      guards: all.flatMap(({ guards }) => guards),
      pipes: all.flatMap(({ pipes }) => pipes),
      interceptors: all.flatMap(({ interceptors }) => interceptors),
      filters: all.flatMap(({ filters }) => filters),
    };
  }
}
