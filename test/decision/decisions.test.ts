import fc from 'fast-check';
import type { McpApplication } from 'perch-mcp';
import { buildApp, namesOf, trace } from './build-app';
import { expected, graphs, guardsOf, isListedExactly, type EntrySpec, type GraphSpec, type Kind } from './graph-spec';
import { openDoors, type RawDoor } from './raw-doors';

const SEED = 20_260_728;
const GRAPHS = 60;
const RUNS = 5_000;

/** One graph, served, and what can be asked of it. */
interface Served {
  readonly graph: GraphSpec;
  readonly app: McpApplication;
  readonly doors: readonly RawDoor[];
}

const served: Served[] = [];

beforeAll(async () => {
  for (const graph of fc.sample(graphs, { seed: SEED, numRuns: GRAPHS })) {
    const app = await buildApp(graph);
    served.push({ graph, app, doors: await openDoors(app) });
  }
});

afterAll(() => Promise.all(served.map(({ app }) => app.close())));

const LISTS: Readonly<Record<Kind, readonly [method: string, key: string, field: string]>> = {
  tool: ['tools/list', 'tools', 'name'],
  engine: ['tools/list', 'tools', 'name'],
  prompt: ['prompts/list', 'prompts', 'name'],
  resource: ['resources/list', 'resources', 'uri'],
  template: ['resources/templates/list', 'resourceTemplates', 'uriTemplate'],
};

type Question = readonly [method: string, params: Record<string, unknown>];

const argument = { name: 'id', value: 'x' };
const readable = (key: string, kind: Kind): string => (kind === 'template' ? `${key}://1` : `${key}://it`);

/** Every way to use an entry that has this key. */
function questions(kind: Kind, key: string, era: RawDoor['era']): readonly Question[] {
  const { uri } = namesOf({ kind }, key);
  const state = { requestState: 'forged', inputResponses: {} };
  if (kind === 'tool' || kind === 'engine')
    return [
      ['tools/call', { name: key }],
      ['tools/call', { name: key, arguments: { wrong: [] } }],
      ...(era === 'modern' ? [['tools/call', { name: key, ...state }] as const] : []),
    ];
  if (kind === 'prompt') {
    return [
      ['prompts/get', { name: key, arguments: { id: 'x' } }],
      ['prompts/get', { name: key, arguments: {} }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: key }, argument }],
    ];
  }
  const read: Question = ['resources/read', { uri: readable(key, kind) }];
  const subscribe: Question[] = era === 'legacy' ? [['resources/subscribe', { uri: readable(key, kind) }]] : [];
  const complete: Question[] = kind === 'template' ? [['completion/complete', { ref: { type: 'ref/resource', uri }, argument }]] : [];
  return [read, ...subscribe, ...complete];
}

async function listed(door: RawDoor, kind: Kind): Promise<readonly string[]> {
  const [method, key, field] = LISTS[kind];
  const text = (await door.ask(method)).replace(/^[^{]*/, '');
  const { result } = JSON.parse(text) as { result: Record<string, readonly Record<string, string>[]> };
  if (result === undefined) throw new Error(text);
  return (result[key] ?? []).map((each) => each[field] ?? '');
}

/** What a caller should find in a list. */
function shouldList({ graph }: Served, { principal }: RawDoor, kind: Kind): readonly string[] {
  const [method, , field] = LISTS[kind];
  const entries = graph.entries.map((entry, index) => ({ entry, key: `e${String(index)}` }));
  const own = entries.filter(({ entry }) => LISTS[entry.kind][0] === method && expected(graph, entry, principal).seen);
  const items = entries.filter(
    ({ entry }) => method === 'resources/list' && entry.kind === 'template' && expected(graph, entry, principal).used,
  );
  const late = method === 'tools/list' && expected(graph, undefined, principal).seen ? ['late'] : [];
  const names = own.map(({ entry, key }) => (field === 'name' ? key : namesOf(entry, key).uri));
  return [...names, ...late, ...items.map(({ key }) => `${key}://1`)].sort();
}

/** Replaces a key by another of the same length, so that what was said of two keys can be compared byte for byte. */
const renamed = (text: string, from: string, to: string): string =>
  text.replaceAll(`"${from}`, `"${to}`).replaceAll(`\\"${from}\\"`, `\\"${to}\\"`);

async function checkQuestion({ graph }: Served, door: RawDoor, { entry, key, kind, how }: Asked): Promise<void> {
  const { seen, used } = expected(graph, entry, door.principal);
  const [about, aboutUnknown] = [key, UNKNOWN].map((each) => questions(kind, each, door.era)) as [Question[], Question[]];
  const [method, params] = about[how % about.length] as Question;
  trace.length = 0;
  const text = await door.ask(method, params);
  const steps = [...trace];
  const unknown = await door.ask(...(aboutUnknown[how % about.length] as Question));
  const isAsUnknown = renamed(text, key, UNKNOWN) === unknown;
  if (!seen) expect([isAsUnknown, steps]).toEqual([true, []]);
  else if (!used && method !== 'tools/call') expect(isAsUnknown).toBe(true);
  else if (!used && params['requestState'] === undefined) expect(text).toContain('"Forbidden"');
  else expect(isAsUnknown).toBe(false);
  const handled = steps.findIndex(([who]) => who === key);
  if (used && how % about.length === 0) expect(handled).not.toBe(-1);
  if (handled === -1) return;
  expect(used).toBe(true);
  expect(steps.slice(0, handled)).toEqual(guardsOf(graph, entry).map((guard) => [guard, true]));
}

interface Asked {
  readonly entry: EntrySpec | undefined;
  readonly key: string;
  readonly kind: Kind;
  readonly how: number;
}

const UNKNOWN = 'zz';

test(`D18: who may use an entry is decided alike at every door, and lists, answers and handlers agree on it, in ${String(RUNS)} runs`, async () => {
  const counted = { hidden: 0, denied: 0, used: 0 };
  const run = async (which: number, at: number, of: number, how: number): Promise<void> => {
    const one = served[which % served.length] as Served;
    const door = one.doors[at % one.doors.length] as RawDoor;
    const index = of % (one.graph.entries.length + 1);
    const entry = one.graph.entries[index];
    const key = entry === undefined ? 'late' : `e${String(index)}`;
    const kind = entry?.kind ?? 'tool';
    const { seen, used } = expected(one.graph, entry, door.principal);
    counted[used ? 'used' : seen ? 'denied' : 'hidden'] += 1;
    expect([...(await listed(door, kind))].sort()).toEqual(shouldList(one, door, kind));
    if (isListedExactly(one.graph, entry)) expect(seen).toBe(used);
    await checkQuestion(one, door, { entry, key, kind, how });
    const isResource = kind === 'resource' || kind === 'template';
    if (door.listen !== undefined && isResource) expect(await door.listen(readable(key, kind))).toBe(used);
  };
  const n = fc.nat(1_000_000);
  await fc.assert(fc.asyncProperty(n, n, n, n, run), { numRuns: RUNS, seed: SEED });
  for (const count of Object.values(counted)) expect(count).toBeGreaterThan(RUNS / 20);
}, 300_000);
