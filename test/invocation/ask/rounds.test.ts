import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { IsInt, IsString } from 'class-validator';
import { Injectable, McpContext, McpTool, type FlowStore, FLOW_STORE, type RoundOutcome } from 'perch-mcp';
import { MemoryFlowStore } from '../../../src/invocation/ask/memory-flow-store';
import { closeApps, createApp, overHttp, RecordingLogger } from '../../support/app';
import { ask, messageOf, modern, type HttpQuestion } from '../../support/wire';

afterEach(closeApps);

class Name {
  @IsString() name!: string;
}

class Age {
  @IsInt() age!: number;
}

class Input {
  @IsString() flow!: string;
}

/** How often the effect of each call happened, by the call's own name for itself. */
const effects = new Map<string, number>();
const SECRET = 'nobody-may-read-this';

@Injectable()
class Tools {
  @McpTool({ name: 'order', description: 'd', input: Input })
  async order({ flow }: Input, context: McpContext): Promise<string> {
    const { name } = await context.ask('name', { message: 'Your name?', schema: Name });
    const receipt = await context.once('receipt', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      effects.set(flow, (effects.get(flow) ?? 0) + 1);
      return { secret: SECRET };
    });
    const { age } = await context.ask('age', { message: 'Your age?', schema: Age });
    return `${name} ${String(age)} ${receipt.secret === SECRET ? 'paid' : 'lost'}`;
  }

  @McpTool({ name: 'other', description: 'd', input: Input })
  async other(_input: Input, context: McpContext): Promise<string> {
    return (await context.ask('name', { message: 'Your name?', schema: Name })).name;
  }
}

interface Round {
  readonly resultType: string;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly content?: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

const CAPABLE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};
const ANSWERS: Readonly<Record<string, unknown>> = {
  name: { action: 'accept', content: { name: 'Ada' } },
  age: { action: 'accept', content: { age: 36 } },
};

function question(flow: string, state?: string, responses: Readonly<Record<string, unknown>> = {}, name = 'order'): HttpQuestion {
  const { headers = {} } = modern('tools/call', { name });
  const retry = state === undefined ? {} : { requestState: state, inputResponses: responses };
  return {
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { flow }, ...retry, _meta: CAPABLE } }),
  };
}

const roundOf = (message: Record<string, unknown>): Round => message['result'] as Round;
const stateOf = (round: Round): string => round.requestState ?? '';
const pick = (key: string): Readonly<Record<string, unknown>> => ({ [key]: ANSWERS[key] });

async function send(url: string, asked: HttpQuestion): Promise<Record<string, unknown>> {
  return messageOf(await ask(url, asked));
}

/** Sends a request and goes away before the answer can be read. */
async function sendAndLeave(url: string, { headers, body }: HttpQuestion, afterMs: number): Promise<void> {
  const target = new URL(url);
  await new Promise<void>((resolve) => {
    const outgoing = httpRequest(
      { host: target.hostname, port: target.port, path: target.pathname, method: 'POST', headers, agent: false },
      (incoming) => incoming.resume(),
    );
    outgoing.on('error', () => undefined);
    outgoing.on('close', () => resolve());
    outgoing.end(body, () => setTimeout(() => outgoing.destroy(), afterMs));
  });
}

test('a call goes round by round, each state new, earlier answers and results carried inside [rounds.retry] [rounds.extra]', async () => {
  const url = await overHttp(await createApp([Tools]));
  const first = roundOf(await send(url, question('plain')));
  expect(first).toMatchObject({
    resultType: 'input_required',
    inputRequests: { name: { method: 'elicitation/create', params: { mode: 'form', message: 'Your name?' } } },
  });
  const second = roundOf(await send(url, question('plain', stateOf(first), pick('name'))));
  expect(Object.keys(second.inputRequests ?? {})).toEqual(['age']);
  expect(stateOf(second)).not.toBe(stateOf(first));
  const third = roundOf(await send(url, question('plain', stateOf(second), { ...pick('age'), never: { action: 'accept', content: {} } })));
  expect(third).toMatchObject({ resultType: 'complete', content: [{ text: 'Ada 36 paid' }] });
  expect(effects.get('plain')).toBe(1);
});

/** The state of a call whose effect has happened and whose second question is open. */
async function toSecond(url: string, flow: string, answer = pick('name')): Promise<string> {
  const first = stateOf(roundOf(await send(url, question(flow))));
  return stateOf(roundOf(await send(url, question(flow, first, answer))));
}

const REFUSED = { code: -32602, message: 'Invalid or expired requestState' };

