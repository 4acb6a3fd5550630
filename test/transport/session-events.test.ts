import { ReplayBudget, type ReplayLimits } from '../../src/transport/http/replay-budget';
import { SessionEvents } from '../../src/transport/http/session-events';

type Message = Parameters<SessionEvents['storeEvent']>[1];

const LIMITS: ReplayLimits = { replayEvents: 1_000, replayMs: 300_000, replayBytes: 64 * 1024 * 1024 };
const CALL = 'a3e1c7f2-0000-4000-8000-000000000001';
const OTHER = 'a3e1c7f2-0000-4000-8000-000000000002';
const STANDALONE = '_GET_stream';

const PRIMING = {} as Message;
const progress = (at: number): Message => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 1, progress: at },
});
const question = (id: number): Message => ({ jsonrpc: '2.0', id, method: 'roots/list' });
const answer = (text = 'done'): Message => ({ jsonrpc: '2.0', id: 1, result: { text } });
const CHANGED: Message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

function session(limits: Partial<ReplayLimits> = {}): SessionEvents {
  return new SessionEvents(new ReplayBudget({ ...LIMITS, ...limits }));
}

async function replay(events: SessionEvents, after: string): Promise<{ id: string; message: Message }[]> {
  const sent: { id: string; message: Message }[] = [];
  await events.replayEventsAfter(after, { send: (id, message) => Promise.resolve(void sent.push({ id, message })) });
  return sent;
}

async function messagesAfter(events: SessionEvents, after: string): Promise<Message[]> {
  return (await replay(events, after)).map(({ message }) => message);
}

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

test('A31: what follows an event on its own stream is sent again in order, with the ids it had, and nothing of another stream', async () => {
  const events = session();
  const primed = await events.storeEvent(CALL, PRIMING);
  await events.storeEvent(OTHER, PRIMING);
  const first = await events.storeEvent(CALL, progress(1));
  await events.storeEvent(OTHER, progress(7));
  const asked = await events.storeEvent(CALL, question(1));
  await events.storeEvent(STANDALONE, CHANGED);
  const second = await events.storeEvent(CALL, progress(2));
  const last = await events.storeEvent(CALL, answer());
  await events.storeEvent(OTHER, answer('other'));
  expect(await replay(events, primed)).toEqual([
    { id: first, message: progress(1) },
    { id: asked, message: question(1) },
    { id: second, message: progress(2) },
    { id: last, message: answer() },
  ]);
  expect(await messagesAfter(events, asked)).toEqual([progress(2), answer()]);
  expect(await messagesAfter(events, last)).toEqual([]);
});

test('A31: an id means nothing in another session, not even for the stream that both have', async () => {
  const [mine, yours] = [session(), session()];
  await mine.storeEvent(STANDALONE, CHANGED);
  await mine.storeEvent(STANDALONE, CHANGED);
  const foreign = await yours.storeEvent(STANDALONE, CHANGED);
  expect(mine.resumption(foreign)).toBeUndefined();
  await expect(replay(mine, foreign)).rejects.toThrow('gone');
});

test('A31: garbage, and an event that never was, are no place in a stream', async () => {
  const events = session();
  const id = await events.storeEvent(CALL, PRIMING);
  const [number = '', name = '', stream = ''] = id.split('.');
  const wrong = ['', '.', '..', 'x', '1', `0.${name}.${stream}`, `2.${name}.${stream}`, `01.${name}.${stream}`, `1e0.${name}.${stream}`];
  const odd = [`-1.${name}.${stream}`, `${number}.${name}.${OTHER}`, `${number}.${name}.__proto__`, `${id} `, `${id}\n`, `${id}, ${id}`];
  for (const each of [...wrong, ...odd, '9'.repeat(10_000), '\u0000']) expect([each, events.resumption(each)]).toEqual([each, undefined]);
  expect(events.resumption(id)).toEqual({ isOver: false, isOfRequest: true });
});

