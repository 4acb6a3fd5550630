import type { SetupProblem } from '../errors/setup-error';
import type { ProviderNode } from './module-node';
import { captiveDependency } from './scope-problems';

/**
 * Carries request scope from the providers that declare it to those that need them: transient providers, classes with tools and
 * enhancers become request-scoped by themselves, and any other singleton is a problem. `nodes` has no aliases.
 */
export function assignScopes(nodes: readonly ProviderNode[]): readonly SetupProblem[] {
  // Most applications have nothing that lives for one operation.
  if (!nodes.some((node) => node.links.some(({ target }) => target?.isRequestScoped === true))) return [];
  const consumers = consumersOf(nodes);
  const captives = new Map<ProviderNode, ProviderNode>();
  const waiting = nodes.filter((node) => node.isRequestScoped);
  // The list grows while it is walked: what becomes request-scoped passes it on.
  for (const scoped of waiting) {
    for (const consumer of consumers.get(scoped) ?? []) {
      if (consumer.isRequestScoped || captives.has(consumer)) continue;
      if (!consumer.isTransient && !consumer.mayLift) {
        captives.set(consumer, scoped);
        continue;
      }
      consumer.isRequestScoped = true;
      consumer.scopedBy = scoped;
      waiting.push(consumer);
    }
  }
  return nodes.flatMap((node) => {
    const scoped = captives.get(node);
    return scoped === undefined ? [] : [captiveDependency(node, scoped)];
  });
}

function consumersOf(nodes: readonly ProviderNode[]): ReadonlyMap<ProviderNode, readonly ProviderNode[]> {
  const consumers = new Map<ProviderNode, ProviderNode[]>();
  for (const node of nodes) {
    for (const { target } of node.links) {
      if (target === undefined) continue;
      const known = consumers.get(target);
      if (known === undefined) consumers.set(target, [node]);
      else known.push(node);
    }
  }
  return consumers;
}
