import type { DifferenceName } from './differences';
import { HOOKS, type GraphSpec, type Hook } from './graph-spec';
import { compareEnd, compareStart, eventsOf } from './compare-hooks';
import type { EventView, InstanceView, Observation } from './observe';
import { asksForItself, declaredScope, isAliasOfTransient, isForwardingFactory, repeatsToken } from './read-spec';

/** What NestJS and this package made of one graph. */
export interface Pair {
  readonly spec: GraphSpec;
  readonly nest: Observation;
  readonly perch: Observation;
}

/** The named differences that a graph shows. Throws, through `expect`, for any other. */
export function compare(pair: Pair): ReadonlySet<DifferenceName> {
  const { nest, perch } = pair;
  if (perch.refused.length > 0) return new Set(nest.refused.length > 0 ? compareRefusals(pair) : explainRefusal(pair));
  if (nest.refused.length > 0) return new Set(explainBoot(pair));
  const known = withoutAliased(isStuck(nest) ? atBoot(pair) : pair);
  if (isStuck(nest)) return new Set([...explainStuck(pair), ...compareInstances(known), ...compareHooks(known)]);
  return new Set([...explainAliased(pair), ...compareInstances(known), ...compareOperations(known), ...compareHooks(known)]);
}

function* compareRefusals({ spec, nest, perch }: Pair): Generator<DifferenceName> {
  expect(nest.refused).toHaveLength(1);
  if (perch.refused.length > 1) yield 'all problems together';
  if (nest.refused[0] === 'never ends') {
    expect(perch.refused).toContain('circle');
    return yield 'circle that hangs';
  }
  if (perch.refused.includes(nest.refused[0] as string)) return;
  expect([nest.refused, perch.refused, asksForItself(spec)]).toEqual([['unknown dependency'], expect.arrayContaining(['circle']), true]);
  yield 'self is a circle';
}

/** NestJS boots what is refused here. */
function* explainRefusal({ spec, nest, perch }: Pair): Generator<DifferenceName> {
  for (const kind of perch.refused) {
    if (kind === 'captive') {
      // It made request-scoped what does not say so.
      const lifted = Object.keys(nest.places).filter(
        (place) => nest.places[place] === 'scoped' && declaredScope(spec, place) === 'DEFAULT',
      );
      expect(lifted).not.toEqual([]);
      yield 'captive dependency';
    } else if (kind === 'duplicate') {
      expect(spec.modules.some(repeatsToken)).toBe(true);
      yield 'duplicate token';
    } else if (kind === 'circle') {
      yield nameOfCircle(spec, nest);
    } else {
      expect([kind, JSON.stringify(spec)]).toEqual(['not a module', expect.stringContaining('"undecorated"')]);
      yield 'undecorated import';
    }
  }
}

/** Why NestJS boots a circle; a graph that has several reasons counts for the first. */
function nameOfCircle(spec: GraphSpec, { places }: Observation): DifferenceName {
  // It builds nothing of request scope before it is asked to.
  if (Object.values(places).includes('scoped')) return 'circle in request scope';
  const written = JSON.stringify(spec);
  if (written.includes('"isOptional":true')) return 'circle through an optional dependency';
  expect(written).toContain('"isForward":true');
  return 'circle beside a forwardRef';
}

/** NestJS does not boot what boots here. */
function* explainBoot({ spec, nest }: Pair): Generator<DifferenceName> {
  expect([nest.refused, JSON.stringify(spec)]).toEqual([['never ends'], expect.stringContaining('"promise"')]);
  yield 'promises in a circle';
}

/** Whether NestJS met a circle when an operation had to be built. */
function isStuck({ places }: Observation): boolean {
  return Object.values(places).includes('circle');
}

function* explainStuck({ spec }: Pair): Generator<DifferenceName> {
  expect(JSON.stringify(spec)).toContain('"isForward":true');
  yield 'one forwardRef in request scope';
}