test('a stream is over when its answer has been sent and nothing follows; the stream without a request never is', async () => {
  const events = session();
  const primed = await events.storeEvent(CALL, PRIMING);
  const last = await events.storeEvent(CALL, answer());
  const changed = await events.storeEvent(STANDALONE, CHANGED);
  expect(events.resumption(primed)).toEqual({ isOver: false, isOfRequest: true });
  expect(events.resumption(last)).toEqual({ isOver: true, isOfRequest: true });
  expect(events.resumption(changed)).toEqual({ isOver: false, isOfRequest: false });
});

test('an answer that nobody waits for ends its stream and is not kept', async () => {
  const events = session();
  const primed = await events.storeEvent(CALL, PRIMING);
  const unsaid = answer();
  events.withhold(unsaid);
  await events.storeEvent(CALL, unsaid);
  expect(events.size).toBe(1);
  expect(events.resumption(primed)).toEqual({ isOver: true, isOfRequest: true });
});

test('what is stored while it is sent again is sent as well, once', async () => {
  const events = session();
  const primed = await events.storeEvent(CALL, PRIMING);
  await events.storeEvent(CALL, progress(1));
  const sent: Message[] = [];
  await events.replayEventsAfter(primed, {
    send: async (_id, message) => {
      sent.push(message);
      if (sent.length === 1) await events.storeEvent(CALL, progress(2));
      if (sent.length === 2) await events.storeEvent(CALL, answer());
    },
  });
  expect(sent).toEqual([progress(1), progress(2), answer()]);
});

test('an event is what was sent, whatever its author does to the object later', async () => {
  const events = session();
  const primed = await events.storeEvent(CALL, PRIMING);
  const mutable = { jsonrpc: '2.0' as const, id: 1, result: { text: 'as sent' } };
  await events.storeEvent(CALL, mutable);
  mutable.result.text = 'changed';
  expect(await messagesAfter(events, primed)).toEqual([answer('as sent')]);
});

describe('C8: the number of events', () => {
  test('progress and log messages are dropped first, and the answer is still found after any number of them', async () => {
    const events = session({ replayEvents: 3 });
    const primed = await events.storeEvent(CALL, PRIMING);
    for (let at = 1; at <= 100; at += 1) await events.storeEvent(CALL, progress(at));
    await events.storeEvent(CALL, answer());
    expect(events.size).toBe(3);
    expect(await messagesAfter(events, primed)).toEqual([progress(99), progress(100), answer()]);
  });

  test('where anything else was dropped, the way back is closed and not cut short', async () => {
    const events = session({ replayEvents: 2 });
    const primed = await events.storeEvent(CALL, PRIMING);
    const first = await events.storeEvent(CALL, question(1));
    const second = await events.storeEvent(CALL, question(2));
    await events.storeEvent(CALL, question(3));
    expect(events.resumption(primed)).toBeUndefined();
    await expect(replay(events, primed)).rejects.toThrow('gone');
    expect(await messagesAfter(events, first)).toEqual([question(2), question(3)]);
    expect(await messagesAfter(events, second)).toEqual([question(3)]);
  });

  test('a stream that goes on is known however little of it is kept; one that has ended goes with its last event', async () => {
    const events = session({ replayEvents: 1 });
    const primed = await events.storeEvent(CALL, PRIMING);
    await events.storeEvent(OTHER, PRIMING);
    expect(events.resumption(primed)).toEqual({ isOver: false, isOfRequest: true });
    await events.storeEvent(CALL, answer());
    await events.storeEvent(OTHER, answer());
    expect(events.resumption(primed)).toBeUndefined();
    expect([events.size, events.streams]).toEqual([1, 1]);
  });

  test('1,000,000 events leave as many as the limit', async () => {
    jest.useRealTimers();
    const budget = new ReplayBudget({ ...LIMITS, replayBytes: 100_000 });
    const all = Array.from({ length: 10 }, () => new SessionEvents(budget));
    for (let at = 0; at < 1_000_000; at += 1) {
      const events = all[at % all.length];
      await events?.storeEvent(`stream-${String(at >> 6)}`, at % 64 >= 54 ? answer() : progress(at));
    }
    expect(budget.bytes).toBeLessThanOrEqual(100_000);
    expect(budget.bytes).toBeGreaterThan(90_000);
    for (const events of all) expect(events.streams).toBeLessThanOrEqual(events.size + 1);
    const one = session();
    for (let at = 0; at < 200_000; at += 1) await one.storeEvent(STANDALONE, CHANGED);
    expect(one.size).toBe(1_000);
  });
});

