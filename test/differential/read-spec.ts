import { dependencyOf, type GraphSpec, type ModuleSpec, type ProviderSpec, type ScopeName } from './graph-spec';

/** The token of a provider; nothing for an entry that is none. */
export function tokenOf(spec: ProviderSpec): string | undefined {
  if (typeof spec === 'string') return spec;
  return 'provide' in spec ? spec.provide : undefined;
}

/**
 * Module and token of everything that can be asked for: the class of each module, then its providers. Not an alias of a transient
 * provider: what is got under it is a difference of its own.
 */
export function placesOf(spec: GraphSpec): readonly { readonly module: number; readonly token: string }[] {
  return spec.modules.flatMap((each, module) => {
    const own = typeof each.dynamic === 'number' ? [] : [`module:${module}`];
    const providers = (each.providers ?? []).filter((provider) => !isAliasOfTransient(spec, provider));
    const tokens = new Set([...own, ...providers.flatMap((provider) => tokenOf(provider) ?? [])]);
    return [...tokens].map((token) => ({ module, token }));
  });
}

/** True for a `useExisting` of what is declared transient. */
export function isAliasOfTransient(spec: GraphSpec, provider: ProviderSpec): boolean {
  if (typeof provider === 'string' || !('useExisting' in provider)) return false;
  const places = spec.modules.flatMap((each, module) => (each.providers ?? []).map((target) => ({ module, target })));
  return places.some(
    ({ module, target }) =>
      tokenOf(target) === provider.useExisting && declaredScope(spec, `M${module}/${provider.useExisting}`) === 'TRANSIENT',
  );
}

export function repeatsToken({ providers = [] }: ModuleSpec): boolean {
  return new Set(providers.map(tokenOf)).size < providers.length;
}

/** The scope that the provider at `M<module>/<token>` says it has; `useExisting` has that of its target, whichever that is. */
export function declaredScope(spec: GraphSpec, place: string): ScopeName | undefined {
  const [, module, token] = /^M(\d+)\/(.*)$/.exec(place) ?? [];
  const provider = spec.modules[Number(module)]?.providers?.find((each) => tokenOf(each) === token);
  if (provider === undefined) return 'DEFAULT';
  if (typeof provider === 'string') return spec.classes?.[provider]?.scope ?? 'DEFAULT';
  if ('useExisting' in provider) return undefined;
  const ofClass = 'useClass' in provider ? spec.classes?.[provider.useClass]?.scope : undefined;
  return ('scope' in provider ? provider.scope : undefined) ?? ofClass ?? 'DEFAULT';
}

/** True where a class or factory has itself among its dependencies, in its own module. */
export function asksForItself({ classes = {}, modules }: GraphSpec): boolean {
  const providers = modules.flatMap((each) => each.providers ?? []);
  return providers.some((provider) => {
    const token = tokenOf(provider);
    const type = typeof provider === 'string' ? provider : 'useClass' in provider ? provider.useClass : undefined;
    const built = typeof provider !== 'string' && 'useFactory' in provider ? provider : type === undefined ? {} : (classes[type] ?? {});
    return [...(built.deps ?? []), ...Object.values(built.properties ?? {})].some((each) => dependencyOf(each).token === token);
  });
}

/** True where anything is declared transient. */
export function declaresTransient(spec: GraphSpec): boolean {
  return JSON.stringify(spec).includes('"TRANSIENT"');
}

/** True for a factory that asks for something through `forwardRef()`. */
export function isForwardingFactory(provider: ProviderSpec): boolean {
  if (typeof provider === 'string' || !('useFactory' in provider)) return false;
  return (provider.deps ?? []).some((each) => dependencyOf(each).isForward);
}
