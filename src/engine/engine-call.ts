import type { EngineCall, EngineLike } from '../contracts/engine';
import type { McpContext } from '../contracts/mcp-context';
import type { PolicyQuestions } from '../contracts/policy-questions';
import { MissingCapabilityError } from '../errors/engine-errors';
import type { EngineFacts } from './engine-facts';

/** What every call of an engine is given, shared by all of them and never changed. */
export type BaseContext = Readonly<Record<string, unknown>>;

/** Compiles the call of an engine: the context it expects, made anew for each call from the shared base context. */
export function engineRun(engine: EngineLike, facts: EngineFacts, base: BaseContext = {}): EngineCall['run'] {
  const { id } = facts;
  return (input, context) => {
    mustBeCapable(facts, base['provider']);
    const request = { strategy: id, input };
    // What an engine may use and need not know. The base context was written for the engine, so its fields win.
    const callContext =
      context === undefined
        ? { ...base, request }
        : { signal: context.signal, progress: progressOf(context), policy: questionsOf(context), ...base, request };
    return (engine.execute as (context: object) => unknown)(callContext);
  };
}

/** Throws `MissingCapabilityError` for the first capability that the provider lacks. */
export function mustBeCapable({ id, requiredCapabilities }: Pick<EngineFacts, 'id' | 'requiredCapabilities'>, provider: unknown): void {
  if (requiredCapabilities.length === 0) return;
  const missing = requiredCapabilities.find((capability) => !has(provider, capability));
  if (missing !== undefined) throw new MissingCapabilityError(id, missing);
}

/** Engines take it out of their context and call it. */
function progressOf(context: McpContext): McpContext['progress'] {
  return (...args) => context.progress(...args);
}

/** Only the questions: an engine is not handed the rest of the context. */
function questionsOf(context: McpContext): PolicyQuestions {
  return {
    enforced: context.enforced,
    allowsFsRead: (path) => context.allowsFsRead(path),
    allowsFsWrite: (path) => context.allowsFsWrite(path),
    allowsNetwork: (hostOrUrl) => context.allowsNetwork(hostOrUrl),
    allowsSocket: (path) => context.allowsSocket(path),
  };
}

/** `capabilities` of a provider is a list, a set, or an object whose `true` fields count. */
function has(provider: unknown, capability: string): boolean {
  const capabilities: unknown = (provider as { capabilities?: unknown } | null | undefined)?.capabilities;
  if (Array.isArray(capabilities)) return capabilities.includes(capability);
  if (capabilities instanceof Set) return capabilities.has(capability);
  if (typeof capabilities !== 'object' || capabilities === null) return false;
  return Object.hasOwn(capabilities, capability) && (capabilities as Record<string, unknown>)[capability] === true;
}
