import { closeApps } from '../../support/app';
import { openRawDoors, type Exchange, type RawDoor } from '../../support/raw-doors';
import { createCorpusApp } from './corpus-app';
import { DIFFERENCES, withoutDifferences, type Difference } from './differences';
import { EMPTY, FAULTS, RESULTS } from './misbehaving-tools';
import { CORPUS } from './requests';

/** What one door said to each request, and what was asked. */
interface Heard {
  readonly members: Readonly<Record<string, unknown>>;
  readonly exchange: Exchange;
}

let doors: readonly RawDoor[];
const heard = new Map<string, ReadonlyMap<string, Heard>>();

beforeAll(async () => {
  doors = await openRawDoors(createCorpusApp);
  for (const door of doors) heard.set(door.name, await askAll(door));
});

afterAll(closeApps);

async function askAll(door: RawDoor): Promise<ReadonlyMap<string, Heard>> {
  const answers = new Map<string, Heard>();
  let cursor = '';
  for (const { name, members: given } of CORPUS) {
    const members = typeof given === 'function' ? given(cursor) : given;
    const exchange = await door.send(members);
    const next: unknown = exchange.answer.result?.['nextCursor'];
    if (typeof next === 'string') cursor = next;
    answers.set(name, { members, exchange: comparable(exchange) });
  }
  return answers;
}

/** References into the log and cursors are new each time. */
function comparable(exchange: Exchange): Exchange {
  const text = JSON.stringify(exchange, (key, value: unknown) => (key === 'nextCursor' && typeof value === 'string' ? 'a cursor' : value));
  return JSON.parse(text.replaceAll(/\(ref [0-9a-f]{8}\)/g, '(ref)')) as Exchange;
}

const from = (door: string, name: string): Heard => heard.get(door)?.get(name) as Heard;

/** The exchange without what the specification lets differ, and what that was. */
function reconciled(door: RawDoor, name: string, exchange = from(door.name, name).exchange): ReturnType<typeof withoutDifferences> {
  const { members } = from(door.name, name);
  const { exchange: reference } = from('stdio legacy', name);
  return withoutDifferences(exchange, { door, members, reference, status: from('HTTP legacy', name).exchange.status });
}

test('the corpus has at least 60 requests, each under a name of its own', () => {
  expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
  expect(CORPUS.length).toBeGreaterThanOrEqual(60);
});

test.each(CORPUS)('over stdio, HTTP and memory, in both eras, the answer is the same to $name', ({ name }) => {
  const { exchange: reference } = from('stdio legacy', name);
  for (const door of doors) expect([door.name, reconciled(door, name).exchange]).toEqual([door.name, reference]);
});

test.each(DIFFERENCES)('the specification names it and it occurs: $says', (difference: Difference) => {
  const used = doors.flatMap((door) => CORPUS.flatMap(({ name }) => reconciled(door, name).used));
  expect(used).toContain(difference);
  expect(difference.link).toMatch(/^https:\/\/modelcontextprotocol\.io\/specification\/20\d\d-\d\d-\d\d\/[a-z/-]+(#[a-z_-]+)?$/);
});

describe('an answer that differs is seen', () => {
  const CALL = 'tools/call: greet {"name":"Ada"} {}';
  const wrong: readonly (readonly [string, string, (exchange: Exchange) => object])[] = [
    ['another text', CALL, ({ answer }) => ({ answer: { ...answer, result: { ...answer.result, content: [] } } })],
    ['another id', CALL, ({ answer }) => ({ answer: { ...answer, id: 'other' } })],
    ['one more member', CALL, ({ answer }) => ({ answer: { ...answer, result: { ...answer.result, more: 1 } } })],
    ['another type of result', CALL, ({ answer }) => ({ answer: { ...answer, result: { ...answer.result, resultType: 'other' } } })],
    ['a result in place of an error', 'no/such: unknown', ({ answer }) => ({ answer: { ...answer, error: undefined, result: {} } })],
    ['a notification too many', CALL, () => ({ notifications: [{ method: 'notifications/message' }] })],
    ['a notification too few', 'tools/call: progress {} {"_meta":{"progressToken":"p"}}', () => ({ notifications: [] })],
    ['another status', CALL, () => ({ status: 404 })],
    [
      'another error for what was removed',
      'ping: again',
      ({ answer }) => ({ answer: { ...answer, error: { code: -32603, message: 'x' } } }),
    ],
  ];

  test.each(wrong)('%s', (_what, name, spoil) => {
    for (const door of doors) {
      const { exchange } = from(door.name, name);
      const spoilt = { ...exchange, ...spoil(exchange) };
      expect([door.name, reconciled(door, name, spoilt).exchange]).not.toEqual([door.name, from('stdio legacy', name).exchange]);
    }
  });
});

const named = (name: string): string => `tools/call: ${name}  {}`;

test.each(Object.keys(FAULTS))('B9: the handler that "%s" is answered with one failed call and nothing of what it threw', (name) => {
  for (const door of doors) {
    const { answer, notifications } = from(door.name, named(name)).exchange;
    const text = name === 'never-settles' ? 'Timed out' : 'Internal error (ref)';
    expect([door.name, answer.result, notifications]).toEqual([
      door.name,
      expect.objectContaining({ content: [{ type: 'text', text }], isError: true }),
      [],
    ]);
  }
});

test.each(Object.entries(RESULTS))('B10: the handler that "%s" is answered once, with a text or a reference', (name, { text }) => {
  for (const door of doors) {
    const { result } = from(door.name, named(name)).exchange.answer;
    const content = [{ type: 'text', text: text ?? 'Internal error (ref)' }];
    expect([door.name, result?.['content'], result?.['isError'] ?? false]).toEqual([door.name, content, text === undefined]);
  }
});

test.each(Object.keys(EMPTY))('B10: the handler that "%s" is answered with empty content', (name) => {
  for (const door of doors) {
    expect([door.name, from(door.name, named(name)).exchange.answer.result]).toEqual([door.name, expect.objectContaining({ content: [] })]);
  }
});
