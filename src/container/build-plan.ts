import type { InjectionToken } from '../contracts/type';
import type { Link, ProviderNode } from './module-node';

/** Where an argument comes from. */
export type Source =
  | { readonly from: 'step'; readonly step: Step }
  | { readonly from: 'shared'; readonly node: ProviderNode; readonly token: InjectionToken }
  | { readonly from: 'consumer'; readonly step: Step | undefined }
  | { readonly from: 'nothing' };

/** The construction of one instance. */
export interface Step {
  readonly node: ProviderNode;
  readonly args: Source[];
  /** Absent where it has none, as most have. */
  properties: { readonly key: PropertyKey; readonly source: Source }[] | undefined;
  /** Where its instance stands among those of the run. */
  index: number;
}

/** How to build one provider with all the transient instances that are its own. The last step is the provider itself. */
export interface BuildPlan {
  readonly steps: readonly Step[];
  /** Singletons and request-scoped providers that must stand before the first step runs. */
  readonly shared: readonly ProviderNode[];
  /** True when a factory is among the steps, which may give a promise. */
  readonly mayWait: boolean;
}

/** A plan would build more transient instances than any application means to. */
export class PlanTooLargeError extends Error {
  override readonly name = 'PlanTooLargeError';
}

// Transient providers multiply: each consumer of each has its own.
const MAX_STEPS = 100_000;

interface OpenStep {
  readonly step: Step;
  /** The step that this one is built for. */
  readonly consumer: Step | undefined;
  /** The transient instances that are its own: one of each provider, also where it asks twice. Absent while there is none. */
  own: Map<ProviderNode, Step> | undefined;
  next: number;
}

/** Lays out the construction of a provider, without recursion, so that a deep graph costs no stack. */
export function planBuild(root: ProviderNode): BuildPlan {
  const steps: Step[] = [];
  const shared: ProviderNode[] = [];
  let mayWait = false;
  const open: OpenStep[] = [openStep(newStep(root), undefined)];
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    const { step } = current;
    const link = step.node.links[current.next];
    current.next += 1;
    if (link === undefined) {
      open.pop();
      step.index = steps.length;
      steps.push(step);
      mayWait ||= step.node.recipe.kind === 'factory';
      if (steps.length > MAX_STEPS) throw new PlanTooLargeError(`${root.name} would need more than ${MAX_STEPS} transient instances.`);
      continue;
    }
    const known = current.own?.size ?? 0;
    const source = sourceOf(link, current);
    attach(step, link, source);
    if (source.from === 'step' && (current.own?.size ?? 0) > known) open.push(openStep(source.step, step));
    if (source.from === 'shared') shared.push(source.node);
  }
  return { steps, shared, mayWait };
}

function openStep(step: Step, consumer: Step | undefined): OpenStep {
  return { step, consumer, own: undefined, next: 0 };
}

function sourceOf(link: Link, current: OpenStep): Source {
  const { target, dependency } = link;
  if (link.isInquirer) return { from: 'consumer', step: current.consumer };
  if (target === undefined || dependency.token === undefined) return { from: 'nothing' };
  if (!target.isTransient) return { from: 'shared', node: target, token: dependency.token };
  const own = (current.own ??= new Map<ProviderNode, Step>());
  const step = own.get(target) ?? newStep(target);
  own.set(target, step);
  return { from: 'step', step };
}

function attach(step: Step, { dependency }: Link, source: Source): void {
  if (dependency.property === undefined) step.args.push(source);
  else (step.properties ??= []).push({ key: dependency.property, source });
}

function newStep(node: ProviderNode): Step {
  return { node, args: [], properties: undefined, index: -1 };
}
