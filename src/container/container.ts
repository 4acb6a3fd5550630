import type { LoggerService } from '../contracts/logger';
import type { McpContext } from '../contracts/mcp-context';
import type { DynamicModule, ModuleImport, ModuleMetadata, Provider, ProviderReference, RequestScope } from '../contracts/provider';
import type { InjectionToken, Type } from '../contracts/type';
import { throwIfAny, type SetupProblem } from '../errors/setup-error';
import { buildGraph } from './build-graph';
import { checkGraph, type CheckedGraph } from './check-graph';
import {
  discoverHandlers,
  type DiscoveredEngine,
  type DiscoveredHandler,
  type DiscoveredIndicator,
  type HandlerDiscovery,
} from './discover-handlers';
import { DiscoveryService } from './discovery-service';
import { hookStages, type HookStage } from './hook-order';
import { Lookup } from './lookup';
import { ModuleRef, type GetOptions } from './module-ref';
import { operationEnvironment } from './operation-environment';
import { OperationScope, type OperationEnvironment } from './operation-scope';
import { Overrides, type OverrideOptions } from './overrides';
import { NotBuiltError } from './provider-errors';
import { runEndHooks, runStartHooks } from './run-hooks';
import { scanModules } from './scan-modules';
import { serveObject, type ServedObject } from './serve-object';
import { warnOfUnrunHooks } from './warn-of-unrun-hooks';

/** What a container is made with. */
export interface ContainerOptions {
  readonly logger: LoggerService;
  /** Providers of the framework, visible in every module. */
  readonly globals?: readonly Provider[];
  /** Tokens that may repeat in one module, such as `APP_GUARD`; what stands under them becomes request-scoped by itself. */
  readonly enhancerTokens?: readonly InjectionToken[];
  /** Stand-ins for tests. */
  readonly overrides?: OverrideOptions;
  /** How long one lifecycle hook may take. Default: 60 s for the start hooks, 10 s for the end hooks and the end of an instance. */
  readonly hookTimeoutMs?: number;
}

const START_HOOK_MS = 60_000;
const END_HOOK_MS = 10_000;

/** The modules of one application, their instances and their life. Two containers share nothing. */
export class Container {
  #stages: readonly HookStage[] = [];
  #discovered: HandlerDiscovery;
  #initialized: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  readonly #environment: OperationEnvironment;
  readonly #lookup: Lookup;

  private constructor(
    private readonly options: ContainerOptions,
    private readonly checked: CheckedGraph,
    private readonly overrides: Overrides,
  ) {
    this.#environment = operationEnvironment(checked, { logger: options.logger, limitMs: options.hookTimeoutMs ?? END_HOOK_MS });
    this.#discovered = checked.discovered;
    this.#lookup = new Lookup(checked.graph, overrides, this.#environment);
  }

