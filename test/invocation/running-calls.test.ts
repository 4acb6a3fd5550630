import { RunningCalls } from '../../src/invocation/running-calls';

const LONG = 3_600_000;

test('a call is cut off with "Timed out" when its time is up, and its signal aborts', async () => {
  const call = new RunningCalls().begin({ timeoutMs: 1 });
  await expect(call.cutOff).rejects.toThrow('Timed out');
  expect(call.signal.aborted).toBe(true);
  call.end();
});

test('a client that cancels aborts the signal and cuts nothing off', async () => {
  const client = new AbortController();
  const call = new RunningCalls().begin({ timeoutMs: LONG, upstream: client.signal });
  client.abort(new Error('changed my mind'));
  expect(call.signal.reason).toEqual(new Error('changed my mind'));
  const first = await Promise.race([call.cutOff.catch(() => 'cut off'), Promise.resolve('still running')]);
  expect(first).toBe('still running');
  call.end();
});

test('a call whose client had cancelled already begins aborted', () => {
  const call = new RunningCalls().begin({ timeoutMs: LONG, upstream: AbortSignal.abort() });
  expect(call.signal.aborted).toBe(true);
  call.end();
});

test('whenIdle resolves with the last call, and at once when nothing runs', async () => {
  const running = new RunningCalls();
  await running.whenIdle();
  const [first, second] = [running.begin({ timeoutMs: LONG }), running.begin({ timeoutMs: LONG })];
  let isIdle = false;
  const idle = running.whenIdle().then(() => (isIdle = true));
  first.end();
  await Promise.resolve();
  expect([isIdle, running.size]).toEqual([false, 1]);
  second.end();
  await idle;
  expect([isIdle, running.size]).toEqual([true, 0]);
});

test('cutOffAll answers what runs with "Shutting down" and says how many that were', async () => {
  const running = new RunningCalls();
  const calls = [running.begin({ timeoutMs: LONG }), running.begin({ timeoutMs: LONG })];
  expect(running.cutOffAll()).toBe(2);
  for (const call of calls) {
    await expect(call.cutOff).rejects.toThrow('Shutting down');
    call.end();
  }
  expect(running.cutOffAll()).toBe(0);
});

test('a thousand calls on one client signal leave no listener behind', () => {
  const client = new AbortController();
  let listeners = 0;
  const { signal } = client;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => ((listeners += 1), add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => ((listeners -= 1), remove(...args));
  const running = new RunningCalls();
  for (let count = 0; count < 1_000; count += 1) running.begin({ timeoutMs: LONG, upstream: signal }).end();
  expect(listeners).toBe(0);
});
