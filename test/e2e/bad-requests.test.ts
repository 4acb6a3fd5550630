import { IsInt, IsString } from 'class-validator';
import { Injectable, McpPrompt, McpResource, McpTool, type McpApplication } from 'perch-mcp';
import { closeApps, createApp } from '../support/app';
import { openRawDoors, type Exchange, type RawDoor } from '../support/raw-doors';

let entered = 0;

class Input {
  @IsString() name!: string;
  @IsInt() count!: number;
}

class Args {
  @IsString() city!: string;
}

@Injectable()
class Probes {
  @McpTool({ name: 'probe', description: 'd', input: Input })
  probe({ name }: Input): string {
    entered += 1;
    return name;
  }

  @McpPrompt({ name: 'probe', args: Args })
  get({ city }: Args): string {
    entered += 1;
    return city;
  }

  @McpResource({ uri: 'ids:{/id*}', name: 'ids' })
  ids(): string {
    return 'ids';
  }

  @McpResource({ uri: 'tags://x{?tags*}', name: 'tags' })
  tags(): string {
    return 'tags';
  }

  @McpResource({ uri: 'path://{+path}', name: 'path' })
  path(): string {
    return 'path';
  }
}

type Members = Readonly<Record<string, unknown>>;

/** A request that must be refused, and the refusal: a code, or what a failed call says. */
interface Row {
  readonly id: string;
  readonly what: string;
  readonly members: (door: Pick<RawDoor, 'transport' | 'era'>) => Members;
  readonly expected: number | RegExp;
  /** Where the era has no such method, it is unknown. */
  readonly isLegacyOnly?: boolean;
}

const row = (id: string, what: string, members: Members | Row['members'], expected: number | RegExp): Row => ({
  id,
  what,
  members: typeof members === 'function' ? members : () => members,
  expected,
});
const call = (what: string, params: unknown, expected: number | RegExp): Row =>
  row('A17', what, params === undefined ? { method: 'tools/call' } : { method: 'tools/call', params }, expected);
const probe = (what: string, args: unknown, expected: number | RegExp): Row => call(what, { name: 'probe', arguments: args }, expected);
const GOOD = { name: 'x', count: 1 };

/** A modern client repeats methods and URIs in headers, and Node reads no more than 16 kB of those. */
const long = ({ transport, era }: Pick<RawDoor, 'transport' | 'era'>): number =>
  transport === 'HTTP' && era === 'modern' ? 7_000 : 100_000;
const read = (what: string, uriOf: (length: number) => string): Row =>
  row('A28', what, (door) => ({ method: 'resources/read', params: { uri: uriOf(long(door)) } }), -32602);
const complete = (what: string, params: object): Row => row('A32', what, { method: 'completion/complete', params }, -32602);
const ARGUMENT = { name: 'city', value: '' };

const ROWS: readonly Row[] = [
  row('A15', 'an unknown method', { method: 'no/such' }, -32601),
  row('A15', 'a reserved method', { method: 'rpc.x' }, -32601),
  row('A15', 'a method without end', (door) => ({ method: 'm'.repeat(long(door)) }), -32601),
  row('A16', 'an unknown tool', { method: 'tools/call', params: { name: 'nothing' } }, -32602),
  row('A16', 'a tool without end', (door) => ({ method: 'tools/call', params: { name: 'x'.repeat(long(door)) } }), -32602),
  row('A16', 'an unknown prompt', { method: 'prompts/get', params: { name: 'nothing' } }, -32602),
  row('A16', 'an unknown resource', { method: 'resources/read', params: { uri: 'x://nothing' } }, -32602),
  call('no params', undefined, -32602),
  call('no name', {}, -32602),
  call('a number as name', { name: 5 }, -32602),
  probe('null as arguments', null, -32602),
  probe('a list as arguments', [], -32602),
  probe('text as arguments', 'x', -32602),
  probe('a field that is missing', { count: 1 }, /name/),
  probe('a field of the wrong type', { ...GOOD, count: '1' }, /count/),
  probe('a field too many', { ...GOOD, extra: 1 }, /extra/),
  probe('null in a required field', { ...GOOD, name: null }, /name/),
  call('no arguments at all', { name: 'probe' }, /name/),
  read('100 kB for a list of path segments', (length) => `ids:${'/b'.repeat(length / 2)}?`),
  read('100 kB for a list of query values', (length) => `tags://y?${'tags=1&'.repeat(length / 7)}`),
  read('100 kB for a reserved path', (length) => `path:/${'a/'.repeat(length / 2)}`),
  read('100 kB of braces', (length) => `ids:${'{'.repeat(length)}`),
  row('A32', 'a prompt without its argument', { method: 'prompts/get', params: { name: 'probe' } }, -32602),
  row('A32', 'a number for a prompt', { method: 'prompts/get', params: { name: 'probe', arguments: { city: 5 } } }, -32602),
  complete('an unknown prompt to complete', { ref: { type: 'ref/prompt', name: 'nothing' }, argument: ARGUMENT }),
  complete('an unknown template to complete', { ref: { type: 'ref/resource', uri: 'x://{y}' }, argument: ARGUMENT }),
  complete('an unknown kind of reference', { ref: { type: 'ref/tool', name: 'probe' }, argument: ARGUMENT }),
  { ...row('A32', 'an unknown level', { method: 'logging/setLevel', params: { level: 'loud' } }, -32602), isLegacyOnly: true },
  row('A32', 'a cursor that is garbage', { method: 'tools/list', params: { cursor: 'garbage' } }, -32602),
  row('A32', 'a cursor that is no text', { method: 'prompts/list', params: { cursor: 5 } }, -32602),
];

