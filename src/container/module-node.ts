import type { DynamicModule } from '../contracts/provider';
import type { InjectionToken, Type } from '../contracts/type';
import type { ModuleInjector } from './module-injector';
import type { ProviderDefinition } from './provider-node';
import { ProviderNode } from './provider-node';

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
  /** Guards and the like that classes of this module use and that nothing visible provides; they cannot be injected. */
  readonly enhancers = new Map<Type, ProviderNode>();
  readonly exported = new Set<InjectionToken>();
  readonly reexported = new Set<ModuleNode>();
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

  addEnhancer(type: Type, definition: ProviderDefinition): ProviderNode {
    const node = new ProviderNode(this, definition);
    node.mayLift = true;
    this.nodes.push(node);
    this.enhancers.set(type, node);
    return node;
  }
}
