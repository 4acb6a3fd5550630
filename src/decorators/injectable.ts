import type { Scope } from '../contracts/scope';
import { updateRecord } from './metadata';

/** The options of {@link Injectable}. */
export interface InjectableOptions {
  /** How long one instance lives; `Scope.DEFAULT` unless set. */
  readonly scope?: Scope;
}

/** Marks a class that the container builds, so that the compiler records its constructor's types and its method tools are found. */
export function Injectable(options: InjectableOptions = {}): ClassDecorator {
  return (target) => {
    updateRecord(target, (own) => ({ ...own, injectable: Object.freeze({ ...options }) }));
  };
}
