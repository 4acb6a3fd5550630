import type { ProviderReference, RequestScope } from '../contracts/provider';
import { Scope } from '../contracts/scope';
import { describeToken, type InjectionToken, type Type } from '../contracts/type';
import type { HandlerDeclaration } from '../decorators/metadata';
import type { AttachedEnhancers } from './attached-enhancers';
import type { Dependency } from './dependency';
import type { ModuleNode } from './module-node';
import { NotBuiltError } from './provider-errors';
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

/** A dependency and what was found for it. */
export interface Link {
  readonly dependency: Dependency;
  /** The provider, behind any `useExisting`; `undefined` where an optional one is missing. */
  readonly target: ProviderNode | undefined;
  /** Gives the consumer itself to the transient provider that asks for `INQUIRER`. */
  readonly isInquirer: boolean;
  /** How many `useExisting` were followed. */
  readonly aliases: number;
}

/** What gives the instances of one operation. */
export interface InstanceSource {
  instanceOf(node: ProviderNode): unknown;
}

/** A provider of one module: the definition, what it was linked to, and the singleton once it is built. */
export class ProviderNode implements ProviderReference {
  readonly token: InjectionToken;
  readonly recipe: Recipe;
  readonly scope: Scope;
  links: readonly Link[] = [];
  /** True when an instance lives for one operation: declared, or by what it needs. */
  isRequestScoped: boolean;
  /** Becomes request-scoped by itself when something it needs is, instead of stopping the boot. */
  mayLift: boolean;
  /** Of the class and its methods, where some of them answer clients. */
  enhancers: AttachedEnhancers | undefined;
  /** The dependency that made this provider request-scoped. */
  scopedBy: ProviderNode | undefined;
  /** One more than the highest level among its dependencies; hooks run level by level. */
  level = 0;
  isBuilt = false;
  /** The singleton; for a transient provider nothing, since each consumer has its own. */
  instance: unknown;

  constructor(
    readonly module: ModuleNode,
    readonly definition: ProviderDefinition,
  ) {
    this.token = definition.token;
    this.recipe = definition.recipe;
    this.scope = definition.scope;
    this.isRequestScoped = definition.scope === Scope.REQUEST;
    this.mayLift = definition.mayLift;
  }

  get name(): string {
    return this.recipe.kind === 'class' ? describeToken(this.recipe.type) : describeToken(this.token);
  }

  get isTransient(): boolean {
    return this.scope === Scope.TRANSIENT;
  }

  /** The class, where one is known before anything is built. */
  get type(): Type | undefined {
    if (this.recipe.kind === 'class') return this.recipe.type;
    return typeof this.token === 'function' ? (this.token as Type) : undefined;
  }

  get(scope?: RequestScope): unknown {
    if (this.isRequestScoped) {
      if (scope === undefined) throw new NotBuiltError(`${this.name} lives for one operation, and this is outside of any.`);
      return (scope as RequestScope & InstanceSource).instanceOf(this);
    }
    if (!this.isBuilt) throw new NotBuiltError(`${this.name} is not built yet. Use it from onModuleInit() on, not in a constructor.`);
    return this.instance;
  }
}
