import { mergeSecurity, type Security } from '../contracts/security';
import { isClass } from '../contracts/type';
import { updateRecord } from './metadata';

/** Makes the decorator that adds a demand to a class or to one of its methods. */
export function demand(word: string, added: Partial<Security>): ClassDecorator & MethodDecorator {
  return (target: object, method?: PropertyKey): void => {
    if (method === undefined) return updateRecord(target, (own) => ({ ...own, security: mergeSecurity([own.security, added]) }));
    if (isClass(target))
      throw new TypeError(`${word} stands on the static method ${target.name}.${String(method)}. Put it on an instance method.`);
    updateRecord(target.constructor, (own) => ({
      ...own,
      methodSecurity: new Map([...(own.methodSecurity ?? []), [method, mergeSecurity([own.methodSecurity?.get(method), added])] as const]),
    }));
  };
}

/** Throws a `TypeError` unless `values` are strings that are not empty, at least one. */
export function mustBeNames(word: string, values: readonly unknown[]): void {
  if (values.length > 0 && values.every((each) => typeof each === 'string' && each !== '')) return;
  throw new TypeError(`${word} takes one or more strings that are not empty. Without any it would protect nothing.`);
}
