import fc from 'fast-check';
import type { Principal } from 'perch-mcp';

/** What a guard asks of a caller, and the ways in which one fails. Only the first five ever admit. */
export const RULES = ['everybody', 'later', 'user', 'admin', 'scope', 'nobody', 'throws', 'rejects', 'truthy', 'undefined'] as const;
export type Rule = (typeof RULES)[number];

export interface GuardSpec {
  readonly decides: Rule;
  /** What its `canList` decides; undefined for a guard without. */
  readonly lists: Rule | undefined;
  readonly isRequestScoped: boolean;
  /** True where `canList` is a property of the instance. */
  readonly isField: boolean;
}

export type Kind = 'tool' | 'resource' | 'template' | 'prompt' | 'engine';

export interface EntrySpec {
  readonly kind: Kind;
  /** Which module provides it. */
  readonly module: number;
  readonly ofClass: readonly GuardSpec[];
  readonly ofMethod: readonly GuardSpec[];
  /** Guards of a subclass, which is then what serves: on the class and on its override. */
  readonly ofChild: readonly GuardSpec[] | undefined;
  readonly scopes: 'none' | 'told' | 'hidden';
  readonly needsAdmin: boolean;
  readonly requires: 'nothing' | 'allowed' | 'denied';
}

export interface GraphSpec {
  /** For each module after the first, which one before it imports it. */
  readonly importedBy: readonly number[];
  readonly provided: readonly GuardSpec[];
  readonly added: readonly GuardSpec[];
  readonly entries: readonly EntrySpec[];
}

const rule = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<Rule>('everybody', 'later', 'user', 'admin', 'scope') },
  { weight: 1, arbitrary: fc.constantFrom<Rule>('nobody', 'throws', 'rejects', 'truthy', 'undefined') },
);
const guard: fc.Arbitrary<GuardSpec> = fc
  .record({ decides: rule, listing: fc.constantFrom('same', 'same', 'none'), isRequestScoped: chance(8), isField: chance(4) })
  .map(({ listing, ...own }) => ({ ...own, lists: listing === 'same' ? own.decides : undefined }));
// Global guards stand before everything: one that admits nobody would leave nothing to see.
const globalGuard = guard.map((each): GuardSpec => (chanceOf(each) ? each : { ...each, decides: 'everybody', lists: 'everybody' }));
const entry: fc.Arbitrary<EntrySpec> = fc.record({
  kind: fc.constantFrom<Kind>('tool', 'resource', 'template', 'prompt', 'engine'),
  module: fc.nat(3),
  ofClass: fc.array(guard, { maxLength: 1 }),
  ofMethod: fc.array(guard, { maxLength: 2 }),
  ofChild: fc.option(fc.array(guard, { maxLength: 1 }), { nil: undefined, freq: 2 }),
  scopes: fc.constantFrom('none', 'none', 'none', 'told', 'hidden'),
  needsAdmin: chance(5),
  requires: fc.constantFrom('nothing', 'nothing', 'nothing', 'nothing', 'allowed', 'denied'),
});

export const graphs: fc.Arbitrary<GraphSpec> = fc.record({
  importedBy: fc.array(fc.nat(3), { maxLength: 3 }).map((parents) => parents.map((parent, index) => Math.min(parent, index))),
  provided: fc.array(globalGuard, { maxLength: 1 }),
  added: fc.array(globalGuard, { maxLength: 1 }),
  entries: fc.array(entry, { minLength: 5, maxLength: 12 }),
});

function chance(oneIn: number): fc.Arbitrary<boolean> {
  return fc.nat(oneIn - 1).map((number) => number === 0);
}

function chanceOf({ decides }: GuardSpec): boolean {
  return ['everybody', 'later', 'user', 'scope'].includes(decides);
}

/** What stands before an entry, in order: without the guards of the ready-made kind. */
export function guardsOf({ provided, added }: GraphSpec, entry: EntrySpec | undefined): readonly GuardSpec[] {
  const own = entry === undefined ? [] : [...entry.ofClass, ...(entry.ofChild ?? []), ...entry.ofMethod, ...(entry.ofChild ?? [])];
  return [...provided, ...added, ...own];
}

export function admits(rule: Rule, principal: Principal | undefined): boolean {
  if (rule === 'everybody' || rule === 'later') return true;
  if (rule === 'user') return principal !== undefined;
  if (rule === 'admin') return principal?.roles?.includes('admin') ?? false;
  return rule === 'scope' && (principal?.scopes.includes('docs') ?? false);
}

/** What the specification of an entry says of a caller: whether it may know of the entry, and whether it may use it. */
export function expected(
  graph: GraphSpec,
  entry: EntrySpec | undefined,
  principal: Principal | undefined,
): { seen: boolean; used: boolean } {
  const guards = guardsOf(graph, entry);
  const hasScope = entry === undefined || entry.scopes === 'none' || admits('scope', principal);
  const seen =
    guards.every(({ lists }) => lists === undefined || admits(lists, principal)) &&
    (hasScope || entry?.scopes === 'told') &&
    (entry?.needsAdmin !== true || admits('admin', principal)) &&
    entry?.requires !== 'denied';
  return { seen, used: seen && hasScope && guards.every(({ decides }) => admits(decides, principal)) };
}

/** True where nothing but guards that also decide lists stands before an entry. */
export function isListedExactly(graph: GraphSpec, entry: EntrySpec | undefined): boolean {
  return entry?.scopes !== 'told' && guardsOf(graph, entry).every(({ lists }) => lists !== undefined);
}
