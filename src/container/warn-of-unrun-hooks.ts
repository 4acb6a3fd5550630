import type { LoggerService } from '../contracts/logger';
import type { ProviderNode } from './module-node';

const START_HOOKS = ['onModuleInit', 'onApplicationBootstrap'];

/** Says which start hooks will never run: those of a class that lives for one operation, most of all one that became so by what it needs. */
export function warnOfUnrunHooks(nodes: Iterable<ProviderNode>, logger: LoggerService): void {
  for (const node of nodes) {
    if (!node.isRequestScoped || node.recipe.kind !== 'class') continue;
    const prototype = node.recipe.type.prototype as Record<string, unknown>;
    const hook = START_HOOKS.find((each) => typeof prototype[each] === 'function');
    if (hook === undefined) continue;
    const why = node.scopedBy === undefined ? '' : `, because it needs ${node.scopedBy.name}`;
    logger.warn(`${node.name}.${hook}() is never called: ${node.name} lives for one operation${why}. Move the hook to a singleton.`);
  }
}
