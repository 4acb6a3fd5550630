import type { RequestScope } from '../contracts/provider';
import type { InstanceSource, ProviderNode } from './module-node';
import { NotBuiltError } from './provider-errors';
import { planBuild, type BuildPlan, type Source } from './build-plan';
import { earlyInstance, runPlan, type BuildSite } from './run-plan';

/** What all operations of an application share. */
export interface OperationEnvironment {
  /** The provider that stands for the operation itself. */
  readonly contextNode: ProviderNode;
  /** The request-scoped providers below `node`, dependencies first, with their plans. */
  unitsOf(node: ProviderNode): readonly OperationUnit[];
  /** Called with everything that is made for an operation. */
  notice(node: ProviderNode, instance: unknown): void;
  /** Ends one instance; never rejects. */
  dispose(node: ProviderNode, instance: unknown): Promise<void> | undefined;
}

/** A request-scoped provider and how to build it. */
export interface OperationUnit {
  readonly node: ProviderNode;
  readonly plan: BuildPlan;
}

/** The instances of one operation: each request-scoped provider is built once, when it is first asked for. */
export class OperationScope implements RequestScope, InstanceSource, BuildSite {
  early: Map<object, object> | undefined;
  readonly #instances = new Map<ProviderNode, unknown>();
  #pending: Map<ProviderNode, Promise<void>> | undefined;
  readonly #made: { readonly node: ProviderNode; readonly instance: unknown }[] = [];
  #closing: Promise<void> | undefined;

  constructor(
    private readonly environment: OperationEnvironment,
    context?: unknown,
  ) {
    if (context !== undefined) this.#instances.set(environment.contextNode, context);
  }

  /** The instance of this operation, or a promise of it when a factory below it is asynchronous. */
  instanceOf(node: ProviderNode): unknown {
    this.#refuseAfterEnd(node);
    if (this.#instances.has(node)) return this.#instances.get(node);
    const units = this.environment.unitsOf(node);
    const running = this.#build(units, 0);
    return running === undefined ? this.#instances.get(node) : running.then(() => this.#instances.get(node));
  }

  /** Ends every instance, the last one made first. One that fails stops no other. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  shared(source: Source & { readonly from: 'shared' }): unknown {
    const { node } = source;
    if (!node.isRequestScoped) return node.instance;
    if (this.#instances.has(node)) return this.#instances.get(node);
    if (node === this.environment.contextNode) throw new NotBuiltError('McpContext was asked for outside of an operation.');
    return earlyInstance(this, node, node);
  }

  made(node: ProviderNode, instance: unknown): void {
    this.environment.notice(node, instance);
    // An asynchronous factory may finish after the operation was cancelled.
    if (this.#closing === undefined) this.#made.push({ node, instance });
    else void this.environment.dispose(node, instance);
  }

  failed(_node: ProviderNode, error: unknown): never {
    throw error;
  }

  #build(units: readonly OperationUnit[], start: number): Promise<void> | undefined {
    for (let at = start; at < units.length; at += 1) {
      const { node, plan } = units[at] as OperationUnit;
      if (this.#instances.has(node)) continue;
      const pending = this.#pending?.get(node) ?? this.#start(node, plan);
      if (pending !== undefined) return pending.then(() => this.#build(units, at + 1));
    }
    return undefined;
  }

  #start(node: ProviderNode, plan: BuildPlan): Promise<void> | undefined {
    this.#refuseAfterEnd(node);
    try {
      const built = runPlan(plan, this);
      if (plan.mayWait && built instanceof Promise) return this.#wait(node, built);
      this.#instances.set(node, built);
      return undefined;
    } catch (error) {
      this.#forgetUnfinished();
      throw error;
    }
  }

  #wait(node: ProviderNode, built: Promise<unknown>): Promise<void> {
    const keep = (instance: unknown): void => {
      this.#refuseAfterEnd(node);
      this.#instances.set(node, instance);
    };
    const waiting = (this.#pending ??= new Map<ProviderNode, Promise<void>>());
    const pending = built.then(keep).finally(() => waiting.delete(node));
    waiting.set(node, pending);
    return pending;
  }

  /** Instances that hold one whose constructor never ran are not given out again. */
  #forgetUnfinished(): void {
    if ([...(this.early?.keys() ?? [])].every((node) => this.#instances.has(node as ProviderNode))) return;
    const context = this.#instances.get(this.environment.contextNode);
    this.#instances.clear();
    if (context !== undefined) this.#instances.set(this.environment.contextNode, context);
  }

  #refuseAfterEnd(node: ProviderNode): void {
    if (this.#closing !== undefined) throw new NotBuiltError(`The operation has ended: its ${node.name} is gone.`);
  }

  async #end(): Promise<void> {
    const seen = new Set<unknown>();
    for (let last = this.#made.pop(); last !== undefined; last = this.#made.pop()) {
      if (seen.has(last.instance)) continue;
      seen.add(last.instance);
      const ending = this.environment.dispose(last.node, last.instance);
      if (ending !== undefined) await ending;
    }
    this.#instances.clear();
    this.early = undefined;
  }
}

/** Collects the request-scoped providers below one, with those that a `forwardRef()` defers, in the order of the graph. */
export function unitsBelow(root: ProviderNode): readonly OperationUnit[] {
  const seen = new Set<ProviderNode>([root]);
  const found: ProviderNode[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node === root || !node.isTransient) found.push(node);
    for (const { target } of node.links) {
      if (target?.isRequestScoped !== true || target.recipe.kind === 'context' || seen.has(target)) continue;
      seen.add(target);
      waiting.push(target);
    }
  }
  return found.sort((a, b) => a.position - b.position).map((node) => ({ node, plan: planBuild(node) }));
}
