import { Scope } from '../contracts/scope';
import type { InjectionToken } from '../contracts/type';
import type { ModuleNode, ProviderNode } from './module-node';

/** What a graph is made of. */
export interface GraphModules {
  /** In scan order, the root first. */
  readonly modules: readonly ModuleNode[];
  /** In the order in which they are asked for a token. */
  readonly globals: readonly ModuleNode[];
  readonly core: ModuleNode;
}

/** All modules of an application. The core module holds what the framework provides; every module sees it. */
export class ModuleGraph {
  readonly #globals: readonly ModuleNode[];
  readonly #found = new Map<ModuleNode, Map<InjectionToken, ProviderNode>>();
  readonly #foundGlobally = new Map<InjectionToken, ProviderNode>();
  #byToken: ReadonlyMap<InjectionToken, readonly ProviderNode[]> | undefined;

  readonly modules: readonly ModuleNode[];
  readonly core: ModuleNode;

  constructor({ modules, globals, core }: GraphModules) {
    this.modules = modules;
    this.core = core;
    this.#globals = [...globals, core];
  }

  get root(): ModuleNode | undefined {
    return this.modules[0];
  }

  /** Every provider of the authors' modules, in scan order, then the framework's. */
  *nodes(): Generator<ProviderNode> {
    for (const module of this.modules) yield* module.nodes;
    yield* this.core.nodes;
  }

  /** What `module` may inject under `token`: its own, then what its imports export in their order, then what is global. */
  find(module: ModuleNode, token: InjectionToken): ProviderNode | undefined {
    const own = module.providers.get(token);
    if (own !== undefined) return own;
    const cache = computed(this.#found, module, () => new Map<InjectionToken, ProviderNode>());
    const found = cache.get(token) ?? exportedBy(module.imports, token) ?? this.#findGlobal(token);
    if (found !== undefined) cache.set(token, found);
    return found;
  }

  /** Provides a value everywhere, below whatever the modules provide. */
  addGlobalValue(token: InjectionToken, value: unknown): ProviderNode {
    const node = this.core.add({ token, recipe: { kind: 'value', value }, scope: Scope.DEFAULT, handlers: [], mayLift: false });
    this.core.exported.add(token);
    this.#byToken = undefined;
    return node;
  }

  /** Every provider of a token, whoever may see it, in scan order. */
  all(token: InjectionToken): readonly ProviderNode[] {
    this.#byToken ??= groupByToken(this.nodes());
    return this.#byToken.get(token) ?? [];
  }

  #findGlobal(token: InjectionToken): ProviderNode | undefined {
    const found = this.#foundGlobally.get(token) ?? exportedBy(this.#globals, token);
    if (found !== undefined) this.#foundGlobally.set(token, found);
    return found;
  }
}

function exportedBy(modules: Iterable<ModuleNode>, token: InjectionToken): ProviderNode | undefined {
  const seen = new Set<ModuleNode>();
  const waiting = [...modules].reverse();
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (seen.has(module)) continue;
    seen.add(module);
    const found = module.exported.has(token) ? module.providers.get(token) : undefined;
    if (found !== undefined) return found;
    for (const each of [...module.reexported].reverse()) waiting.push(each);
  }
  return undefined;
}

function groupByToken(nodes: Iterable<ProviderNode>): ReadonlyMap<InjectionToken, readonly ProviderNode[]> {
  const groups = new Map<InjectionToken, ProviderNode[]>();
  for (const node of nodes) computed(groups, node.token, () => []).push(node);
  return groups;
}

function computed<K, V>(map: Map<K, V>, key: K, compute: () => V): V {
  if (!map.has(key)) map.set(key, compute());
  return map.get(key) as V;
}
