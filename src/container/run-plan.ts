import type { BuildPlan, Source, Step } from './build-plan';
import { complete, preallocate } from './preallocate';
import type { ProviderNode } from './module-node';

/** Where a plan is run: at boot or for one operation. */
export interface BuildSite {
  /** The singleton or request-scoped instance that `consumer` asked for; `undefined` for one that is not built yet. */
  shared(source: Source & { readonly from: 'shared' }, consumer: ProviderNode): unknown;
  /** Instances that were handed out before their constructor ran, by provider, or by step for a transient one. */
  early: Map<object, object> | undefined;
  /** Called for each instance, in the order of construction. */
  made(node: ProviderNode, instance: unknown): void;
  /** Called with what a constructor or factory threw; what this throws ends the run. */
  failed(node: ProviderNode, error: unknown): never;
}

/** Builds the instances of a plan and gives the last. A promise only when a factory in it gave one, which is awaited in its turn. */
export function runPlan(plan: BuildPlan, site: BuildSite): unknown {
  return runFrom(0, { plan, site, values: new Array<unknown>(plan.steps.length) });
}

interface Run {
  readonly plan: BuildPlan;
  readonly site: BuildSite;
  readonly values: unknown[];
}

function runFrom(start: number, run: Run): unknown {
  const { plan, site, values } = run;
  for (let at = start; at < plan.steps.length; at += 1) {
    const step = plan.steps[at] as Step;
    const made = create(step, run);
    if (step.node.recipe.kind === 'factory' && isThenable(made)) return awaitStep(made, at, run);
    values[at] = made;
    site.made(step.node, made);
  }
  return values[plan.steps.length - 1];
}

async function awaitStep(made: PromiseLike<unknown>, at: number, run: Run): Promise<unknown> {
  const { node } = run.plan.steps[at] as Step;
  let value: unknown;
  try {
    value = await made;
  } catch (error) {
    run.site.failed(node, error);
  }
  run.values[at] = value;
  run.site.made(node, value);
  return runFrom(at + 1, run);
}

function create(step: Step, run: Run): unknown {
  const { recipe } = step.node;
  const args: unknown[] = [];
  for (const source of step.args) args.push(read(source, step, run));
  try {
    if (recipe.kind === 'factory') return recipe.create(...args);
    if (recipe.kind !== 'class') return undefined;
    const built = new recipe.type(...args) as object;
    const early = run.site.early?.get(keyOf(step, run));
    const instance = early === undefined ? built : complete(early, built);
    for (const { key, source } of step.properties ?? []) (instance as Record<PropertyKey, unknown>)[key] = read(source, step, run);
    return instance;
  } catch (error) {
    return run.site.failed(step.node, error);
  }
}

function read(source: Source, step: Step, run: Run): unknown {
  switch (source.from) {
    case 'step':
      return run.values[source.step.index];
    case 'shared':
      return run.site.shared(source, step.node);
    case 'consumer':
      return source.step === undefined ? undefined : earlyInstance(run.site, keyOf(source.step, run), source.step.node);
    case 'nothing':
      return undefined;
  }
}

/** The instance of a class before its constructor has run; the same one each time, and the one that the constructor completes. */
export function earlyInstance(site: Pick<BuildSite, 'early'>, key: object, node: ProviderNode): object | undefined {
  if (node.recipe.kind !== 'class') return undefined;
  site.early ??= new Map();
  const known = site.early.get(key);
  if (known !== undefined) return known;
  const made = preallocate(node.recipe.type);
  site.early.set(key, made);
  return made;
}

// The last step is the provider that others know; the steps before it belong to this run alone.
function keyOf(step: Step, run: Run): object {
  return step.index === run.plan.steps.length - 1 ? step.node : step;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === 'object' || typeof value === 'function') && value !== null && 'then' in value && typeof value.then === 'function'
  );
}
