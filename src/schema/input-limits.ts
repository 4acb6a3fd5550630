import { pathText, type Path } from './problem-text';

/** How deep and how large arguments may be. The arguments object itself is the first level. */
export interface InputLimits {
  readonly maxDepth: number;
  /** Array elements and object members together, at all levels. */
  readonly maxElements: number;
}

/** A container that is still to be visited, with the way back to the root. */
interface Place {
  readonly value: object;
  readonly depth: number;
  readonly key: string | number | undefined;
  readonly parent: Place | undefined;
}

/** Keys that no DTO input may carry at any depth: copied into another object, they reach its prototype. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Looks through a value once, without recursion, and stops at the first problem, so that a hostile value costs no more than an allowed
 * one. With `forbidKeys` it also finds {@link FORBIDDEN_KEYS}.
 */
export function limitProblem(root: object, limits: InputLimits, forbidKeys: boolean): string | undefined {
  const walk = new LimitWalk(limits, forbidKeys);
  return walk.run(root);
}

class LimitWalk {
  private elements = 0;
  private readonly open: Place[] = [];

  constructor(
    private readonly limits: InputLimits,
    private readonly forbidKeys: boolean,
  ) {}

  run(root: object): string | undefined {
    this.open.push({ value: root, depth: 1, key: undefined, parent: undefined });
    for (let place = this.open.pop(); place !== undefined; place = this.open.pop()) {
      if (place.depth > this.limits.maxDepth) return `nested deeper than ${this.limits.maxDepth} levels`;
      const problem = Array.isArray(place.value) ? this.visitArray(place, place.value) : this.visitObject(place);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  private visitArray(place: Place, items: readonly unknown[]): string | undefined {
    this.elements += items.length;
    if (this.elements > this.limits.maxElements) return this.tooMany();
    for (let index = 0; index < items.length; index++) this.enter(items[index], index, place);
    return undefined;
  }

  private visitObject(place: Place): string | undefined {
    const members = place.value as Record<string, unknown>;
    for (const key in members) {
      if (++this.elements > this.limits.maxElements) return this.tooMany();
      if (this.forbidKeys && FORBIDDEN_KEYS.has(key)) return `${pathText([...pathOf(place), key])} is a forbidden key`;
      this.enter(members[key], key, place);
    }
    return undefined;
  }

  private enter(value: unknown, key: string | number, parent: Place): void {
    if (typeof value === 'object' && value !== null) this.open.push({ value, depth: parent.depth + 1, key, parent });
  }

  private tooMany(): string {
    return `too many elements: more than ${this.limits.maxElements}`;
  }
}

function pathOf(place: Place): Path {
  const path: (string | number)[] = [];
  for (let each: Place | undefined = place; each?.key !== undefined; each = each.parent) path.unshift(each.key);
  return path;
}
