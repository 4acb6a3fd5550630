import type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
  OnModuleInit,
} from '../contracts/lifecycle';

/** The hooks that run when an application starts, and those that run when it ends. */
export type StartHook = keyof OnModuleInit | keyof OnApplicationBootstrap;
export type EndHook = keyof OnModuleDestroy | keyof BeforeApplicationShutdown | keyof OnApplicationShutdown;

type HookMethod = (this: unknown, ...args: unknown[]) => unknown;
type Hooked = Partial<Record<StartHook | EndHook, unknown>>;

// Each by its own name: among instances of a thousand classes, a lookup by a name in a variable costs several times as much.
const HOOK_METHODS: Readonly<Record<StartHook | EndHook, (instance: Hooked) => unknown>> = {
  onModuleInit: (instance) => instance.onModuleInit,
  onApplicationBootstrap: (instance) => instance.onApplicationBootstrap,
  onModuleDestroy: (instance) => instance.onModuleDestroy,
  beforeApplicationShutdown: (instance) => instance.beforeApplicationShutdown,
  onApplicationShutdown: (instance) => instance.onApplicationShutdown,
};

const ALL = Object.values(HOOK_METHODS);

/** A hook of an instance, where it has one. Throws what a getter or a proxy throws. */
export function hookMethod(instance: object, hook: StartHook | EndHook): HookMethod | undefined {
  const method = HOOK_METHODS[hook](instance);
  return typeof method === 'function' ? (method as HookMethod) : undefined;
}

/** True for what has any of the hooks. */
export function hasHooks(instance: unknown): instance is object {
  if ((typeof instance !== 'object' && typeof instance !== 'function') || instance === null) return false;
  try {
    return ALL.some((read) => typeof read(instance) === 'function');
  } catch {
    // A proxy may throw at a name it does not know; then it has no hooks.
    return false;
  }
}
