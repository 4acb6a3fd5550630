import type { McpContext } from '../contracts/mcp-context';
import type { HandlerTarget } from '../contracts/tool';
import type { Core } from './compile-pipeline';

/** Calls the handler with checked input. */
export type Handle = Core['handle'];

/** Calls a provider's method, on the singleton or on the instance of the operation. */
export function callTarget(target: HandlerTarget): Handle {
  const { provider, method } = target;
  // Whether it lives for one operation is settled once the graph is linked, and handlers are compiled after that.
  if (!provider.isRequestScoped) return (input, { execution }) => callMethod(provider.get(), method, [input, execution.switchToMcp().context]);
  return async (input, { execution, scope }) => callMethod(await provider.get(scope), method, [input, execution.switchToMcp().context]);
}

/** Calls a function that was registered at run time. */
export function callFunction(run: (input: unknown, context: McpContext) => unknown): Handle {
  return (input, { execution }) => run(input, execution.switchToMcp().context);
}

/** Looked up at the call, so that a proxy or a subclass's method is what runs. */
function callMethod(instance: unknown, method: PropertyKey, [input, context]: readonly [unknown, McpContext]): unknown {
  return (instance as Record<PropertyKey, (input: unknown, context: McpContext) => unknown>)[method]?.(input, context);
}
