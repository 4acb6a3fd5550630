/**
 * Makes `instanceof` work between two copies of this package, for instance one bundled and one installed.
 * The brand is inherited, so a subclass instance is also an instance of its parents, and never of a sibling.
 */
export function brandedInstance(brand: symbol, self: { readonly prototype: object }, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.prototype.isPrototypeOf.call(self.prototype, value)) return true;
  return Object.hasOwn(self.prototype, brand) && brand in value;
}

/** Puts `brand` on the prototype of an error class and lets its `instanceof` look for it. */
export function brand(target: { readonly prototype: object; readonly name: string }): void {
  const key = Symbol.for(`perch-mcp:error:${target.name}`);
  Object.defineProperty(target.prototype, key, { value: true });
  Object.defineProperty(target, Symbol.hasInstance, {
    value(this: { readonly prototype: object }, value: unknown) {
      return brandedInstance(key, this, value);
    },
  });
}
