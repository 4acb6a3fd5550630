import type { BuiltInstance } from './build-graph';
import { hasHooks } from './hook-methods';
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
  const byNode = groupByNode(built.filter(({ instance }) => hasHooks(instance)));
  const placing: Placing = { stages: [], placed: new Set() };
  for (const module of modulesInOrder(graph)) {
    for (const stage of stagesOf(module.nodes.filter((node) => byNode.has(node)))) place(stage, placing);
  }
  const seen = new Set<unknown>();
  // One object under several providers, such as a value that two modules share, has its hooks called once: where the first of them stands.
  const isFirst = ({ instance }: BuiltInstance): boolean => !seen.has(instance) && seen.add(instance).size > 0;
  return placing.stages.flatMap((stage) => {
    const instances = stage.flatMap((node) => byNode.get(node) ?? []).filter(isFirst);
    return instances.length === 0 ? [] : [instances];
  });
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

/** The providers of one module level by level, its class last. */
function stagesOf(nodes: readonly ProviderNode[]): readonly (readonly ProviderNode[])[] {
  const [first] = nodes;
  const hasClass = first !== undefined && first === first.module.nodes[0];
  const stages = byLevel(hasClass ? nodes.slice(1) : nodes);
  return hasClass ? [...stages, [first]] : stages;
}

function byLevel(nodes: readonly ProviderNode[]): readonly (readonly ProviderNode[])[] {
  const stages: ProviderNode[][] = [];
  let last: ProviderNode[] = [];
  for (const node of [...nodes].sort((a, b) => a.level - b.level)) {
    if (last[0]?.level !== node.level) stages.push((last = []));
    last.push(node);
  }
  return stages;
}

interface Placing {
  readonly stages: (readonly ProviderNode[])[];
  readonly placed: Set<ProviderNode>;
}

/** Adds the stage, after the stages of what it depends on and was not placed yet. */
function place(stage: readonly ProviderNode[], { stages, placed }: Placing): void {
  const early = unplacedBelow(stage, placed);
  for (const group of byLevel(early)) stages.push(group);
  for (const node of early) placed.add(node);
  stages.push(stage.filter((node) => !placed.has(node)));
  for (const node of stage) placed.add(node);
}

function unplacedBelow(stage: readonly ProviderNode[], placed: ReadonlySet<ProviderNode>): readonly ProviderNode[] {
  const found = new Set<ProviderNode>();
  const waiting = [...stage];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const { target } of node.links) {
      // In a circle one side asks for something that was built after it; what stands in the stage itself is on its level.
      if (target === undefined || target.level >= node.level || placed.has(target) || found.has(target)) continue;
      found.add(target);
      waiting.push(target);
    }
  }
  return [...found];
}

function groupByNode(built: readonly BuiltInstance[]): ReadonlyMap<ProviderNode, readonly BuiltInstance[]> {
  const groups = new Map<ProviderNode, BuiltInstance[]>();
  for (const each of built) {
    const known = groups.get(each.node);
    if (known === undefined) groups.set(each.node, [each]);
    else known.push(each);
  }
  return groups;
}