test('D17: a state that is tampered with, of another call, other arguments or another server is -32602, and the effect does not happen again [rounds.state]', async () => {
  const url = await overHttp(await createApp([Tools]));
  const elsewhere = await overHttp(await createApp([Tools]));
  const state = await toSecond(url, 'sealed');
  const wrong: readonly (readonly [string, string, HttpQuestion])[] = [
    ['cut', url, question('sealed', state.slice(0, -4), pick('age'))],
    ['padded', url, question('sealed', `${state}=`, pick('age'))],
    ['longer', url, question('sealed', `${state}!`, pick('age'))],
    ['invented', url, question('sealed', 'p1.AAAA', pick('age'))],
    ['empty', url, question('sealed', '', pick('age'))],
    ['other arguments', url, question('sealed too', state, pick('age'))],
    ['another tool', url, question('sealed', state, pick('age'), 'other')],
    ['another server', elsewhere, question('sealed', state, pick('age'))],
  ];
  for (const [what, at, asked] of wrong) expect([what, (await send(at, asked))['error']]).toEqual([what, REFUSED]);
  expect(effects.get('sealed')).toBe(1);
  expect(roundOf(await send(url, question('sealed', state, pick('age'))))).toMatchObject({ content: [{ text: 'Ada 36 paid' }] });
});

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

// Three lengths of what is sealed: the last character then carries two, four or six bits, and the others of it must be right too.
test.each(['Ada', 'Adam', 'Adams'])('D17: no character of the state of %s can be another', async (name) => {
  const url = await overHttp(await createApp([Tools]));
  const answer = { name: { action: 'accept', content: { name } } };
  const state = await toSecond(url, name, answer);
  const changes = [
    ...Array.from(state, (each, at) => [at, each === 'A' ? 'B' : 'A'] as const),
    ...Array.from(BASE64URL, (each) => [state.length - 1, each] as const),
  ].filter(([at, other]) => state[at] !== other);
  for (const [at, other] of changes) {
    const changed = `${state.slice(0, at)}${other}${state.slice(at + 1)}`;
    expect([at, other, (await send(url, question(name, changed, pick('age'))))['error']]).toEqual([at, other, REFUSED]);
  }
  expect(effects.get(name)).toBe(1);
});

test('D17: a state that has expired is -32602, and the effect does not happen again [rounds.state]', async () => {
  const url = await overHttp(await createApp([Tools]));
  const state = await toSecond(url, 'expired');
  const now = Date.now();
  const clock = jest.spyOn(Date, 'now');
  try {
    clock.mockReturnValue(now + 10 * 60_000 + 1);
    expect((await send(url, question('expired', state, pick('age'))))['error']).toEqual(REFUSED);
    expect(effects.get('expired')).toBe(1);
    clock.mockReturnValue(now + 10 * 60_000 - 60_000);
    expect(roundOf(await send(url, question('expired', state, pick('age'))))).toMatchObject({ content: [{ text: 'Ada 36 paid' }] });
    expect(effects.get('expired')).toBe(1);
  } finally {
    clock.mockRestore();
  }
});

test('nothing of an answer or of an effect can be read from the state', async () => {
  const url = await overHttp(await createApp([Tools]));
  const second = await toSecond(url, 'secret');
  const readings = [second, Buffer.from(second.slice(3), 'base64url').toString('latin1'), Buffer.from(second, 'base64').toString('utf8')];
  for (const reading of readings) for (const word of [SECRET, 'Ada', 'receipt', 'secret']) expect(reading).not.toContain(word);
});

test("two processes that share a key open each other's state", async () => {
  const stateKey = 'k'.repeat(32);
  const [one, two] = [await overHttp(await createApp([Tools], { stateKey })), await overHttp(await createApp([Tools], { stateKey }))];
  const first = stateOf(roundOf(await send(one, question('shared'))));
  expect(roundOf(await send(two, question('shared', first, pick('name')))).resultType).toBe('input_required');
});

test('over HTTP a line at the start says when the key is of this process alone', async () => {
  const lines = async (options: { stateKey?: string }): Promise<number> => {
    const logger = new RecordingLogger();
    await overHttp(await createApp([Tools], { logger, ...options }));
    return logger.lines.filter(({ message }) => message.includes('PERCH_STATE_KEY')).length;
  };
  expect([await lines({}), await lines({ stateKey: 'k'.repeat(32) })]).toEqual([1, 0]);
});

