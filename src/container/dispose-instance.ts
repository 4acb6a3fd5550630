/** Ends an instance: by `Symbol.asyncDispose`, else `Symbol.dispose`, else `onModuleDestroy`. A promise when there is something to wait for. */
export function disposeInstance(instance: unknown): PromiseLike<unknown> | undefined {
  if ((typeof instance !== 'object' || instance === null) && typeof instance !== 'function') return undefined;
  const disposable = instance as Record<PropertyKey, unknown>;
  for (const key of [Symbol.asyncDispose, Symbol.dispose, 'onModuleDestroy']) {
    const end = disposable[key];
    if (typeof end !== 'function') continue;
    const ending: unknown = end.call(instance);
    return ending instanceof Object && 'then' in ending ? (ending as PromiseLike<unknown>) : undefined;
  }
  return undefined;
}
