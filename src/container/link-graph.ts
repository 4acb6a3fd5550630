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
  for (const node of graph.nodes()) linking.link(node);
  return [...linking.metadataProblems, ...linking.problems];
}

/** The same for one provider that stands in no module's list. */
export function linkProvider(node: ProviderNode, graph: ModuleGraph, overrides: Overrides): readonly SetupProblem[] {
  const linking = new Linking(graph, overrides);
  linking.link(node);
  return [...linking.metadataProblems, ...linking.problems];
}

class Linking {
  readonly problems: SetupProblem[] = [];
  readonly metadataProblems: SetupProblem[] = [];
  /** What lies behind each alias; `undefined` where the chain is broken, which was reported where it breaks. */
  readonly #followed = new Map<ProviderNode, ProviderNode | undefined>();

  constructor(
    private readonly graph: ModuleGraph,
    private readonly overrides: Overrides,
  ) {}

  link(node: ProviderNode): void {
    const { recipe } = node;
    if (recipe.kind === 'alias') node.links = [{ dependency: recipe.of, target: this.#follow(node), isInquirer: false }];
    if ((recipe.kind !== 'class' && recipe.kind !== 'factory') || recipe.dependencies.length === 0) return;
    if (recipe.dependencies.some(isUntyped)) this.metadataProblems.push(missingMetadata(node, recipe.dependencies.filter(isUntyped)));
    node.links = recipe.dependencies.map((each) => this.#linkOne(node, each));
  }

  #linkOne(node: ProviderNode, dependency: Dependency): Link {
    const isInquirer = dependency.token === INQUIRER;
    const found = isInquirer ? undefined : this.#find(node, dependency.token);
    if (found !== undefined) return { dependency, target: this.#follow(found), isInquirer };
    const mayMiss = isInquirer || dependency.isOptional || dependency.flaw === 'untyped';
    if (!mayMiss) this.problems.push(badDependency(node, dependency, this.graph));
    return { dependency, target: undefined, isInquirer };
  }

  #find(node: ProviderNode, token: InjectionToken | undefined): ProviderNode | undefined {
    if (token === undefined) return undefined;
    const found = this.graph.find(node.module, token);
    if (found !== undefined) return found;
    const mock = this.overrides.mock(token);
    return mock === undefined ? undefined : this.graph.addGlobalValue(token, mock);
  }

  #follow(start: ProviderNode): ProviderNode | undefined {
    if (start.recipe.kind !== 'alias') return start;
    const path = new Set<ProviderNode>();
    let node = start;
    while (node.recipe.kind === 'alias' && !this.#followed.has(node)) {
      path.add(node);
      const next = this.#find(node, node.recipe.of.token);
      if (next === undefined) this.problems.push(badDependency(node, node.recipe.of, this.graph));
      else if (path.has(next)) this.problems.push(aliasCycle([...path], next));
      if (next === undefined || path.has(next)) return this.#remember(path, undefined);
      node = next;
    }
    return this.#remember(path, this.#followed.has(node) ? this.#followed.get(node) : node);
  }

  #remember(path: Iterable<ProviderNode>, end: ProviderNode | undefined): ProviderNode | undefined {
    for (const node of path) this.#followed.set(node, end);
    return end;
  }
}

function isUntyped({ flaw, isOptional }: Dependency): boolean {
  return flaw === 'untyped' && !isOptional;
}
