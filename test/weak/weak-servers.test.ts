import { Policy } from 'perch-mcp';
import { runCheck } from '../soak/run-check';
import { pathFaults } from './path-faults';

jest.setTimeout(120_000);

/** Runs a check against a server that is weak in one way; the check must see that way. */
async function mustCatch(server: string, check: string, { count, sees }: { count: number; sees: RegExp }): Promise<void> {
  const { isGood, printed } = await runCheck('--only', check, '--count', String(count), '--server', `test/weak/${server}.mjs`);
  expect([isGood, printed]).toEqual([false, expect.stringMatching(sees)]);
}

test("family A catches the SDK's own framing, which is silent to what it cannot read", async () => {
  await mustCatch('raw-sdk', 'fuzz-stdio', { count: 400, sees: /0 answers for 1 requests|refusals without an id/ });
});

test('family B catches a server that a signal ends at once', async () => {
  await mustCatch('exits-at-once', 'faults', { count: 1, sees: /SIGTERM, round 0: lost on / });
});

test('family C catches a server that keeps something of every call', async () => {
  await mustCatch('keeps-inputs', 'heap', { count: 1_000, sees: /the heap grew by/ });
});

test('families C and F catch a server whose calls share one place', async () => {
  await mustCatch('shares-one-place', 'same-ids', { count: 500, sees: /asked for "client \d+, call \d+" and got / });
});

test('family D catches a server that checks no Host and no Origin', async () => {
  await mustCatch('checks-no-origin', 'doors', { count: 100, sees: /"origin":"[^"]+"\}: answered HTTP\/1\.1 200/ });
});

test('family D catches a policy that compares the beginnings of paths, and finds nothing in ours', () => {
  const weak = (path: unknown): boolean => typeof path === 'string' && path.startsWith('/data');
  const found = ['//data//x is denied', '/data2 is allowed', '/data-x is allowed', '/data/../etc is allowed', '/data/a/../../b is allowed'];
  expect(pathFaults(weak)).toEqual(found);
  const policy = Policy.define({ fsRead: ['/data'] });
  expect(pathFaults((path) => policy.allowsFsRead(path))).toEqual([]);
});

test('family E catches a server whose answers tell what was thrown', async () => {
  await mustCatch('tells-errors', 'fuzz-stdio', { count: 400, sees: /a stack, a path, a dump or a secret/ });
});
