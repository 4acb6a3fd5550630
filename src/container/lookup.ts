import { Scope } from '../contracts/scope';
import type { InjectionToken, Type } from '../contracts/type';
import { throwIfAny } from '../errors/setup-error';
import { linkProvider } from './link-graph';
import type { ModuleGraph } from './module-graph';
import { type ModuleNode, ProviderNode } from './module-node';
import { OperationScope, type OperationEnvironment } from './operation-scope';
import type { Overrides } from './overrides';
import { ScopedProviderError, UnknownElementError } from './provider-errors';
import { classDefinition } from './read-provider';

/** Which provider of a token is meant. */
export interface LookupOptions {
  /** Only this module's own providers. */
  readonly within?: ModuleNode | undefined;
}

/** Finds instances by token, for applications and for {@link ModuleRef}. */
export class Lookup {
  constructor(
    private readonly graph: ModuleGraph,
    private readonly overrides: Overrides,
    private readonly environment: OperationEnvironment,
  ) {}

  /** The singleton of a token. Where several modules provide it, the last of them, as in NestJS. */
  get(token: InjectionToken, options: LookupOptions = {}): unknown {
    return singleton(token, lastOf(this.#find(token, options), token));
  }

  /** The singletons of a token from every module that provides it. */
  each(token: InjectionToken, options: LookupOptions = {}): readonly unknown[] {
    return this.#find(token, options).map((node) => singleton(token, node));
  }

  /** The singleton, or a new instance of a transient or request-scoped provider, which then belongs to the caller. */
  async resolve(token: InjectionToken, options: LookupOptions = {}): Promise<unknown> {
    return this.#instantiate(behind(lastOf(this.#find(token, options), token)), token);
  }

  /** As {@link resolve}, from every module that provides the token. */
  async resolveEach(token: InjectionToken, options: LookupOptions = {}): Promise<readonly unknown[]> {
    return Promise.all(this.#find(token, options).map((node) => this.#instantiate(behind(node), token)));
  }

  /** Builds a class that no module provides, with what `module` may inject. The instance belongs to the caller. */
  async create(type: Type, module: ModuleNode): Promise<unknown> {
    const node = new ProviderNode(module, { ...classDefinition(type), scope: Scope.TRANSIENT });
    throwIfAny(linkProvider(node, this.graph, this.overrides));
    node.isRequestScoped = node.links.some(({ target }) => target?.isRequestScoped === true);
    return this.#instantiate(node, type);
  }

  /** A module by its class, or by the dynamic module object that made it. */
  module(type: unknown): ModuleNode {
    const { modules } = this.graph;
    const found = modules.find((each) => each.definition.identity === type) ?? modules.find((each) => each.type === type);
    if (found === undefined) throw UnknownElementError.module(type);
    return found;
  }

  #find(token: InjectionToken, { within }: LookupOptions): readonly ProviderNode[] {
    const all = this.graph.all(token);
    const found = within === undefined ? all : all.filter((node) => node.module === within);
    if (found.length === 0) throw UnknownElementError.provider(token);
    return found;
  }

  async #instantiate(node: ProviderNode | undefined, token: InjectionToken): Promise<unknown> {
    if (node === undefined) throw UnknownElementError.provider(token);
    if (!node.isRequestScoped && !node.isTransient) return node.get();
    return new OperationScope(this.environment).instanceOf(node);
  }
}

function singleton(token: InjectionToken, node: ProviderNode): unknown {
  const target = behind(node);
  if (target === undefined) throw UnknownElementError.provider(token);
  if (target.isRequestScoped || target.isTransient) throw new ScopedProviderError(token);
  return target.get();
}

function behind(node: ProviderNode): ProviderNode | undefined {
  return node.recipe.kind === 'alias' ? node.links[0]?.target : node;
}

function lastOf(nodes: readonly ProviderNode[], token: InjectionToken): ProviderNode {
  const last = nodes.at(-1);
  if (last === undefined) throw UnknownElementError.provider(token);
  return last;
}
