import { Scope } from '../contracts/scope';
import type { SetupProblem } from '../errors/setup-error';
import { dependencyCycle } from './scope-problems';
import type { Link, ProviderNode } from './module-node';

/** The order in which everything can be built, and the circles that nothing breaks. */
export interface GraphOrder {
  /** Dependencies first. Complete only when there are no problems. */
  readonly order: readonly ProviderNode[];
  readonly problems: readonly SetupProblem[];
}

/**
 * Sorts the providers so that dependencies come first. A circle is broken at a `forwardRef()` to a class, whose instance can be
 * made before its constructor runs; a circle without one is a problem, given with its path. `nodes` has no aliases.
 */
export function orderGraph(nodes: readonly ProviderNode[]): GraphOrder {
  // Most graphs have no circles at all, and then neither do their components.
  const sorted = sortGraph(nodes);
  const ordered = sorted === undefined ? orderComponents(nodes) : { order: sorted, problems: [] };
  for (const [index, node] of ordered.order.entries()) node.position = index;
  return ordered;
}

/** Depth-first order; nothing when there is a circle, whoever may break it. */
function sortGraph(nodes: readonly ProviderNode[]): readonly ProviderNode[] | undefined {
  const order: ProviderNode[] = [];
  const entered = new Set<ProviderNode>();
  const done = new Set<ProviderNode>();
  for (const root of nodes) {
    if (entered.has(root)) continue;
    entered.add(root);
    const path: Visit[] = [{ node: root, next: 0 }];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const target = nextTarget(visit);
      if (target === undefined) {
        done.add(visit.node);
        order.push(visit.node);
        path.pop();
      } else if (!entered.has(target)) {
        entered.add(target);
        path.push({ node: target, next: 0 });
      } else if (!done.has(target)) return undefined;
    }
  }
  return order;
}

function orderComponents(nodes: readonly ProviderNode[]): GraphOrder {
  const order: ProviderNode[] = [];
  const problems: SetupProblem[] = [];
  for (const component of strongComponents(nodes)) {
    const members = new Set(component);
    const sorted = sortComponent(component, members);
    if (sorted.cycle !== undefined) problems.push(dependencyCycle(sorted.cycle));
    for (const node of sorted.order) order.push(node);
  }
  return { order, problems };
}

/** True where the target may be built after the consumer: its instance is made from the prototype and completed later. */
export function canBeDeferred(link: Link): boolean {
  return link.dependency.isForward && link.target?.recipe.kind === 'class' && link.target.scope !== Scope.TRANSIENT;
}

interface Visit {
  readonly node: ProviderNode;
  next: number;
}

/** Tarjan's algorithm without recursion: groups that reach each other, dependencies first. */
function strongComponents(nodes: readonly ProviderNode[]): readonly (readonly ProviderNode[])[] {
  const components: ProviderNode[][] = [];
  const index = new Map<ProviderNode, number>();
  const low = new Map<ProviderNode, number>();
  const pending: ProviderNode[] = [];
  const isPending = new Set<ProviderNode>();
  const at = (map: Map<ProviderNode, number>, node: ProviderNode): number => map.get(node) ?? 0;
  const enter = (node: ProviderNode): Visit => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    pending.push(node);
    isPending.add(node);
    return { node, next: 0 };
  };
  const leave = ({ node }: Visit, parent: Visit | undefined): void => {
    if (parent !== undefined) low.set(parent.node, Math.min(at(low, parent.node), at(low, node)));
    if (at(low, node) !== at(index, node)) return;
    const component = pending.splice(pending.lastIndexOf(node));
    for (const each of component) isPending.delete(each);
    components.push(component);
  };
  for (const root of nodes) {
    if (index.has(root)) continue;
    const path = [enter(root)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const target = nextTarget(visit);
      if (target === undefined) leave(visit, (path.pop(), path.at(-1)));
      else if (!index.has(target)) path.push(enter(target));
      else if (isPending.has(target)) low.set(visit.node, Math.min(at(low, visit.node), at(index, target)));
    }
  }
  return components;
}

function nextTarget(visit: Visit): ProviderNode | undefined {
  while (visit.next < visit.node.links.length) {
    const target = visit.node.links[visit.next]?.target;
    visit.next += 1;
    if (target !== undefined) return target;
  }
  return undefined;
}

/** Depth-first order inside a component, leaving out what can be deferred; `cycle` is the first circle met. */
function sortComponent(
  component: readonly ProviderNode[],
  members: ReadonlySet<ProviderNode>,
): { readonly order: readonly ProviderNode[]; readonly cycle?: readonly ProviderNode[] } {
  const order: ProviderNode[] = [];
  const state = new Map<ProviderNode, 'open' | 'done'>();
  for (const root of component) {
    if (state.has(root)) continue;
    const path: Visit[] = [{ node: root, next: 0 }];
    state.set(root, 'open');
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const link = visit.node.links[visit.next];
      visit.next += 1;
      if (link === undefined) {
        state.set(visit.node, 'done');
        order.push(visit.node);
        path.pop();
      } else if (link.target !== undefined && members.has(link.target) && !canBeDeferred(link)) {
        const seen = state.get(link.target);
        if (seen === 'open') return { order, cycle: circle(path, link.target) };
        if (seen === 'done') continue;
        state.set(link.target, 'open');
        path.push({ node: link.target, next: 0 });
      }
    }
  }
  return { order };
}

function circle(path: readonly Visit[], back: ProviderNode): readonly ProviderNode[] {
  const start = path.findIndex((each) => each.node === back);
  return [...path.slice(start).map((each) => each.node), back];
}
