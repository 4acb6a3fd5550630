import { runCheck } from './run-check';

jest.setTimeout(300_000);

/** Fails with what was printed. */
async function mustHold(name: string): Promise<void> {
  const { isGood, printed } = await runCheck('--only', name, '--brief');
  expect(isGood ? '' : printed).toBe('');
}

test('B1, B5, B12: signals, the end of input and disconnects under 64 calls on every transport lose and double no answer, and leave nothing', async () => {
  await mustHold('faults');
});

test('C1, F1: 1,000 calls at once by 50 clients that use the same ids each get their own text', async () => {
  await mustHold('same-ids');
});

test('C3: the heap after 10,000 calls is within 5 % of what it was after 1,000, and every request scope is disposed', async () => {
  await mustHold('heap');
});

test('C4: after 1,000 connects and disconnects in every way, descriptors, listeners, sessions and timers are back where they were', async () => {
  await mustHold('connections');
});

test('C5: sessions whose clients vanish end when they are idle, and a flood above the limit harms none that is in use', async () => {
  await mustHold('sessions');
});

test('C6: starts and ends in one process leave no heap, no listener for signals and no open resource', async () => {
  await mustHold('boot-cycles');
});

test('C10: good, bad and slow calls, 200 a second, are each answered as they should be', async () => {
  await mustHold('load');
});

test('D1, D3: 1,000 requests with a foreign Host or Origin are refused on every path and method', async () => {
  await mustHold('doors');
});