  /** Reads the modules from the root and checks everything that can be checked without an instance. The author's mistakes are in `problems`. */
  static async scan(root: ModuleImport | ModuleMetadata, options: ContainerOptions): Promise<Container> {
    const made: { container?: Container } = {};
    const lookup = (): Lookup | undefined => (made.container === undefined ? undefined : made.container.#lookup);
    const overrides = new Overrides(options.overrides);
    const discovery = new DiscoveryService(() => made.container?.checked.graph);
    const scanned = await scanModules(root, {
      overrides,
      globals: [...(options.globals ?? []), { provide: DiscoveryService, useValue: discovery }],
      enhancerTokens: new Set(options.enhancerTokens),
      builtIns: (module) => [{ provide: ModuleRef, useValue: new ModuleRef({ module, lookup, strict: true }) }],
    });
    made.container = new Container(options, checkGraph(scanned, overrides), overrides);
    return made.container;
  }

  /** True when a module of this class is in the graph, static or dynamic. */
  hasModule(type: Type): boolean {
    return this.checked.graph.modules.some((module) => module.type === type);
  }

  /** Everything that is wrong with the graph, causes before their consequences. */
  get problems(): readonly SetupProblem[] {
    return this.checked.problems;
  }

  /** The keys of `overrides` that matched nothing. */
  get unusedOverrides(): readonly unknown[] {
    return this.overrides.unused;
  }

  /** Every token that a module provides, for near names. */
  get tokens(): readonly InjectionToken[] {
    return [...new Set(this.checked.graph.modules.flatMap((module) => [...module.providers.keys()]))];
  }

  /** What is decorated to answer clients: before the build those that classes declare, after it also those of instances that factories made. */
  discover(): readonly DiscoveredHandler[] {
    return this.#discovered.handlers;
  }

  /** The classes with `@Engine()`, under the same conditions. */
  engines(): readonly DiscoveredEngine[] {
    return this.#discovered.engines;
  }

  /** The classes with `@HealthIndicator()`, under the same conditions. */
  indicators(): readonly DiscoveredIndicator[] {
    return this.#discovered.indicators;
  }

  /**
   * Serves a method of an object that no module provides, with the enhancers that its class declares. Those must be among what the root
   * module sees; a guard that cannot be found is a problem, never a handler without its guard.
   */
  serve(instance: object, type: Type, method: PropertyKey): ServedObject {
    return serveObject(this.checked.graph, { instance, type, method });
  }

  /** The providers under a token of every module, in scan order, for tokens such as `APP_GUARD`. */
  references(token: InjectionToken): readonly ProviderReference[] {
    return this.checked.graph.all(token).flatMap((node) => (node.recipe.kind === 'alias' ? (node.links[0]?.target ?? []) : node));
  }

  /** Builds every singleton. With problems, what was built has been destroyed again. Called once, and only without static problems. */
  async build(): Promise<readonly SetupProblem[]> {
    if (this.problems.length > 0) return this.problems;
    const { graph, order } = this.checked;
    warnOfUnrunHooks(order, this.options.logger);
    const outcome = await buildGraph(order);
    this.#stages = hookStages(graph, outcome.built);
    const found = outcome.problems.length > 0 ? outcome : discoverHandlers(graph);
    if ('handlers' in found) this.#discovered = found;
    const { problems } = found;
    if (problems.length > 0) await this.#end();
    return problems;
  }

  /** The singleton under a token, from any module; with `strict`, only from the root module itself. */
  get<T>(token: InjectionToken<T>, options: GetOptions & { readonly each: true }): T[];
  get<T>(token: InjectionToken<T>, options?: GetOptions): T;
  get<T>(token: InjectionToken<T>, options?: GetOptions): T | T[] {
    return this.#root().get(token, options);
  }

  /** The singleton, or a new instance of a transient or request-scoped provider, which belongs to the caller. */
  resolve<T>(token: InjectionToken<T>, options: GetOptions & { readonly each: true }): Promise<T[]>;
  resolve<T>(token: InjectionToken<T>, options?: GetOptions): Promise<T>;
  async resolve<T>(token: InjectionToken<T>, options?: GetOptions): Promise<T | T[]> {
    return this.#root().resolve(token, options);
  }

  /** A module by its class or its dynamic module object. Its `get` and `resolve` look everywhere unless `strict`. */
  select(module: Type | DynamicModule): ModuleRef {
    return new ModuleRef({ module: this.#lookup.module(module), lookup: () => this.#lookup, strict: false });
  }

  /** Begins the request scope of one operation. Nothing is built until it is asked for. */
  openScope(context: McpContext): RequestScope {
    return new OperationScope(this.#environment, context);
  }

  /** Runs `onModuleInit`, then `onApplicationBootstrap`, once. When a hook fails, ends everything and rejects with `McpSetupError`. */
  init(): Promise<void> {
    this.#initialized ??= this.#start();
    return this.#initialized;
  }

  /**
   * Runs `onModuleDestroy`, `beforeApplicationShutdown`, then `release`, then `onApplicationShutdown`, once; later calls wait for the
   * same end. A start that is under way is awaited first. Failures of hooks are logged.
   */
  async close(signal?: string, release?: () => Promise<void>): Promise<void> {
    await this.#initialized?.catch(() => undefined);
    await this.#end(signal, release);
  }

  #root(): ModuleRef {
    const { root } = this.checked.graph;
    if (root === undefined) throw new NotBuiltError('The application has no modules.');
    return new ModuleRef({ module: root, lookup: () => this.#lookup, strict: false });
  }

  async #start(): Promise<void> {
    const limitMs = this.options.hookTimeoutMs ?? START_HOOK_MS;
    for (const hook of ['onModuleInit', 'onApplicationBootstrap'] as const) {
      const problems = await runStartHooks(this.#stages, hook, limitMs);
      if (problems.length === 0) continue;
      await this.#end();
      throwIfAny(problems);
    }
  }

  #end(signal?: string, release?: () => Promise<void>): Promise<void> {
    this.#closed ??= this.#runEndHooks(signal, release);
    return this.#closed;
  }

  async #runEndHooks(signal: string | undefined, release: (() => Promise<void>) | undefined): Promise<void> {
    const options = { signal, limitMs: this.options.hookTimeoutMs ?? END_HOOK_MS, logger: this.options.logger };
    await runEndHooks(this.#stages, 'onModuleDestroy', options);
    await runEndHooks(this.#stages, 'beforeApplicationShutdown', options);
    await release?.();
    await runEndHooks(this.#stages, 'onApplicationShutdown', options);
  }
}
