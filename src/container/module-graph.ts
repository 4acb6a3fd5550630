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
  readonly #foundGlobally = new Map<InjectionToken, ProviderNode>();
  readonly #byToken = new Map<InjectionToken, readonly ProviderNode[]>();

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
  nodes(): readonly ProviderNode[] {
    const all: ProviderNode[] = [];
    for (const module of this.modules) for (const node of module.nodes) all.push(node);
    for (const node of this.core.nodes) all.push(node);
    return all;
  }

  /** What `module` may inject under `token`: its own, then what its imports export in their order, then what is global. */
  find(module: ModuleNode, token: InjectionToken): ProviderNode | undefined {
    const own = module.providers.get(token);
    if (own !== undefined) return own;
    const found = module.found?.get(token) ?? exportedBy(module.imports, token) ?? this.#findGlobal(token);
    if (found !== undefined) (module.found ??= new Map<InjectionToken, ProviderNode>()).set(token, found);
    return found;
  }

  /** Provides a value everywhere, below whatever the modules provide. */
  addGlobalValue(token: InjectionToken, value: unknown): ProviderNode {
    const node = this.core.add({ token, recipe: { kind: 'value', value }, scope: Scope.DEFAULT, handlers: [], mayLift: false });
    this.core.exported.add(token);
    this.#byToken.delete(token);
    return node;
  }

  /** Every provider of a token, whoever may see it, in scan order. */
  all(token: InjectionToken): readonly ProviderNode[] {
    const known = this.#byToken.get(token);
    if (known !== undefined) return known;
    const found = [...this.modules, this.core].flatMap((module) => module.all(token));
    // What nobody provides is not kept: anybody may ask for anything.
    if (found.length > 0) this.#byToken.set(token, found);
    return found;
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
    for (let index = module.reexported.length - 1; index >= 0; index -= 1) waiting.push(module.reexported[index] as ModuleNode);
  }
  return undefined;
}
