import fc from 'fast-check';
import { compare } from './compare';
import { DIFFERENCES, type DifferenceName } from './differences';
import { generatedGraph } from './generated-graphs';
import { graphOfGlobals } from './generated-globals';
import type { GraphSpec } from './graph-spec';
import { NestProcess } from './nest-process';
import { observe, type Observation } from './observe';
import { PerchDriver } from './perch-driver';
import { asksForItself, declaresTransient } from './read-spec';
import { WRITTEN_GRAPHS, type WrittenGraph } from './written-graphs';

jest.setTimeout(120_000);

const GENERATED = 300;
const GENERATED_GLOBALS = 200;
const SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? 20_260_728);
const nestProcess = new NestProcess();
const counts = new Map<DifferenceName, number>();

afterAll(() => nestProcess.stop());

/** What every graph shows that has hooks, operations or several mistakes at all. */
const EVERYWHERE: ReadonlySet<DifferenceName> = new Set([
  'all problems together',
  'close once',
  'exact reverse',
  'operation ends its instances',
]);

interface Look {
  readonly nest: Observation;
  readonly found: readonly DifferenceName[];
}

async function look(spec: GraphSpec): Promise<Look> {
  const [nest, perch] = await Promise.all([nestProcess.observe(spec), observe(spec, new PerchDriver())]);
  const found = compare({ spec, nest, perch });
  for (const each of found) counts.set(each, (counts.get(each) ?? 0) + 1);
  return { nest, found: [...found] };
}

async function expectAsWritten({ graph, refused, initFails, shows = [] }: WrittenGraph): Promise<void> {
  const { nest, found } = await look(graph);
  expect([nest.refused, nest.initFailed]).toEqual([refused === undefined ? [] : [refused], initFails === true ? ['failed'] : []]);
  expect(found.filter((each) => !EVERYWHERE.has(each))).toEqual(shows);
}

describe('beside the real NestJS', () => {
  test.each(WRITTEN_GRAPHS)('$behaviour', expectAsWritten);

  test(`${GENERATED} generated graphs give the same instances, the same order of hooks and the same kind of error`, async () => {
    const kinds = new Map<string, number>();
    const check = async (spec: GraphSpec): Promise<void> => {
      // NestJS takes an optional dependency on itself for a missing one.
      fc.pre(!asksForItself(spec));
      // It would follow a circle of transient providers for ever.
      if (declaresTransient(spec)) fc.pre(!(await observe(spec, new PerchDriver())).refused.includes('circle'));
      const { nest } = await look(spec);
      const kind = nest.refused[0] ?? 'booted';
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    };
    // Without shrinking: it leads to graphs with which NestJS never ends.
    await fc.assert(fc.asyncProperty(generatedGraph, check), { numRuns: GENERATED, seed: SEED, endOnFailure: true });
    // Enough of both were among them.
    expect(kinds.get('booted')).toBeGreaterThan(GENERATED / 2);
    expect(kinds.get('unknown dependency')).toBeGreaterThan(GENERATED / 10);
  });

  test(`${GENERATED_GLOBALS} generated graphs of global modules that export one token inject that of the same module`, async () => {
    const providers = new Set<string | undefined>();
    const check = async (spec: GraphSpec): Promise<void> => {
      const { nest } = await look(spec);
      expect(nest.refused).toEqual([]);
      const taker = nest.instances.find(({ label }) => label === 'M0/taker');
      providers.add(nest.instances[Number(taker?.args[0]?.slice(1))]?.label);
    };
    await fc.assert(fc.asyncProperty(graphOfGlobals, check), { numRuns: GENERATED_GLOBALS, seed: SEED, endOnFailure: true });
    // It was not the same module each time.
    expect(providers.size).toBeGreaterThan(3);
  });

  test('every difference that is named occurs', () => {
    expect([...counts.keys()].sort()).toEqual(Object.keys(DIFFERENCES).sort());
  });
});
