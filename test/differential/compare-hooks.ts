import { isDeepStrictEqual } from 'node:util';
import type { DifferenceName } from './differences';
import type { Hook } from './graph-spec';
import type { EventView, InstanceView, Observation } from './observe';

/** The calls of one hook on both sides, in their order. */
export interface BothEvents {
  readonly theirs: readonly EventView[];
  readonly ours: readonly EventView[];
}

export function eventsOf(observation: Observation, hook: Hook): readonly EventView[] {
  return observation.events.filter((each) => each.hook === hook);
}

/** Start hooks: NestJS's order, except where a dependency would come after what depends on it. */
export function* compareStart({ theirs, ours }: BothEvents, instances: readonly InstanceView[]): Generator<DifferenceName> {
  const [their, our] = [[...new Set(callsIn(theirs))], callsIn(ours)];
  expect([...our].sort()).toEqual([...their].sort());
  if (their.length < callsIn(theirs).length) yield 'one call for one object';
  const graph = new Dependencies(instances);
  const view = (each: string): InstanceView | undefined => instances[Number(each.slice(1))];
  const isTied = (each: string): boolean => view(each)?.isTransient ?? false;
  // Nothing comes before what it cannot be built without.
  expect(graph.tooLate(our, (consumer, other) => graph.needs(consumer, other))).toEqual(new Set());
  const late = graph.tooLate(their, (consumer, other) => graph.needs(consumer, other) && !graph.needs(other, consumer));
  if (late.size > 0) yield 'dependency first';
  // The instances of a transient provider stay together.
  const label = (each: string): string | undefined => (isTied(each) ? view(each)?.label : undefined);
  const together = new Set([...late].flatMap((each) => label(each) ?? []));
  for (const each of their) if (together.has(label(each) ?? '')) late.add(each);
  const placed = (order: readonly string[]): readonly string[] => order.filter((each) => !late.has(each));
  if (placed(our).join() === placed(their).join()) {
    if (late.size > 0 || their.length < callsIn(theirs).length || isDeepStrictEqual(ours, theirs)) return;
    // The same order, but on another level: beside what it depends on.
    const onLevel = (events: readonly EventView[]): readonly EventView[] =>
      events.filter(({ instance }) => !graph.dependsOnForwarding(instance));
    expect(onLevel(ours)).toEqual(onLevel(theirs));
    return yield 'level behind forwardRef';
  }
  const named = (order: readonly string[]): readonly string[] =>
    placed(order).map((each) => (isTied(each) ? (instances[Number(each.slice(1))]?.label ?? '') : each));
  if (named(our).join() === named(their).join()) return yield 'transient ties';
  const without = (order: readonly string[], drops: (each: string) => boolean): readonly string[] =>
    named(order.filter((each) => !drops(each)));
  const isInCircle = (each: string): boolean => graph.reaches(each, each);
  if (without(our, isInCircle).join() === without(their, isInCircle).join()) return yield 'circle order';
  const isForwarding = (each: string): boolean => graph.dependsOnForwarding(each);
  expect(without(our, isForwarding)).toEqual(without(their, isForwarding));
  yield 'level behind forwardRef';
}

/** End hooks: the exact reverse of our start hooks, with the same calls side by side. */
export function* compareEnd({ theirs, ours }: BothEvents, started: readonly EventView[]): Generator<DifferenceName> {
  const [their, our] = [[...new Set(callsIn(theirs))], callsIn(ours)];
  expect([...our].sort()).toEqual([...their].sort());
  const wasStarted = new Set(callsIn(started));
  expect(our.filter((each) => wasStarted.has(each))).toEqual([...wasStarted].reverse());
  expect(sideBySide(ours)).toEqual(sideBySide(started));
  if (our.join() !== their.join()) yield 'exact reverse';
}

function callsIn(events: readonly EventView[]): readonly string[] {
  return events.filter(({ phase }) => phase === '>').map(({ instance }) => instance);
}

/** What the instances of a graph depend on. */
class Dependencies {
  readonly #reached = new Map<string, ReadonlySet<string>>();
  readonly #needed = new Map<string, ReadonlySet<string>>();

  constructor(private readonly instances: readonly InstanceView[]) {}

  /** Whether `consumer` depends on `other`, in whatever way. */
  reaches(consumer: string, other: string): boolean {
    return this.#from(consumer, this.#reached, () => true).has(other);
  }

  /** Whether `consumer` depends on `other` without a `forwardRef()` in between that a circle makes necessary. */
  needs(consumer: string, other: string): boolean {
    return this.#from(consumer, this.#needed, (from, to) => !this.reaches(to, from)).has(other);
  }

  /** Whether something that `consumer` depends on, or the consumer itself, asks through `forwardRef()`. */
  dependsOnForwarding(consumer: string): boolean {
    const all = [consumer, ...this.#from(consumer, this.#reached, () => true)];
    return all.some((each) => this.instances[Number(each.slice(1))]?.forward.includes(true));
  }

  /** Instances that come after one that `wants` them. */
  tooLate(order: readonly string[], wants: (consumer: string, other: string) => boolean): Set<string> {
    return new Set(order.flatMap((consumer, index) => order.slice(index + 1).filter((other) => wants(consumer, other))));
  }

  #from(start: string, known: Map<string, ReadonlySet<string>>, follows: (from: string, to: string) => boolean): ReadonlySet<string> {
    const before = known.get(start);
    if (before !== undefined) return before;
    const reached = new Set<string>();
    const waiting = [start];
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      const view = this.instances[Number(each.slice(1))];
      for (const [index, next] of [...(view?.args ?? []), ...Object.values(view?.properties ?? {})].entries()) {
        if (!next.startsWith('#') || view?.tokens[index] === '@inquirer') continue;
        if (reached.has(next) || (view?.forward[index] === true && !follows(each, next))) continue;
        reached.add(next);
        waiting.push(next);
      }
    }
    known.set(start, reached);
    return reached;
  }
}

/** Pairs of calls of which one began while the other was running. */
function sideBySide(events: readonly EventView[]): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const [index, { instance, phase }] of events.entries()) {
    const end = events.findIndex((each) => each.instance === instance && each.phase === '<');
    if (phase !== '>') continue;
    for (const each of events.slice(index + 1, Math.max(end, index))) pairs.add([instance, each.instance].sort().join(' '));
  }
  return pairs;
}

function argumentsOf(events: readonly EventView[]): ReadonlySet<string> {
  return new Set(events.map(({ args }) => JSON.stringify(args)));
}
