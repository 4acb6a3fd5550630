import { classOf } from '../container/class-of';
import type { ServedObject } from '../container/serve-object';
import type { EngineCall } from '../contracts/engine';
import type { HandlerTarget } from '../contracts/tool';
import type { Type } from '../contracts/type';
import { throwIfAny } from '../errors/setup-error';

/** Finds the enhancers of an object that no module provides. */
export type ServeObject = (instance: object, type: Type, method: PropertyKey) => ServedObject;

/** What serves an entry, by the field that keeps it. */
type Targets<Field extends string> = Partial<Readonly<Record<Field, HandlerTarget>>>;

/**
 * Serves what is registered at run time as if a module provided it: what the class of a definition, or of its engine, declares stands
 * before each of these methods. Throws when an enhancer cannot be found, so that nothing is callable without its guard.
 */
export function servedDefinition<Field extends string>(serve: ServeObject, methods: Readonly<Record<Field, PropertyKey>>) {
  return (definition: object, entry: { readonly engine?: EngineCall; readonly name: string }): Targets<Field> => {
    const instance = entry.engine?.instance ?? definition;
    const type = classOf(instance);
    if (type === undefined) return {};
    const present = Object.entries<PropertyKey>(methods).filter(([, method]) => has(instance, method));
    const served = present.map(([field, method]) => [field, serve(instance, type, method)] as const);
    throwIfAny(served.find(([, { problems }]) => problems.length > 0)?.[1].problems ?? []);
    return Object.fromEntries(served.map(([field, { target }]) => [field, target])) as Targets<Field>;
  };
}

function has(instance: object, method: PropertyKey): boolean {
  return typeof (instance as Record<PropertyKey, unknown>)[method] === 'function';
}
