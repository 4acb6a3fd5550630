import type { Type } from '../contracts/type';
import { readClass, type PropertyFacts, type Role } from './class-facts';
import { nestedType, type NestedType } from './nested-type';

/** The discriminator value that one branch of a union carries. */
export interface ShapeTag {
  readonly property: string;
  readonly name: string;
  /** True when the instance keeps the discriminator although its class does not declare it. */
  readonly keep: boolean;
}

/** A class as it stands in a schema: itself, or as one branch of a union. */
export interface Shape {
  readonly target: Type;
  readonly tag: ShapeTag | undefined;
  readonly properties: ReadonlyMap<string, ShapeProperty>;
}

/** A property with what `@Type` says about it, and the shapes it leads to. */
export interface ShapeProperty {
  readonly facts: PropertyFacts;
  readonly type: NestedType;
  /** One for a nested class, one for each branch of a union. */
  readonly nested: readonly Shape[];
}

/** All shapes that a class leads to; each is read once, so that recursion ends. */
export class ShapeGraph {
  readonly root: Shape;
  private readonly uses = new Map<Shape, number>();
  private readonly byTarget = new Map<Type, Map<string, Shape>>();

  constructor(
    target: Type,
    private readonly role: Role,
  ) {
    this.root = this.shapeOf(target, undefined);
  }

  /** True for a shape that is written once under `$defs`: it stands in several places, perhaps inside itself. */
  isShared(shape: Shape): boolean {
    return (this.uses.get(shape) ?? 0) > 1;
  }

  private shapeOf(target: Type, tag: ShapeTag | undefined): Shape {
    const variants = this.byTarget.get(target) ?? new Map<string, Shape>();
    this.byTarget.set(target, variants);
    const key = JSON.stringify(tag ?? null);
    const known = variants.get(key);
    if (known !== undefined) return known;
    const properties = new Map<string, ShapeProperty>();
    const shape = { target, tag, properties };
    variants.set(key, shape);
    for (const facts of readClass(target, this.role).values()) {
      const type = nestedType(facts);
      properties.set(facts.property, { facts, type, nested: this.follow(type) });
    }
    return shape;
  }

  private follow(type: NestedType): readonly Shape[] {
    const shapes = this.lead(type);
    for (const shape of shapes) this.uses.set(shape, (this.uses.get(shape) ?? 0) + 1);
    return shapes;
  }

  private lead(type: NestedType): readonly Shape[] {
    if (type.kind === 'class') return [this.shapeOf(type.target, undefined)];
    if (type.kind !== 'union') return [];
    const { property, keep, branches } = type;
    return branches.map(({ name, target }) => this.shapeOf(target, { property, name, keep }));
  }
}
