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
  readonly properties: { readonly key: PropertyKey; readonly source: Source }[];
  /** Where its instance stands among those of the run. */
  index: number;
}

/** How to build one provider with all the transient instances that are its own. The last step is the provider itself. */
export interface BuildPlan {
  readonly steps: readonly Step[];
  /** Singletons and request-scoped providers that must stand before the first step runs. */
  readonly shared: ReadonlySet<ProviderNode>;
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
  /** The transient instances that are its own: one of each provider, also where it asks twice. */
  readonly own: Map<ProviderNode, Step>;
  next: number;
}

/** Lays out the construction of a provider, without recursion, so that a deep graph costs no stack. */
export function planBuild(root: ProviderNode): BuildPlan {
  const steps: Step[] = [];
  const shared = new Set<ProviderNode>();
  const open: OpenStep[] = [openStep(newStep(root), undefined)];
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    const { step } = current;
    const link = step.node.links[current.next];
    current.next += 1;
    if (link === undefined) {
      open.pop();
      step.index = steps.length;
      steps.push(step);
      if (steps.length > MAX_STEPS) throw new PlanTooLargeError(`${root.name} would need more than ${MAX_STEPS} transient instances.`);
      continue;
    }
    const known = current.own.size;
    const source = sourceOf(link, current);
    attach(step, link, source);
    if (source.from === 'step' && current.own.size > known) open.push(openStep(source.step, step));
    if (source.from === 'shared') shared.add(source.node);
  }
  return { steps, shared, mayWait: steps.some((step) => step.node.recipe.kind === 'factory') };
}

function openStep(step: Step, consumer: Step | undefined): OpenStep {
  return { step, consumer, own: new Map(), next: 0 };
}

function sourceOf(link: Link, { consumer, own }: OpenStep): Source {
  const { target, dependency } = link;
  if (link.isInquirer) return { from: 'consumer', step: consumer };
  if (target === undefined || dependency.token === undefined) return { from: 'nothing' };
  if (!target.isTransient) return { from: 'shared', node: target, token: dependency.token };
  const step = own.get(target) ?? newStep(target);
  own.set(target, step);
  return { from: 'step', step };
}

function attach(step: Step, { dependency }: Link, source: Source): void {
  if (dependency.property === undefined) step.args.push(source);
  else step.properties.push({ key: dependency.property, source });
}

function newStep(node: ProviderNode): Step {
  return { node, args: [], properties: [], index: -1 };
}
