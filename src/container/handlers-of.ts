import type { Type } from '../contracts/type';
import { handlerDeclarations } from '../decorators/metadata';
import type { KnownClass } from './attach-enhancers';
import { classOf } from './class-of';
import type { ProviderNode } from './module-node';

/** The class of a provider and what its methods answer; the instance knows best, where there is one. */
export function handlersOf(node: ProviderNode): Partial<KnownClass> & Pick<KnownClass, 'declarations'> {
  const known = { ...(node.type === undefined ? {} : { type: node.type }), declarations: node.definition.handlers };
  if (node.recipe.kind === 'class') return known;
  const type = classOf(knownInstance(node));
  const declarations = type === undefined ? [] : handlerDeclarations(type);
  return type !== undefined && declarations.length > 0 ? { type, declarations } : known;
}

/** What a provider stands for, where it is there already. */
export function knownInstance(node: ProviderNode): unknown {
  return node.recipe.kind === 'value' ? node.recipe.value : node.instance;
}

/** True when the method can be called. What a factory makes is looked at once it is made; until then its token's class stands for it. */
export function hasMethod(node: ProviderNode, type: Type, method: PropertyKey): boolean {
  const instance = knownInstance(node) as Record<PropertyKey, unknown> | null | undefined;
  if (node.recipe.kind === 'value' || (node.recipe.kind === 'factory' && node.isBuilt)) return typeof instance?.[method] === 'function';
  for (let each: unknown = type.prototype; each !== null && each !== undefined; each = Object.getPrototypeOf(each)) {
    const property = Object.getOwnPropertyDescriptor(each, method);
    if (property !== undefined) return typeof property.value === 'function';
  }
  return false;
}

/** False for what a factory has still to make: the instance may be of another class, with other enhancers. */
export function isKnown({ recipe, isBuilt, isRequestScoped }: ProviderNode): boolean {
  return recipe.kind === 'class' || recipe.kind === 'value' || isBuilt || isRequestScoped;
}
