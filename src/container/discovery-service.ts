import type { Scope } from '../contracts/scope';
import type { InjectionToken, Type } from '../contracts/type';
import type { ModuleGraph } from './module-graph';

/** A provider, as {@link DiscoveryService} lists it. */
export interface DiscoveredProvider {
  readonly token: InjectionToken;
  readonly name: string;
  /** The class, where one is known. */
  readonly metatype: Type | undefined;
  /** The singleton; `undefined` for transient and request-scoped providers, and before the build. */
  readonly instance: unknown;
  readonly scope: Scope;
  readonly isRequestScoped: boolean;
  readonly moduleName: string;
  readonly module: Type;
}

/** Which providers to list. */
export interface DiscoveryOptions {
  /** Only those of these modules. */
  readonly include?: readonly Type[];
  /** Only classes that carry metadata under this key: the `KEY` of a decorator of {@link DiscoveryService.createDecorator}, or any other. */
  readonly metadataKey?: unknown;
}

/** A decorator for classes and methods whose argument {@link DiscoveryService} finds again. */
export interface DiscoverableDecorator<T> {
  (value?: T): ClassDecorator & MethodDecorator;
  readonly KEY: symbol;
}

/** Lists the providers of the application, for a provider that works on others. Injectable in every module. */
export class DiscoveryService {
  readonly #graph: () => ModuleGraph | undefined;

  constructor(graph: () => ModuleGraph | undefined) {
    this.#graph = graph;
  }

  /** Makes a decorator to mark classes and methods with. */
  static createDecorator<T = object>(): DiscoverableDecorator<T> {
    const KEY = Symbol('discoverable');
    const decorator = (value?: T) => (target: object, _method?: PropertyKey, descriptor?: PropertyDescriptor) => {
      Reflect.defineMetadata(KEY, value ?? {}, descriptor === undefined ? target : (descriptor.value as object));
    };
    return Object.assign(decorator, { KEY });
  }

  /** What such a decorator was given on a provider's class, or on one of its methods; `undefined` where it does not stand. */
  getMetadataByDecorator<T>(decorator: DiscoverableDecorator<T>, provider: DiscoveredProvider, method?: PropertyKey): T | undefined {
    const prototype = provider.metatype?.prototype as Record<PropertyKey, unknown> | undefined;
    const target = method === undefined ? provider.metatype : prototype?.[method];
    return typeof target === 'function' ? (Reflect.getMetadata(decorator.KEY, target) as T | undefined) : undefined;
  }

  /** Every provider of every module, aliases left out, in scan order. */
  getProviders(options: DiscoveryOptions = {}): readonly DiscoveredProvider[] {
    const modules = (this.#graph()?.modules ?? []).filter((module) => options.include?.includes(module.type) ?? true);
    const nodes = modules.flatMap((module) => module.nodes.filter((node) => node.recipe.kind !== 'alias'));
    return nodes
      .filter(({ type }) => options.metadataKey === undefined || (type !== undefined && Reflect.hasMetadata(options.metadataKey, type)))
      .map((node) => ({
        token: node.token,
        name: node.name,
        metatype: node.type,
        instance: node.isBuilt ? node.instance : undefined,
        scope: node.scope,
        isRequestScoped: node.isRequestScoped,
        moduleName: node.module.name,
        module: node.module.type,
      }));
  }
}