test('a state key that is too short stops the boot', async () => {
  await expect(createApp([Tools], { stateKey: 'short' })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
});

test("a store of the author's own is used", async () => {
  const claims: string[] = [];
  class Recording extends MemoryFlowStore implements FlowStore {
    override claim(flow: string, round: number): Promise<boolean> {
      claims.push(`round ${String(round)}`);
      return super.claim(flow, round);
    }
    override settle(flow: string, round: number, outcome: RoundOutcome): Promise<void> {
      claims.push('result' in outcome ? 'result' : 'error');
      return super.settle(flow, round, outcome);
    }
  }
  const url = await overHttp(await createApp([Tools, { provide: FLOW_STORE, useValue: new Recording(10, 60_000) }]));
  const first = stateOf(roundOf(await send(url, question('own store'))));
  await send(url, question('own store', first, pick('name')));
  expect(claims).toEqual(['round 1', 'result']);
});

test.each(['claim', 'settle', 'release', 'outcome', 'effects', 'keepEffect'] as const)(
  'E1: a store whose %s fails is answered once, and nothing of what it says is sent',
  async (broken) => {
    const logger = new RecordingLogger();
    const store = new MemoryFlowStore(10, 60_000);
    Object.assign(store, { [broken]: () => Promise.reject(new Error(`redis://${SECRET}`, { cause: SECRET })) });
    const url = await overHttp(await createApp([Tools, { provide: FLOW_STORE, useValue: store }], { logger }));
    const first = await ask(url, question('broken store'));
    const { requestState } = roundOf(messageOf(first));
    const second = question('broken store', requestState, pick('name'));
    const answers = [first, ...(await Promise.all([ask(url, second), ask(url, second)]))];
    for (const { text } of answers) expect(text).toMatch(/input_required|Internal error \(ref [0-9a-f]{8}\)/);
    for (const { text } of answers) expect(text).not.toMatch(/redis|nobody-may|rejected|Store/);
    expect(answers.filter(({ text }) => text.includes('Internal error')).length > 0).toBe(
      logger.lines.some(({ level }) => level === 'error'),
    );
  },
);

test.each(['claim', 'outcome', 'effects'] as const)(
  'a store whose %s never comes back keeps nobody past the call timeout',
  async (broken) => {
    const store = new MemoryFlowStore(10, 60_000);
    Object.assign(store, { [broken]: () => new Promise(() => undefined) });
    const url = await overHttp(await createApp([Tools, { provide: FLOW_STORE, useValue: store }], { limits: { callTimeoutMs: 300 } }));
    const { requestState } = roundOf(await send(url, question('slow store')));
    const second = question('slow store', requestState, pick('name'));
    const answers = await Promise.all([ask(url, second), ask(url, second)]);
    expect(answers.some(({ text }) => text.includes('Timed out'))).toBe(true);
  },
);

type Move = 'deliver' | 'repeat' | 'twice' | 'lose' | 'leave' | 'decline';

test('in 1,000 random schedules of repeats, lost answers, declines and disconnects an effect never happens twice [rounds.replay]', async () => {
  const url = await overHttp(await createApp([Tools]));
  const move = fc.constantFrom<Move>('deliver', 'deliver', 'repeat', 'twice', 'lose', 'leave', 'decline');
  let number = 0;
  let finished = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 2, maxLength: 5 }), fc.nat({ max: 3 }), async (moves, delay) => {
      const flow = `schedule ${String((number += 1))}`;
      let round = roundOf(await send(url, question(flow)));
      for (const each of moves) {
        if (round.resultType !== 'input_required') break;
        round = await play(url, flow, { round, each, delay });
      }
      if (round.content?.[0]?.text === 'Ada 36 paid') finished += 1;
      expect(effects.get(flow) ?? 0).toBeLessThanOrEqual(1);
    }),
    { numRuns: 1_000, seed: 20_261_130 },
  );
  expect(finished).toBeGreaterThan(100);
}, 120_000);

async function play(url: string, flow: string, { round, each, delay }: { round: Round; each: Move; delay: number }): Promise<Round> {
  const [key = ''] = Object.keys(round.inputRequests ?? {});
  const asked = question(flow, stateOf(round), each === 'decline' ? { [key]: { action: 'decline' } } : pick(key));
  if (each === 'leave') {
    await sendAndLeave(url, asked, delay);
    return round;
  }
  if (each === 'twice') {
    const [one, two] = await Promise.all([send(url, asked), send(url, asked)]);
    expect(roundOf(two).resultType).toBe(roundOf(one).resultType);
    return roundOf(one);
  }
  const answer = roundOf(await send(url, asked));
  if (each === 'lose') return round;
  if (each !== 'repeat') return answer;
  expect(roundOf(await send(url, asked))).toEqual(answer);
  return answer;
}
