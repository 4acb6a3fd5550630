import { MemoryFlowStore } from '../../../src/invocation/ask/memory-flow-store';

test('the first claim of a round wins, and a repeat gets its outcome, now and later', async () => {
  const store = new MemoryFlowStore(10, 60_000);
  expect([await store.claim('f', 1), await store.claim('f', 1), await store.claim('f', 2), await store.claim('g', 1)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  const waiting = store.outcome('f', 1);
  await store.settle('f', 1, { result: 'done' });
  expect([await waiting, await store.outcome('f', 1)]).toEqual([{ result: 'done' }, { result: 'done' }]);
});

test('a round that is given up can be claimed again, and who waited is told', async () => {
  const store = new MemoryFlowStore(10, 60_000);
  await store.claim('f', 1);
  const waiting = store.outcome('f', 1);
  await store.release('f', 1);
  expect([await waiting, await store.claim('f', 1)]).toEqual([undefined, true]);
});

test('effects are kept by flow and key', async () => {
  const store = new MemoryFlowStore(10, 60_000);
  await store.keepEffect('f', '__proto__', 1);
  await store.keepEffect('f', 'a', { b: 2 });
  expect(Object.entries(await store.effects('f'))).toEqual([
    ['__proto__', 1],
    ['a', { b: 2 }],
  ]);
  expect(await store.effects('g')).toEqual({});
});

test('above the limit the flow that was touched longest ago is forgotten', async () => {
  const store = new MemoryFlowStore(2, 60_000);
  await store.claim('a', 1);
  await store.claim('b', 1);
  await store.effects('a');
  await store.claim('c', 1);
  expect([store.size, await store.claim('a', 1), store.size]).toEqual([2, false, 2]);
  expect(await store.claim('b', 1)).toBe(true);
});

test('a flow that nobody touched for its lifetime is forgotten', async () => {
  const store = new MemoryFlowStore(100, 1);
  for (let count = 0; count < 50; count += 1) await store.claim(String(count), 1);
  await new Promise((resolve) => setTimeout(resolve, 10));
  await store.claim('last', 1);
  expect(store.size).toBe(1);
});