/** Everything that is wrong with the way a door refuses a request; the next good one must be answered. */
async function faultsOf(door: RawDoor, { members, expected, isLegacyOnly = false }: Row): Promise<string[]> {
  const before = entered;
  const sent = members(door);
  const exchange = await door.send(sent);
  const next = await door.send({ method: 'tools/list' });
  const said = JSON.stringify(exchange.answer);
  const faults: readonly (readonly [boolean, string])[] = [
    [!isRefused(exchange, isLegacyOnly && door.era === 'modern' ? -32601 : expected), `refused otherwise: ${said.slice(0, 200)}`],
    [exchange.status === 404 && exchange.answer.error?.code !== -32601, 'HTTP 404 for a method that exists'],
    [
      door.transport === 'HTTP' && door.era === 'modern' && exchange.answer.error?.code === -32601 && exchange.status !== 404,
      'not HTTP 404',
    ],
    [(exchange.answer.error?.message ?? '').length > 200, 'the message is long'],
    [/\n *at |\.[jt]s:\d|node_modules|Zod/.test(said), 'a stack, a path or a dump'],
    [entered !== before, 'the body was entered'],
    [!Array.isArray(next.answer.result?.['tools']), 'the next request was not answered'],
  ];
  return faults.flatMap(([isFault, what]) => (isFault ? [`${door.name}: ${what}`] : []));
}

function isRefused({ answer }: Exchange, expected: number | RegExp): boolean {
  if (typeof expected === 'number') return answer.error?.code === expected;
  const [block] = (answer.result?.['content'] ?? []) as readonly { readonly text?: string }[];
  return answer.result?.['isError'] === true && expected.test(block?.text ?? '');
}

const create = (): Promise<McpApplication> => createApp([Probes]);
let doors: readonly RawDoor[];

beforeAll(async () => {
  doors = await openRawDoors(create);
});

afterAll(closeApps);

test.each(ROWS)('$id: $what is refused on every transport in both eras, and the next request is answered', async (each) => {
  expect((await Promise.all(doors.map((door) => faultsOf(door, each)))).flat()).toEqual([]);
});

test('A16: only an unknown resource names what was asked for, as data', async () => {
  for (const door of doors) {
    const { answer } = await door.send({ method: 'resources/read', params: { uri: 'x://nothing' } });
    expect([door.name, answer.error?.data]).toEqual([door.name, { uri: 'x://nothing' }]);
    for (const method of ['tools/call', 'prompts/get'])
      expect((await door.send({ method, params: { name: 'nothing' } })).answer.error).not.toHaveProperty('data');
  }
});

test('A32: a cursor of another list, or of another process, is answered -32602', async () => {
  const others = await openRawDoors(async () => {
    const app = await createApp([Probes], { limits: { listPage: 1 } });
    app.tools.register({ name: 'second', execute: () => '' });
    return app;
  });
  for (const [index, door] of others.entries()) {
    const cursor = (await door.send({ method: 'tools/list' })).answer.result?.['nextCursor'];
    expect((await door.send({ method: 'tools/list', params: { cursor } })).answer.result?.['tools']).toHaveLength(1);
    const foreign = [
      await door.send({ method: 'prompts/list', params: { cursor } }),
      await doors[index]?.send({ method: 'tools/list', params: { cursor } }),
    ];
    expect([door.name, foreign.map((each) => each?.answer.error?.code)]).toEqual([door.name, [-32602, -32602]]);
  }
});

/** A server that means well: it does what it can with whatever it is sent. */
const lenient = (): Exchange => ({ answer: { result: { content: [], tools: [] } }, notifications: [] });

/** A server that refuses with the right code, and explains itself with all it knows. */
const chatty = (members: Members, expected: number | RegExp): Exchange => {
  const text = `${JSON.stringify(members)} ${String(expected)}\n    at Server.handle (/srv/app/server.ts:1:1)`;
  if (typeof expected === 'number') return { answer: { error: { code: expected, message: text } }, notifications: [] };
  return { answer: { result: { content: [{ type: 'text', text }], isError: true } }, notifications: [] };
};

test.each(ROWS)('$id: a weak server is caught with $what', async (each) => {
  for (const answer of [lenient, chatty]) {
    const weak = { transport: 'stdio', era: 'legacy', name: 'weak' } as const;
    const send = async (members: Members): Promise<Exchange> =>
      members['method'] === 'tools/list' && members['params'] === undefined ? lenient() : answer(members, each.expected);
    expect(await faultsOf({ ...weak, send }, each)).not.toEqual([]);
  }
});
