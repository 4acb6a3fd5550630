import type { Scope } from '../contracts/scope';
import type { InjectionToken, Type } from '../contracts/type';
import type { HandlerDeclaration } from '../decorators/metadata';
import type { Dependency } from './dependency';
import type { Asked } from './read-token';

/** How a provider comes to its instance. `context` is the operation itself, given when its scope opens. */
export type Recipe =
  | { readonly kind: 'class'; readonly type: Type; readonly constructorOwner: object; readonly dependencies: readonly Dependency[] }
  | { readonly kind: 'factory'; readonly create: (...args: unknown[]) => unknown; readonly dependencies: readonly Dependency[] }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'alias'; readonly of: Asked }
  | { readonly kind: 'context' };

/** A provider definition that was read from a module's `providers`. */
export interface ProviderDefinition {
  readonly token: InjectionToken;
  readonly recipe: Recipe;
  readonly scope: Scope;
  readonly handlers: readonly HandlerDeclaration[];
  /** Becomes request-scoped by itself when something it needs is, instead of stopping the boot. */
  readonly mayLift: boolean;
}
