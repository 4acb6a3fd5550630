import { isClass, type Type } from '../contracts/type';
import type { PropertyFacts } from './class-facts';

/** A class that a discriminator names. */
export interface UnionBranch {
  readonly name: string;
  readonly target: Type;
}

/** What `@Type` says about a property. */
export type NestedType =
  | { readonly kind: 'none' | 'date' | 'object' }
  | { readonly kind: 'primitive'; readonly json: string }
  | { readonly kind: 'class'; readonly target: Type }
  | { readonly kind: 'union'; readonly property: string; readonly keep: boolean; readonly branches: readonly UnionBranch[] }
  | { readonly kind: 'fault'; readonly decorator: string; readonly reason: string; readonly fix: string };

const PRIMITIVES = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
]);

/** Reads `@Type` and holds it against `@ValidateNested` and the date decorators. Never looks at the compiler's `design:type`. */
export function nestedType(facts: PropertyFacts): NestedType {
  const found = read(facts);
  const isNested = found.kind === 'class' || found.kind === 'union';
  const isDate = facts.rules.some((each) => each.builtIn && each.decorator === 'IsDate');
  if (found.kind === 'fault') return found;
  if (facts.nested !== false && !isNested) {
    return fault('ValidateNested', 'does not say which class to validate', 'Add @Type(() => X) with the class of the nested value.');
  }
  if (facts.nested === false && isNested) return fault('Type', 'makes instances that nothing validates', 'Add @ValidateNested().');
  if (isDate && found.kind !== 'date')
    return fault('IsDate', 'refuses every JSON value, since JSON has no dates', 'Add @Type(() => Date).');
  if (!isDate && found.kind === 'date') return fault('Type', 'makes a Date of a value that is not declared as one', 'Add @IsDate().');
  return found;
}

function read({ type }: PropertyFacts): NestedType {
  if (type === undefined) return { kind: 'none' };
  const discriminator = type.options?.discriminator;
  if (discriminator !== undefined) {
    const { property, subTypes } = discriminator;
    const names = subTypes.map((each) => each.name);
    if (new Set(names).size !== names.length || names.length === 0) {
      return fault('Type', 'has a discriminator without sub-types, or with one name twice', 'Give each sub-type a name of its own.');
    }
    const branches = subTypes.map(({ name, value }) => ({ name, target: value }));
    return { kind: 'union', property, keep: type.options?.keepDiscriminatorProperty === true, branches };
  }
  return classify(typeOf(type));
}

function typeOf(type: NonNullable<PropertyFacts['type']>): unknown {
  try {
    return type.typeFunction?.({});
  } catch {
    // A class that is not initialised yet throws, as in an import cycle.
    return undefined;
  }
}

function classify(target: unknown): NestedType {
  const json = PRIMITIVES.get(target);
  if (json !== undefined) return { kind: 'primitive', json };
  if (target === Date) return { kind: 'date' };
  if (target === Object) return { kind: 'object' };
  if (isClass(target) && target !== Array && target !== Map && target !== Set) return { kind: 'class', target };
  const fix = 'Name the class of one element: @Type(() => X).\nIf the class is undefined here, break the import cycle.';
  return fault('Type', 'names no class that JSON can fill', fix);
}

function fault(decorator: string, reason: string, fix: string): NestedType {
  return { kind: 'fault', decorator, reason, fix };
}
