import type { DynamicModule, ProviderReference, RequestScope } from '../contracts/provider';
import { Scope } from '../contracts/scope';
import { type InjectionToken, type Type, describeToken } from '../contracts/type';
import type { AttachedEnhancers } from './attached-enhancers';
import type { Dependency } from './dependency';
import type { ModuleInjector } from './module-injector';
import type { ProviderDefinition, Recipe } from './provider-definition';
import { NotBuiltError } from './provider-errors';

/** The `imports`, `providers` and `exports` of one module: those of its class, then those of the dynamic module object. */
export interface ModuleDefinition {
  readonly type: Type;
  /** What makes the module the same one when it is imported again: the class, or the dynamic module object. */
  readonly identity: Type | DynamicModule;
  readonly isGlobal: boolean;
  readonly imports: readonly unknown[];
  readonly providers: readonly unknown[];
  readonly exports: readonly unknown[];
}

/** A module of the graph. */
export class ModuleNode {
  readonly imports = new Set<ModuleNode>();
  /** By token. Where a token may repeat, the last one stands here and all stand in `nodes`. */
  readonly providers = new Map<InjectionToken, ProviderNode>();
  readonly nodes: ProviderNode[] = [];
  readonly exported = new Set<InjectionToken>();
  readonly reexported: ModuleNode[] = [];
  /** What was found for tokens that the module does not provide itself. */
  found: Map<InjectionToken, ProviderNode> | undefined;
  #enhancers: Map<Type, ProviderNode> | undefined;
  /** The length of the longest import path from the root. */
  distance = 0;
  /** Set when the instances are about to be built. */
  injector: ModuleInjector | undefined;

  constructor(
    readonly definition: ModuleDefinition,
    readonly name: string,
  ) {}

  get type(): Type {
    return this.definition.type;
  }

  get isGlobal(): boolean {
    return this.definition.isGlobal;
  }

  add(definition: ProviderDefinition): ProviderNode {
    const node = new ProviderNode(this, definition);
    this.nodes.push(node);
    this.providers.set(node.token, node);
    return node;
  }

  /** Adds a guard or the like that classes of this module use and that nothing visible provides; it cannot be injected. */
  addEnhancer(type: Type, definition: ProviderDefinition): ProviderNode {
    const node = new ProviderNode(this, definition);
    node.mayLift = true;
    this.nodes.push(node);
    this.#enhancers ??= new Map();
    this.#enhancers.set(type, node);
    return node;
  }

  enhancer(type: Type): ProviderNode | undefined {
    return this.#enhancers?.get(type);
  }

  /** Every provider of a token in the order of the list; more than one for tokens that may repeat. */
  all(token: InjectionToken): readonly ProviderNode[] {
    const isThere = this.providers.has(token) || this.#enhancers !== undefined;
    return isThere ? this.nodes.filter((node) => node.token === token) : [];
  }
}

/** A dependency and what was found for it. */
export interface Link {
  readonly dependency: Dependency;
  /** The provider, behind any `useExisting`; `undefined` where an optional one is missing. */
  readonly target: ProviderNode | undefined;
  /** Gives the consumer itself to the transient provider that asks for `INQUIRER`. */
  readonly isInquirer: boolean;
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
  /** Where it stands in the order of construction; what stands in no module's list comes after everything. */
  position = Number.MAX_SAFE_INTEGER;
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
