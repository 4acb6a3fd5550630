import type { InjectionToken } from '../contracts/type';

/** One thing that a provider asks for, as its class or its `inject` list declares it. */
export interface Dependency {
  /** The position of a constructor parameter or of an `inject` entry. Absent for a property. */
  readonly index?: number;
  /** The property to set after construction. Absent for a parameter. */
  readonly property?: PropertyKey;
  /** What to look up; absent when the declaration names nothing, and then `flaw` says why. */
  readonly token?: InjectionToken;
  /** Declared with `forwardRef()`: may be built after its consumer. */
  readonly isForward: boolean;
  /** Declared with `@Optional()`: `undefined` where nothing provides it. */
  readonly isOptional: boolean;
  readonly flaw?: DependencyFlaw;
}

/**
 * Why a declaration names nothing: the token is `undefined` at run time, the compiler wrote no types, or it is a form of tsyringe's
 * that modules give no meaning to.
 */
export type DependencyFlaw = 'undefined' | 'untyped' | 'unsupported';

/** What a class asks for: first its constructor parameters in order, then its properties. */
export interface ClassDependencies {
  readonly all: readonly Dependency[];
  /** The class whose constructor runs: the class itself, or the parent it inherits its constructor from. */
  readonly constructorOwner: object;
}
