/** How deep and how large a value may be. The root's members are the first level. */
export interface Bounds {
  readonly depth: number;
  /** Array elements and object members together, at all levels. */
  readonly elements: number;
}

/** In what respect a value is out of bounds. */
export type Excess = 'deep' | 'large' | 'infinite';

/**
 * Goes through parsed JSON without recursion and stops at the first excess, so that a hostile value costs neither stack nor time. A number
 * that JavaScript reads as infinite is one too: it would leave as `null`. The member `except` of the root is left out.
 */
export function excessOf(root: object, bounds: Bounds, except?: string): Excess | undefined {
  return new BoundedWalk(bounds).run(root, except);
}

class BoundedWalk {
  readonly #containers: object[] = [];
  readonly #depths: number[] = [];
  #elements = 0;
  #hasInfinite = false;

  constructor(private readonly bounds: Bounds) {}

  run(root: object, except: string | undefined): Excess | undefined {
    this.#visit(root, 0, except);
    for (;;) {
      if (this.#elements > this.bounds.elements) return 'large';
      const container = this.#containers.pop();
      const depth = this.#depths.pop();
      if (container === undefined || depth === undefined) return this.#hasInfinite ? 'infinite' : undefined;
      if (depth > this.bounds.depth) return 'deep';
      this.#visit(container, depth);
    }
  }

  #visit(container: object, depth: number, except?: string): void {
    if (Array.isArray(container)) return this.#visitArray(container, depth);
    const members = container as Record<string, unknown>;
    for (const name in members) {
      if (++this.#elements > this.bounds.elements) return;
      if (name !== except) this.#enter(members[name], depth + 1);
    }
  }

  #visitArray(items: readonly unknown[], depth: number): void {
    this.#elements += items.length;
    if (this.#elements > this.bounds.elements) return;
    for (const item of items) this.#enter(item, depth + 1);
  }

  #enter(value: unknown, depth: number): void {
    if (typeof value === 'number') this.#hasInfinite ||= !Number.isFinite(value);
    if (typeof value !== 'object' || value === null) return;
    this.#containers.push(value);
    this.#depths.push(depth);
  }
}
