import { describeToken, type InjectionToken } from '../contracts/type';
import type { SetupProblem } from '../errors/setup-error';
import { planBuild, type BuildPlan, type Source } from './build-plan';
import { ModuleInjector } from './module-injector';
import type { ProviderNode } from './module-node';
import { earlyInstance, runPlan, type BuildSite } from './run-plan';

/** An instance that lives as long as the application. */
export interface BuiltInstance {
  readonly node: ProviderNode;
  readonly instance: unknown;
}

/** What a build made, and what kept it from making the rest. */
export interface BuildOutcome {
  /** In the order of construction. Also filled when there are problems: these are to be destroyed. */
  readonly built: readonly BuiltInstance[];
  readonly problems: readonly SetupProblem[];
}

/**
 * Builds every singleton, dependencies first. What waits for an asynchronous factory waits for that one only; everything else goes
 * on. A constructor that throws stops those that depend on it and no others, so that all failures are reported together.
 */
export async function buildGraph(order: readonly ProviderNode[]): Promise<BuildOutcome> {
  const site = new BootSite();
  for (const node of order) {
    if (node.recipe.kind === 'value') site.keep(node, node.recipe.value);
  }
  const pending = new Map<ProviderNode, Promise<void>>();
  for (const node of order) {
    if (!isSingleton(node)) continue;
    const waiting = site.begin(node, pending);
    if (waiting !== undefined) pending.set(node, waiting);
  }
  await Promise.all(pending.values());
  return { built: site.built, problems: site.problems };
}

/** True for what is built at boot. A transient provider is, when a registry is the one that asks for it. */
export function isSingleton(node: ProviderNode): boolean {
  if (node.isRequestScoped || node.recipe.kind === 'value' || node.recipe.kind === 'alias') return false;
  return !node.isTransient || node.mayLift;
}

/** Ends a run after its failure was noted. */
class Stopped extends Error {}

class BootSite implements BuildSite {
  early: Map<object, object> | undefined;
  readonly built: BuiltInstance[] = [];
  readonly problems: SetupProblem[] = [];
  readonly #plans = new Map<ProviderNode, BuildPlan>();
  /** What could not be built, itself or for want of another of these. */
  readonly #failed = new Set<ProviderNode>();

  /** Builds a node now, or, when something it needs is still on its way, later. */
  begin(node: ProviderNode, pending: ReadonlyMap<ProviderNode, Promise<void>>): Promise<void> | undefined {
    const plan = this.#plan(node);
    if (plan === undefined) return undefined;
    const awaited = pending.size === 0 ? [] : plan.shared.flatMap((each) => pending.get(each) ?? []);
    return awaited.length === 0 ? this.#build(node, plan) : Promise.all(awaited).then(() => this.#build(node, plan));
  }

  keep(node: ProviderNode, instance: unknown): void {
    node.instance = instance;
    node.isBuilt = true;
    this.#plans.delete(node);
    if (node.recipe.kind === 'value') this.built.push({ node, instance });
  }

  shared({ node, token }: Source & { readonly from: 'shared' }, consumer: ProviderNode): unknown {
    if (!node.isBuilt) return earlyInstance(this, node, node);
    // What the module itself has is registered in its container since it was built.
    return node.module === consumer.module ? node.instance : this.#resolve(consumer, token, node);
  }

  made(node: ProviderNode, instance: unknown): void {
    this.built.push({ node, instance });
  }

  failed(node: ProviderNode, error: unknown): never {
    if (!(error instanceof Stopped)) this.problems.push(providerFailed(node, error));
    throw new Stopped();
  }

  #plan(node: ProviderNode): BuildPlan | undefined {
    try {
      return planBuild(node);
    } catch (error) {
      this.problems.push(providerFailed(node, error));
      this.#failed.add(node);
      return undefined;
    }
  }

  #build(node: ProviderNode, plan: BuildPlan): Promise<void> | undefined {
    if (this.#failed.size > 0 && plan.shared.some((each) => this.#failed.has(each))) return void this.#failed.add(node);
    this.#plans.set(node, plan);
    try {
      const instance = this.#resolve(node, node.token, node);
      if (plan.mayWait && instance instanceof Promise) return this.#keepLater(node, instance);
      this.keep(node, instance);
    } catch (error) {
      this.#stop(node, error);
    }
    return undefined;
  }

  async #keepLater(node: ProviderNode, instance: Promise<unknown>): Promise<void> {
    try {
      this.keep(node, await instance);
    } catch (error) {
      this.#stop(node, error);
    }
  }

  #stop(node: ProviderNode, error: unknown): void {
    if (!(error instanceof Stopped)) throw error;
    this.#failed.add(node);
  }

  #resolve(consumer: ProviderNode, token: InjectionToken, node: ProviderNode): unknown {
    // A token that repeats in one module, as APP_GUARD may, cannot be told apart by its name.
    if (consumer === node && node.module.providers.get(token) !== node) return this.#give(node);
    const injector = (consumer.module.injector ??= new ModuleInjector());
    injector.provide(token, () => this.#give(node));
    return injector.resolve(token);
  }

  #give(node: ProviderNode): unknown {
    const plan = this.#plans.get(node);
    return plan === undefined ? node.instance : runPlan(plan, this);
  }
}

function providerFailed(node: ProviderNode, cause: unknown): SetupProblem {
  const what =
    node.recipe.kind === 'factory' ? `The factory of ${describeToken(node.token)} failed` : `The constructor of ${node.name} threw`;
  return {
    code: 'MCP_PROVIDER_FAILED',
    problem: `${what}, so nothing that depends on it could be built.`,
    where: `${node.name} in ${node.module.name}`,
    fix: 'Look at the cause in the log. It is not repeated here, because it may hold secrets.',
    cause,
  };
}
