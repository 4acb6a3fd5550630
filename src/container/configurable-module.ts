import type { DynamicModule, FactoryDependency, ModuleMetadata, Provider } from '../contracts/provider';
import type { InjectionToken, Type } from '../contracts/type';
import { readToken } from './read-token';

/** Where a module made with the asynchronous method takes its options from: one of `useFactory`, `useClass` and `useExisting`. */
export interface ConfigurableModuleAsyncOptions<O, F extends string = 'create'> extends Pick<ModuleMetadata, 'imports'> {
  readonly useFactory?: (...args: any[]) => O | Promise<O>;
  readonly inject?: readonly FactoryDependency[];
  /** A class that is built inside the module and asked for the options. */
  readonly useClass?: Type<Record<F, () => O | Promise<O>>>;
  /** A provider of an imported module that is asked for the options. */
  readonly useExisting?: Type<Record<F, () => O | Promise<O>>>;
  /** Providers of the caller's own module; those that `inject` needs are provided inside the module too. */
  readonly provideInjectionTokensFrom?: readonly Provider[];
}

/** The class to extend: it has the two static methods. */
export type ConfigurableModuleClass<O, M extends string, F extends string, E> = (new () => object) &
  Record<M, (options: O & Partial<E>) => DynamicModule> &
  Record<`${M}Async`, (options: ConfigurableModuleAsyncOptions<O, F> & Partial<E>) => DynamicModule>;

/** What {@link ConfigurableModuleBuilder.build} gives. */
export interface ConfigurableModuleHost<O, M extends string, F extends string, E> {
  readonly ConfigurableModuleClass: ConfigurableModuleClass<O, M, F, E>;
  /** The token of the options inside the module. */
  readonly MODULE_OPTIONS_TOKEN: string | symbol;
  /** Only for `typeof`; there is nothing to read at run time. */
  readonly OPTIONS_TYPE: O & Partial<E>;
  /** Only for `typeof`; there is nothing to read at run time. */
  readonly ASYNC_OPTIONS_TYPE: ConfigurableModuleAsyncOptions<O, F> & Partial<E>;
}

/** Names for what the builder makes. */
export interface ConfigurableModuleBuilderOptions {
  /** Names the options token: `Http` gives `HTTP_MODULE_OPTIONS`. Without it the token is a symbol. */
  readonly moduleName?: string;
  readonly optionsInjectionToken?: string | symbol;
  /** Accepted as in NestJS. Each call of the static methods makes a module of its own, with or without it. */
  readonly alwaysTransient?: boolean;
}

type Transform<E> = (definition: DynamicModule, extras: E) => DynamicModule;

interface Blueprint {
  readonly options: ConfigurableModuleBuilderOptions;
  readonly method: string;
  readonly factoryMethod: string;
  readonly extras: object;
  readonly transform: Transform<never>;
}

const ASYNC_KEYS: ReadonlySet<string> = new Set([
  'imports',
  'useFactory',
  'inject',
  'useClass',
  'useExisting',
  'provideInjectionTokensFrom',
]);

/**
 * Writes the static methods of a module that takes options, such as `register()` and `registerAsync()`. Extend the class that `build()`
 * gives, and inject the options with its token.
 */
export class ConfigurableModuleBuilder<O, M extends string = 'register', F extends string = 'create', E extends object = object> {
  readonly #blueprint: Blueprint;

