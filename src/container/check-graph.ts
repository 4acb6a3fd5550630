import type { SetupProblem } from '../errors/setup-error';
import { assignScopes } from './assign-scopes';
import { attachEnhancers } from './attach-enhancers';
import { discoverHandlers, type HandlerDiscovery } from './discover-handlers';
import { assignDistances, assignLevels } from './hook-order';
import { linkGraph } from './link-graph';
import type { ModuleGraph } from './module-graph';
import { orderGraph } from './order-graph';
import type { Overrides } from './overrides';
import type { ProviderNode } from './module-node';
import type { ScanResult } from './scan-modules';

/** A graph whose providers are linked, and everything that is wrong with it. */
export interface CheckedGraph {
  readonly graph: ModuleGraph;
  /** Causes before their consequences: lists, metadata, dependencies, circles, scopes, handlers. */
  readonly problems: readonly SetupProblem[];
  /** Every provider but aliases, dependencies first. To be relied on only when there are no problems. */
  readonly order: readonly ProviderNode[];
  /** What classes declare; what instances add is known after the build. */
  readonly discovered: HandlerDiscovery;
}

/** Links the providers of a scanned graph and checks it. */
export function checkGraph({ graph, problems }: ScanResult, overrides: Overrides): CheckedGraph {
  const unattached = attachEnhancers(graph, overrides);
  const unlinked = linkGraph(graph, overrides);
  const nodes = graph.nodes().filter((node) => node.recipe.kind !== 'alias');
  const sorted = orderGraph(nodes);
  const captive = assignScopes(nodes);
  assignLevels(sorted.order);
  if (graph.root !== undefined) assignDistances(graph.root);
  const discovered = discoverHandlers(graph);
  const all = [...problems, ...unattached, ...unlinked, ...sorted.problems, ...captive, ...discovered.problems];
  return { graph, order: sorted.order, discovered, problems: all };
}
