import fc from 'fast-check';
import { recordingLogger, someContext } from './boot';
import { expectationOf, makeRoot, type Built, type GraphSketch, type ProviderSketch } from './graph-sketch';
import { Container } from '../../src/container/container';
import { Scope } from '../../src/contracts/scope';
import type { SetupProblem } from '../../src/errors/setup-error';

const TOKENS = ['t0', 't1', 't2', 't3', 't4', 't5'];

const dependency = fc.record({
  token: fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...TOKENS) }, { weight: 1, arbitrary: fc.constant('missing') }),
  isForward: fc.boolean(),
  isOptional: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

const provider: fc.Arbitrary<ProviderSketch> = fc.record({
  token: fc.constantFrom(...TOKENS),
  kind: fc.constantFrom('class', 'class', 'factory', 'async'),
  scope: fc.oneof(
    { weight: 6, arbitrary: fc.constant(Scope.DEFAULT) },
    { weight: 1, arbitrary: fc.constant(Scope.TRANSIENT) },
    { weight: 1, arbitrary: fc.constant(Scope.REQUEST) },
  ),
  dependencies: fc.array(dependency, { maxLength: 2 }),
});

const graph: fc.Arbitrary<GraphSketch> = fc.array(
  fc.record({
    isGlobal: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    imports: fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 3 }),
    providers: fc.uniqueArray(provider, { maxLength: 4, selector: (each) => each.token }),
    exportsAll: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    reexports: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

/** What tsyringe or the engine would say, had the graph not been checked first. */
const FOREIGN = /TypeInfo|Attempted to|Cannot inject|Maximum call stack|RangeError|is not a constructor|Cannot read prop/;

test('2,000 random graphs are each booted with what visibility says, or refused with the true cause first', async () => {
  const seen = { booted: 0, refused: new Map<string, number>() };
  const check = async (sketch: GraphSketch): Promise<void> => {
    const expected = expectationOf(sketch);
    const container = await Container.scan(makeRoot(sketch), { logger: recordingLogger() });
    const { problems } = container;
    expect(summarize(problems)).toEqual(expected.problems);
    expect(problems.map((each) => each.problem + each.fix).join()).not.toMatch(FOREIGN);
    if (problems.length > 0) {
      const code = problems[0]?.code ?? '';
      seen.refused.set(code, (seen.refused.get(code) ?? 0) + 1);
      return;
    }
    expect(await container.build()).toEqual([]);
    seen.booted += 1;
    await checkInstances(container, expected.links);
    await container.init();
    await container.close();
  };
  await fc.assert(fc.asyncProperty(graph, check), { numRuns: 2_000, seed: 20_260_728 });
  // Every kind of graph was among them.
  expect(seen.booted).toBeGreaterThan(200);
  expect([...seen.refused.keys()].sort()).toEqual([
    'MCP_DEPENDENCY_CAPTIVE',
    'MCP_DEPENDENCY_CYCLE',
    'MCP_DEPENDENCY_NOT_EXPORTED',
    'MCP_DEPENDENCY_UNRESOLVED',
  ]);
});

/** The kinds of problem in the order in which they are to come; how many circles there are is a matter of counting. */
function summarize(problems: readonly SetupProblem[]): readonly string[] {
  const lines = problems.map(({ code, where }) => (code === 'MCP_DEPENDENCY_CYCLE' ? code : `${code} ${where.replace(/ \(.*/, '')}`));
  return [...new Set(lines)];
}

async function checkInstances(container: Container, links: ReadonlyMap<string, readonly (string | undefined)[]>): Promise<void> {
  const operation = container.openScope(someContext());
  const shared = new Map<string, unknown>();
  const found: Built[] = [];
  for (const token of TOKENS) {
    for (const reference of container.references(token)) {
      if (!reference.isRequestScoped && !isSingleton(reference)) continue;
      const built = (await reference.get(operation)) as Built;
      if (isSingleton(reference) || !reference.isRequestScoped) shared.set(built.id, built);
      found.push(built);
    }
  }
  for (const built of found) {
    expect([built.id, built.args.map((each) => each?.id)]).toEqual([built.id, links.get(built.id)]);
    for (const arg of built.args) if (arg !== undefined && shared.has(arg.id)) expect(arg).toBe(shared.get(arg.id));
  }
  await operation.close();
}

function isSingleton(reference: object): boolean {
  return (reference as { readonly isBuilt: boolean }).isBuilt;
}
