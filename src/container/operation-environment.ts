import type { LoggerService } from '../contracts/logger';
import { McpContext } from '../contracts/mcp-context';
import { handlerDeclarations } from '../decorators/metadata';
import type { CheckedGraph } from './check-graph';
import { disposeInstance } from './dispose-instance';
import { classOf } from './class-of';
import { unitsBelow, type OperationEnvironment, type OperationUnit } from './operation-scope';
import type { ProviderNode } from './module-node';
import { withinLimit } from './within-limit';

/** How long the end of one instance may take, and where a failure goes. */
export interface DisposalOptions {
  readonly logger: LoggerService;
  readonly limitMs: number;
}

/** Prepares what the operations of an application share; how to build a provider is worked out when it is first asked for. */
export function operationEnvironment({ graph, order }: CheckedGraph, { logger, limitMs }: DisposalOptions): OperationEnvironment {
  const units = new WeakMap<ProviderNode, readonly OperationUnit[]>();
  let singletons: ReadonlySet<unknown> | undefined;
  // A factory of request scope may hand out something that lives longer than the operation.
  const isSingleton = (instance: unknown): boolean => (singletons ??= new Set(order.map((node) => node.instance))).has(instance);
  const log = (node: ProviderNode, error: unknown): void =>
    logger.error(`Could not end an instance of ${node.name} after its operation`, error);
  return {
    contextNode: graph.core.providers.get(McpContext) as ProviderNode,
    unitsOf(node) {
      const known = units.get(node);
      if (known !== undefined) return known;
      const found = unitsBelow(node);
      units.set(node, found);
      return found;
    },
    notice: warnOfHiddenHandlers(logger),
    dispose(node, instance) {
      if (node.recipe.kind === 'factory' && isSingleton(instance)) return undefined;
      try {
        const ending = disposeInstance(instance);
        return ending === undefined ? undefined : withinLimit(ending, limitMs).catch((error: unknown) => log(node, error));
      } catch (error) {
        log(node, error);
        return undefined;
      }
    },
  };
}

/** The handlers of what a request-scoped factory makes are known too late to be listed, unless its token is the class. */
function warnOfHiddenHandlers(logger: LoggerService): OperationEnvironment['notice'] {
  const seen = new WeakSet<ProviderNode>();
  return (node, instance) => {
    if (node.recipe.kind !== 'factory' || seen.has(node)) return;
    seen.add(node);
    const type = classOf(instance);
    if (type === undefined || node.definition.handlers.length > 0 || handlerDeclarations(type).length === 0) return;
    logger.warn(
      `${node.name} gives an instance of ${type.name}, whose tools, resources and prompts are not listed. Provide it under its class: { provide: ${type.name}, … }.`,
    );
  };
}
