import type { BuiltInstance } from './build-graph';
import type { ModuleGraph } from './module-graph';
import type { ModuleNode, ProviderNode } from './module-node';

/** Instances whose hooks run side by side. */
export type HookStage = readonly BuiltInstance[];

/**
 * The order of the start hooks; the end hooks run in its exact reverse. Modules by their distance from the root, the deepest first
 * and global ones before all; inside a module level by level, its class last. Where that would run a hook before that of something
 * it depends on, the dependency comes first.
 */
export function hookStages(graph: ModuleGraph, built: readonly BuiltInstance[]): readonly HookStage[] {
  const byNode = new Map<ProviderNode, BuiltInstance[]>();
  for (const each of withHooks(built)) {
    const known = byNode.get(each.node);
    if (known === undefined) byNode.set(each.node, [each]);
    else known.push(each);
  }
  const placed = new Set<ProviderNode>();
  const isFirst = isFirstOfItsInstance();
  return modulesInOrder(graph)
    .flatMap(stagesOf)
    .flatMap((stage) =>
      withDependencies(
        stage.filter((node) => byNode.has(node)),
        placed,
      ),
    )
    .map((stage) => stage.flatMap((node) => byNode.get(node) ?? []).filter(isFirst))
    .filter((stage) => stage.length > 0);
}

/** Sets the level of every provider: one more than the highest level among what it asks for. `order` has dependencies first. */
export function assignLevels(order: readonly ProviderNode[]): void {
  for (const node of order) {
    if (node.recipe.kind === 'value' || node.recipe.kind === 'context') continue;
    let highest = 0;
    for (const { target } of node.links) highest = Math.max(highest, target?.level ?? 0);
    node.level = highest + 1;
  }
}

/** Sets how far each module is from the root: the longest import path, leaving out an import that closes a circle. */
export function assignDistances(root: ModuleNode): void {
  const order = modulesTopDown(root);
  const position = new Map(order.map((module, index) => [module, index]));
  root.distance = 1;
  for (const [index, module] of order.entries()) {
    for (const imported of module.imports) {
      const isForward = (position.get(imported) ?? 0) > index;
      if (isForward) imported.distance = Math.max(imported.distance, module.distance + 1);
    }
  }
}

/** Every module before its imports. */
function modulesTopDown(root: ModuleNode): readonly ModuleNode[] {
  const seen = new Set([root]);
  const finished: ModuleNode[] = [];
  const open = [{ module: root, imports: root.imports.values() }];
  for (let visit = open.at(-1); visit !== undefined; visit = open.at(-1)) {
    const next = visit.imports.next();
    if (next.done === true) {
      finished.push(visit.module);
      open.pop();
    } else if (!seen.has(next.value)) {
      seen.add(next.value);
      open.push({ module: next.value, imports: next.value.imports.values() });
    }
  }
  return finished.reverse();
}

function modulesInOrder(graph: ModuleGraph): readonly ModuleNode[] {
  const rank = (module: ModuleNode): number => (module.isGlobal ? Number.MAX_SAFE_INTEGER : module.distance);
  return [graph.core, ...graph.modules].sort((a, b) => rank(b) - rank(a));
}

function stagesOf(module: ModuleNode): readonly (readonly ProviderNode[])[] {
  const [moduleClass, ...providers] = module.nodes;
  const levels = new Map<number, ProviderNode[]>();
  for (const node of providers) {
    const known = levels.get(node.level);
    if (known === undefined) levels.set(node.level, [node]);
    else known.push(node);
  }
  const sorted = [...levels].sort(([a], [b]) => a - b).map(([, nodes]) => nodes);
  return moduleClass === undefined ? sorted : [...sorted, [moduleClass]];
}

/** The stage, after the stages of what it depends on and was not placed yet. */
function withDependencies(stage: readonly ProviderNode[], placed: Set<ProviderNode>): readonly (readonly ProviderNode[])[] {
  const early: ProviderNode[] = [];
  const waiting = [...stage];
  const seen = new Set(stage);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const { target } of node.links) {
      // In a circle one side asks for something that was built after it.
      if (target === undefined || target.level >= node.level || seen.has(target) || placed.has(target)) continue;
      seen.add(target);
      early.push(target);
      waiting.push(target);
    }
  }
  const result: ProviderNode[][] = [];
  for (const node of early.sort((a, b) => a.level - b.level)) {
    if (result.at(-1)?.[0]?.level === node.level) result.at(-1)?.push(node);
    else result.push([node]);
  }
  result.push(stage.filter((node) => !placed.has(node)));
  for (const group of [early, stage]) for (const node of group) placed.add(node);
  return result;
}

const HOOKS = ['onModuleInit', 'onApplicationBootstrap', 'onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'];

function withHooks(built: readonly BuiltInstance[]): readonly BuiltInstance[] {
  return built.filter(({ instance }) => hasHook(instance));
}

// One object under several providers, such as a value that two modules share, has its hooks called once: where the first of them stands.
function isFirstOfItsInstance(): (each: BuiltInstance) => boolean {
  const seen = new Set<unknown>();
  return ({ instance }) => {
    const before = seen.size;
    return seen.add(instance).size > before;
  };
}

function hasHook(instance: unknown): boolean {
  if ((typeof instance !== 'object' && typeof instance !== 'function') || instance === null) return false;
  try {
    return HOOKS.some((hook) => typeof (instance as Record<string, unknown>)[hook] === 'function');
  } catch {
    // A proxy may throw at a name it does not know; then it has no hooks.
    return false;
  }
}
