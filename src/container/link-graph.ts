import type { InjectionToken } from '../contracts/type';
import type { SetupProblem } from '../errors/setup-error';
import type { Dependency } from './dependency';
import { aliasCycle, badDependency, missingMetadata } from './dependency-problems';
import { INQUIRER } from './inquirer';
import type { ModuleGraph } from './module-graph';
import type { Overrides } from './overrides';
import type { Link, ProviderNode } from './module-node';

/** Finds, for every provider, what it asks for. Gives every dependency that nothing visible provides as a problem. */
export function linkGraph(graph: ModuleGraph, overrides: Overrides): readonly SetupProblem[] {
  const linking = new Linking(graph, overrides);
  for (const node of [...graph.nodes()]) linking.link(node);
  return [...linking.metadataProblems, ...linking.problems];
}

/** The same for one provider that stands in no module's list. */
export function linkProvider(node: ProviderNode, graph: ModuleGraph, overrides: Overrides): readonly SetupProblem[] {
  const linking = new Linking(graph, overrides);
  linking.link(node);
  return [...linking.metadataProblems, ...linking.problems];
}

/** What lies behind a `useExisting`; no target where the chain is broken, which was reported where it breaks. */
type Followed = Pick<Link, 'target' | 'aliases'>;

const BROKEN: Followed = { target: undefined, aliases: 0 };

class Linking {
  readonly problems: SetupProblem[] = [];
  readonly metadataProblems: SetupProblem[] = [];
  readonly #followed = new Map<ProviderNode, Followed>();

  constructor(
    private readonly graph: ModuleGraph,
    private readonly overrides: Overrides,
  ) {}

  link(node: ProviderNode): void {
    if (node.recipe.kind === 'alias') node.links = [{ ...this.#follow(node), dependency: node.recipe.of, isInquirer: false }];
    if (node.recipe.kind !== 'class' && node.recipe.kind !== 'factory') return;
    const untyped = node.recipe.dependencies.filter((each) => each.flaw === 'untyped' && !each.isOptional);
    if (untyped.length > 0) this.metadataProblems.push(missingMetadata(node, untyped));
    node.links = node.recipe.dependencies.map((each) => this.#linkOne(node, each));
  }

  #linkOne(node: ProviderNode, dependency: Dependency): Link {
    const isInquirer = dependency.token === INQUIRER;
    const found = isInquirer ? undefined : this.#find(node, dependency.token);
    if (found !== undefined) {
      const { target, aliases } = this.#follow(found);
      return { dependency, target, aliases, isInquirer };
    }
    const mayMiss = isInquirer || dependency.isOptional || dependency.flaw === 'untyped';
    if (!mayMiss) this.problems.push(badDependency(node, dependency, this.graph));
    return { dependency, target: undefined, aliases: 0, isInquirer };
  }

  #find(node: ProviderNode, token: InjectionToken | undefined): ProviderNode | undefined {
    if (token === undefined) return undefined;
    const found = this.graph.find(node.module, token);
    if (found !== undefined) return found;
    const mock = this.overrides.mock(token);
    return mock === undefined ? undefined : this.graph.addGlobalValue(token, mock);
  }

  #follow(start: ProviderNode): Followed {
    if (start.recipe.kind !== 'alias') return { target: start, aliases: 0 };
    const path = new Set<ProviderNode>();
    let node = start;
    while (node.recipe.kind === 'alias' && !this.#followed.has(node)) {
      path.add(node);
      const next = this.#find(node, node.recipe.of.token);
      if (next === undefined) this.problems.push(badDependency(node, node.recipe.of, this.graph));
      else if (path.has(next)) this.problems.push(aliasCycle([...path], next));
      if (next === undefined || path.has(next)) return this.#remember([...path], BROKEN);
      node = next;
    }
    return this.#remember([...path], this.#followed.get(node) ?? { target: node, aliases: 0 });
  }

  #remember(path: readonly ProviderNode[], end: Followed): Followed {
    for (const [index, node] of path.entries()) {
      this.#followed.set(node, end.target === undefined ? BROKEN : { target: end.target, aliases: end.aliases + path.length - index });
    }
    return end.target === undefined ? BROKEN : { target: end.target, aliases: end.aliases + path.length };
  }
}