  constructor(options: ConfigurableModuleBuilderOptions = {}, blueprint?: Blueprint) {
    this.#blueprint = blueprint ?? {
      options,
      method: 'register',
      factoryMethod: 'create',
      extras: {},
      transform: (definition) => definition,
    };
  }

  /** Names the static method; the asynchronous one has `Async` after it. */
  setClassMethodName<N extends string>(method: N): ConfigurableModuleBuilder<O, N, F, E> {
    return new ConfigurableModuleBuilder(this.#blueprint.options, { ...this.#blueprint, method });
  }

  /** Names the method that a class given as `useClass` or `useExisting` has. */
  setFactoryMethodName<N extends string>(factoryMethod: N): ConfigurableModuleBuilder<O, M, N, E> {
    return new ConfigurableModuleBuilder(this.#blueprint.options, { ...this.#blueprint, factoryMethod });
  }

  /** Adds options about the module itself, with their defaults. They are kept out of the injected options and given to `transform`. */
  setExtras<X extends object>(extras: X, transform: Transform<X> = (definition) => definition): ConfigurableModuleBuilder<O, M, F, X> {
    return new ConfigurableModuleBuilder(this.#blueprint.options, { ...this.#blueprint, extras, transform });
  }

  build(): ConfigurableModuleHost<O, M, F, E> {
    const { moduleName, optionsInjectionToken } = this.#blueprint.options;
    const token =
      optionsInjectionToken ?? (moduleName === undefined ? Symbol('MODULE_OPTIONS') : `${snakeCase(moduleName)}_MODULE_OPTIONS`);
    return {
      ConfigurableModuleClass: configurableClass(this.#blueprint, token) as ConfigurableModuleClass<O, M, F, E>,
      MODULE_OPTIONS_TOKEN: token,
      OPTIONS_TYPE: typeOnly('OPTIONS_TYPE') as O & Partial<E>,
      ASYNC_OPTIONS_TYPE: typeOnly('ASYNC_OPTIONS_TYPE'),
    };
  }
}

function configurableClass(blueprint: Blueprint, token: string | symbol): Type {
  const transform = blueprint.transform as Transform<object>;
  class ConfigurableModule {}
  Object.defineProperty(ConfigurableModule, blueprint.method, {
    configurable: true,
    value(this: Type, options: object) {
      const definition = {
        module: this,
        providers: [{ provide: token, useValue: without(options, new Set(Object.keys(blueprint.extras))) }],
      };
      return transform(definition, { ...blueprint.extras, ...options });
    },
  });
  Object.defineProperty(ConfigurableModule, `${blueprint.method}Async`, {
    configurable: true,
    value(this: Type, options: ConfigurableModuleAsyncOptions<unknown>) {
      const providers = asyncProviders(options, token, blueprint.factoryMethod);
      return transform(
        { module: this, imports: options.imports ?? [], providers },
        { ...blueprint.extras, ...without(options, ASYNC_KEYS) },
      );
    },
  });
  return ConfigurableModule;
}

function asyncProviders(options: ConfigurableModuleAsyncOptions<unknown>, token: InjectionToken, method: string): readonly Provider[] {
  const { useFactory, useClass, useExisting, inject = [], provideInjectionTokensFrom = [] } = options;
  if (useFactory !== undefined) return [{ provide: token, useFactory, inject }, ...neededFrom(provideInjectionTokensFrom, inject)];
  const source = useExisting ?? useClass;
  if (source === undefined) throw new TypeError('The options of a module need one of "useFactory", "useClass" and "useExisting".');
  const ask = (factory: Record<string, () => unknown>): unknown => factory[method]?.();
  const provider: Provider = { provide: token, useFactory: ask, inject: [source] };
  return useExisting === undefined ? [provider, source] : [provider];
}

/** Those of `providers` that the tokens need, with what these need in their turn. */
function neededFrom(providers: readonly Provider[], tokens: readonly FactoryDependency[]): readonly Provider[] {
  const wanted = new Set(tokens.map((each) => readToken(each, false).token));
  const needed = new Set<Provider>();
  for (const token of wanted) {
    for (const provider of providers) {
      if (tokenOf(provider) !== token) continue;
      needed.add(provider);
      // A set that grows while it is walked is walked to its end.
      for (const each of dependenciesOf(provider)) wanted.add(readToken(each, false).token);
    }
  }
  return [...needed];
}

function tokenOf(provider: Provider): InjectionToken {
  return typeof provider === 'function' ? provider : provider.provide;
}

function dependenciesOf(provider: Provider): readonly FactoryDependency[] {
  if (typeof provider === 'function') return [];
  if ('useExisting' in provider) return [provider.useExisting];
  return 'inject' in provider ? (provider.inject ?? []) : [];
}

function without(options: object, keys: ReadonlySet<string>): object {
  return keys.size === 0 ? options : Object.fromEntries(Object.entries(options).filter(([key]) => !keys.has(key)));
}

function snakeCase(name: string): string {
  return name
    .trim()
    .split(/(?=[A-Z])/)
    .join('_')
    .toUpperCase();
}

function typeOnly(name: string): object {
  const refuse = (): never => {
    throw new TypeError(`${name} is for "typeof" only; it has no value.`);
  };
  return new Proxy({}, { get: refuse });
}
