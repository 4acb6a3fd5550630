import type { McpContext } from '../contracts/mcp-context';
import type { HandlerTarget } from '../contracts/tool';
import type { Core } from './compile-pipeline';

/** Calls the handler with checked input. */
export type Handle = Core['handle'];

/** What a handler is called with. */
export type HandlerArguments = (input: never, context: McpContext) => readonly unknown[];

const INPUT_AND_CONTEXT: HandlerArguments = (input, context) => [input, context];

/** Calls a provider's method, on the singleton or on the instance of the operation. */
export function callTarget(target: HandlerTarget, argumentsOf = INPUT_AND_CONTEXT): Handle {
  const { provider, method } = target;
  // Whether it lives for one operation is settled once the graph is linked, and handlers are compiled after that.
  if (!provider.isRequestScoped)
    return (input, { execution }) => callMethod(provider.get(), method, argumentsOf(input as never, execution.switchToMcp().context));
  return async (input, { execution, scope }) =>
    callMethod(await provider.get(scope), method, argumentsOf(input as never, execution.switchToMcp().context));
}

/** Calls a function that was registered at run time. */
export function callFunction(run: (...args: never[]) => unknown, argumentsOf = INPUT_AND_CONTEXT): Handle {
  return (input, { execution }) => run(...(argumentsOf(input as never, execution.switchToMcp().context) as never[]));
}

/** Looked up at the call, so that a proxy or a subclass's method is what runs. */
function callMethod(instance: unknown, method: PropertyKey, args: readonly unknown[]): unknown {
  return (instance as Record<PropertyKey, (...args: readonly unknown[]) => unknown>)[method]?.(...args);
}