describe('C8: their age', () => {
  test('an event that is too old is not sent again, and an answer that was lost to age closes the way back', async () => {
    const events = session({ replayMs: 1_000 });
    const primed = await events.storeEvent(CALL, PRIMING);
    await events.storeEvent(CALL, answer());
    jest.advanceTimersByTime(1_000);
    expect(await messagesAfter(events, primed)).toEqual([answer()]);
    jest.advanceTimersByTime(1);
    expect(events.resumption(primed)).toBeUndefined();
    expect([events.size, events.streams]).toEqual([0, 0]);
  });

  test('a client that missed nothing comes back to a running stream after any time', async () => {
    const events = session({ replayMs: 1_000 });
    const primed = await events.storeEvent(CALL, PRIMING);
    const asked = await events.storeEvent(CALL, question(1));
    jest.advanceTimersByTime(60_000);
    expect(events.resumption(asked)).toEqual({ isOver: false, isOfRequest: true });
    expect(events.resumption(primed)).toBeUndefined();
    await events.storeEvent(CALL, answer());
    expect(await messagesAfter(events, asked)).toEqual([answer()]);
  });

  test('what is too old is let go when the budget is looked through, and no timer is needed for it', async () => {
    const budget = new ReplayBudget({ ...LIMITS, replayMs: 1_000 });
    const events = new SessionEvents(budget);
    await events.storeEvent(CALL, answer());
    expect(jest.getTimerCount()).toBe(0);
    jest.advanceTimersByTime(1_001);
    budget.expire();
    expect([events.size, events.streams, budget.bytes]).toEqual([0, 0, 0]);
  });
});

describe('C8: their bytes', () => {
  test('the session that keeps most pays for what is too much, and the others keep theirs', async () => {
    const budget = new ReplayBudget({ ...LIMITS, replayBytes: 10_000 });
    const [quiet, loud] = [new SessionEvents(budget), new SessionEvents(budget)];
    const kept = await quiet.storeEvent(CALL, PRIMING);
    await quiet.storeEvent(CALL, answer('kept'));
    const primed = await loud.storeEvent(CALL, PRIMING);
    for (let at = 0; at < 100; at += 1) await loud.storeEvent(CALL, { ...question(at), params: { text: 'x'.repeat(1_000) } });
    expect(budget.bytes).toBeLessThanOrEqual(10_000);
    expect(loud.resumption(primed)).toBeUndefined();
    expect(await messagesAfter(quiet, kept)).toEqual([answer('kept')]);
  });

  test('what is larger than all of it is not kept, and a client that missed it is told', async () => {
    const events = session({ replayBytes: 1_000 });
    const primed = await events.storeEvent(CALL, PRIMING);
    await events.storeEvent(CALL, answer('x'.repeat(2_000)));
    expect(events.size).toBe(0);
    expect(events.resumption(primed)).toBeUndefined();
  });

  test('a session that is closed gives everything back and keeps nothing more', async () => {
    const budget = new ReplayBudget(LIMITS);
    const events = new SessionEvents(budget);
    const id = await events.storeEvent(CALL, answer());
    events.close();
    expect(await events.storeEvent(CALL, answer())).toBe('');
    expect([events.size, events.streams, budget.bytes, events.resumption(id)]).toEqual([0, 0, 0, undefined]);
  });
});
