import type { Container } from '../container/container';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '../contracts/app-tokens';
import { ENHANCER_METHODS, type EnhancerKind, type FilterReference } from '../contracts/enhancers';
import type { ProviderReference } from '../contracts/provider';
import type { Type } from '../contracts/type';
import { caughtBy } from '../decorators/metadata';
import type { SetupProblem } from '../errors/setup-error';
import type { GlobalEnhancers } from '../invocation/global-enhancers';

/** Adds what the modules provide under `APP_…`, once everything is built. What is not an enhancer comes back as a problem. */
export function collectGlobals(container: Container, globals: GlobalEnhancers): SetupProblem[] {
  const add = (kind: EnhancerKind, token: symbol): SetupProblem[] => {
    const found = container.references(token);
    const wrong = found.filter((each) => !each.isRequestScoped && !isEnhancer(kind, each.get()));
    if (wrong.length > 0) return wrong.map((each) => notOne(kind, each.name));
    if (kind === 'filters') globals.add(kind, found.map(providedFilter));
    else globals.add(kind, found);
    return [];
  };
  return [...add('guards', APP_GUARD), ...add('pipes', APP_PIPE), ...add('interceptors', APP_INTERCEPTOR), ...add('filters', APP_FILTER)];
}

/** Adds instances that the program made itself. Throws a `TypeError` for one that is not an enhancer. */
export function addInstances(globals: GlobalEnhancers, kind: EnhancerKind, instances: readonly object[]): void {
  const wrong = instances.find((each) => !isEnhancer(kind, each));
  if (wrong !== undefined || instances.length === 0) throw new TypeError(`Global ${kind} are instances with ${ENHANCER_METHODS[kind]}().`);
  const references = instances.map((instance): FilterReference => ({
    name: instance.constructor.name,
    isRequestScoped: false,
    catches: caughtBy(instance.constructor as Type),
    get: () => instance,
  }));
  globals.add(kind, references);
}

function providedFilter(reference: ProviderReference): FilterReference {
  const type = reference.isRequestScoped ? reference.type : ((reference.get() as object).constructor as Type);
  const catches = type === undefined ? [] : caughtBy(type);
  return { name: reference.name, isRequestScoped: reference.isRequestScoped, catches, get: (scope) => reference.get(scope) };
}

function isEnhancer(kind: EnhancerKind, instance: unknown): boolean {
  return (
    typeof instance === 'object' && instance !== null && typeof (instance as Record<string, unknown>)[ENHANCER_METHODS[kind]] === 'function'
  );
}

function notOne(kind: EnhancerKind, name: string): SetupProblem {
  return {
    code: 'MCP_ENHANCER_INVALID',
    problem: `${name}, provided as one of the global ${kind}, has no method ${ENHANCER_METHODS[kind]}().`,
    where: name,
    fix: `Provide a class or an instance with ${ENHANCER_METHODS[kind]}().`,
  };
}
