import type { SetupProblem } from '../errors/setup-error';
import type { ProviderNode } from './module-node';

// A path through thousands of providers helps nobody.
const MAX_NAMES = 20;

/** Providers that depend on each other in a circle; `circle` ends with the one it starts with. */
export function dependencyCycle(circle: readonly ProviderNode[]): SetupProblem {
  const [first] = circle;
  const name = first?.name ?? '';
  const modules = [...new Set(circle.map((node) => node.module.name))];
  const byFactory = circle.find((node) => node.recipe.kind === 'factory');
  const transient = circle.every((node) => node.isTransient);
  return {
    code: 'MCP_DEPENDENCY_CYCLE',
    problem: `A circular dependency has been detected inside ${modules.slice(0, 3).join(', ')}: ${describePath(circle.map((node) => node.name))}.`,
    where: `${name} in ${first?.module.name ?? ''}`,
    fix: [
      'Move what both sides need into a third provider.',
      byFactory === undefined
        ? 'Decorate the parameter on each side with @Inject(forwardRef(() => SomeService)).'
        : `Circles through a factory (${byFactory.name}) cannot be broken with forwardRef(); make it a class, or get the other side from ModuleRef later.`,
      ...(transient ? ['Make one of them a singleton: every transient provider would need a new one of the next, without end.'] : []),
    ].join('\n'),
  };
}

/** A singleton that would keep the instances of the first operation for ever. */
export function captiveDependency(singleton: ProviderNode, scoped: ProviderNode): SetupProblem {
  const chain: ProviderNode[] = [scoped];
  for (let node = scoped.scopedBy; node !== undefined; node = node.scopedBy) chain.push(node);
  const last = chain.at(-1) ?? scoped;
  const scope = last.recipe.kind === 'context' ? 'which is the operation itself' : 'which is request-scoped';
  return {
    code: 'MCP_DEPENDENCY_CAPTIVE',
    problem: `The singleton ${singleton.name} depends on something that lives for one operation: ${describePath([singleton, ...chain].map((node) => node.name))}, ${scope}.`,
    where: `${singleton.name} in ${singleton.module.name}`,
    fix: [
      singleton.recipe.kind === 'factory'
        ? `Give the provider ${singleton.name} scope: Scope.REQUEST.`
        : `Decorate ${singleton.name} with @Injectable({ scope: Scope.REQUEST }).`,
      `Or let it take ${scoped.name} as an argument of its methods instead of in its constructor.`,
    ].join('\n'),
  };
}

/** Names with arrows between them; the middle of a very long path is left out. */
export function describePath(names: readonly string[]): string {
  if (names.length <= MAX_NAMES) return names.join(' -> ');
  const half = MAX_NAMES / 2;
  return [...names.slice(0, half), `… ${names.length - MAX_NAMES} more …`, ...names.slice(-half)].join(' -> ');
}
