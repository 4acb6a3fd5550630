import { runCheck } from './run-check';

const LONGEST_MS = 300_000;

test.each(['fuzz-stdio', 'fuzz-socket', 'fuzz-http-legacy', 'fuzz-http-modern'])(
  'family A, %s: every one of 5,000 mutated frames gets what it is due, and good requests among them are answered soon',
  async (name) => {
    const { isGood, printed } = await runCheck('--only', name, '--brief');
    expect(isGood ? '' : printed).toBe('');
  },
  LONGEST_MS,
);