/** The pair without its operations. */
function atBoot({ spec, nest, perch }: Pair): Pair {
  const only = ({ places, instances, ...others }: Observation): Observation => ({
    ...others,
    places: Object.fromEntries(Object.entries(places).filter(([place]) => place.startsWith('M'))),
    instances: instances.slice(0, others.atBoot),
  });
  return { spec, nest: only(nest), perch: only(perch) };
}

/** NestJS keeps an instance of a transient provider for each alias of it; no consumer has it, so that only its hooks tell of it. */
function* explainAliased({ spec, nest, perch }: Pair): Generator<DifferenceName> {
  const more = nest.instances.slice(perch.instances.length);
  if (more.length === 0) return;
  expect(more.filter(({ isTransient }) => !isTransient)).toEqual([]);
  expect(spec.modules.some(({ providers = [] }) => providers.some((each) => isAliasOfTransient(spec, each)))).toBe(true);
  yield 'alias of a transient';
}

function withoutAliased({ spec, nest, perch }: Pair): Pair {
  const count = perch.instances.length;
  const isKnown = ({ instance }: EventView): boolean => Number(instance.slice(1)) < count;
  const only = {
    instances: nest.instances.slice(0, count),
    events: nest.events.filter(isKnown),
    secondClose: nest.secondClose.filter(isKnown),
  };
  return { spec, perch, nest: { ...nest, ...only } };
}

function* compareInstances({ spec, nest, perch }: Pair): Generator<DifferenceName> {
  const unfinished = Object.keys(nest.places).filter((place) => nest.places[place] === 'null');
  if (unfinished.length > 0) {
    expect(spec.modules.some(({ providers = [] }) => providers.some(isForwardingFactory))).toBe(true);
    yield 'forwardRef in a factory';
  }
  const finished = (places: Observation['places']): object => ({
    ...places,
    ...Object.fromEntries(unfinished.map((place) => [place, 'null'])),
  });
  expect(finished(perch.places)).toEqual(nest.places);
  for (const [number, view] of perch.instances.entries()) {
    const expected = nest.instances[number] as InstanceView;
    for (const [index, arg] of view.args.entries()) {
      if (view.tokens[index] !== '@inquirer' || arg === expected.args[index]) continue;
      const consumer = arg === 'undefined' ? view : perch.instances[Number(arg.slice(1))];
      expect(expected.args[index]).toBe(`a bare ${consumer?.label ?? ''}`);
      yield 'inquirer is the consumer';
    }
    const compared = (each: InstanceView): object => ({
      number,
      ...each,
      args: each.args.filter((_, index) => each.tokens[index] !== '@inquirer'),
    });
    expect(compared(view)).toEqual(compared(expected));
  }
  expect(perch.instances).toHaveLength(nest.instances.length);
}

function* compareOperations({ nest, perch: { operationEvents } }: Pair): Generator<DifferenceName> {
  expect(nest.operationEvents).toEqual([]);
  expect(operationEvents.filter(({ hook }) => hook !== 'onModuleDestroy')).toEqual([]);
  if (operationEvents.length > 0) yield 'operation ends its instances';
}

function* compareHooks({ nest, perch }: Pair): Generator<DifferenceName> {
  expect(perch.initFailed).toEqual(nest.initFailed);
  for (const hook of HOOKS) {
    const events = { theirs: eventsOf(nest, hook), ours: eventsOf(perch, hook) };
    if (isStartHook(hook)) yield* compareStart(events, nest.instances);
    else yield* compareEnd(events, eventsOf(perch, 'onModuleInit'));
  }
  const signals = (events: readonly EventView[]): readonly unknown[] => [...new Set(events.flatMap(({ args }) => args))];
  const isEnded = perch.initFailed.length > 0;
  expect(signals(perch.events)).toEqual(isEnded ? [undefined] : signals(nest.events));
  if (isEnded) yield 'failed start is ended';
  expect(perch.secondClose).toEqual([]);
  if (nest.secondClose.length > 0) yield 'close once';
}

function isStartHook(hook: Hook): boolean {
  return hook === 'onModuleInit' || hook === 'onApplicationBootstrap';
}
