import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse, specTypeSchemas } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { checkMessage } from '../../src/protocol/check-message';
import { clientInfo, initializeParams, modernCapabilities } from '../../src/protocol/client-shapes';
import { ENVELOPE, INITIALIZE } from '../support/wire';

const LIMITS = { depth: 64, elements: 10_000 };
const GUARDS = { request: isJSONRPCRequest, notification: isJSONRPCNotification, response: isJSONRPCResponse };

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const RELATED = 'io.modelcontextprotocol/related-task';

function answerTo(message: object): any {
  const checked = checkMessage({ jsonrpc: '2.0', id: 7, ...message }, LIMITS);
  return checked.kind === 'bad' ? checked.answer : checked.kind;
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, 1.5, -0, Infinity, 2 ** 53, '', 'x', {}, [], { taskId: 't' }, { taskId: 5 }, ['x']),
  fc.json().map((text) => JSON.parse(text) as unknown),
);

const often = (usual: unknown): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: junk });
const id = fc.oneof(often(1), often('a'));
const meta = fc.record({ progressToken: junk, [RELATED]: junk, [VERSION]: junk, [CAPABILITIES]: often({}) }, { requiredKeys: [] });
const params = fc.record({ name: often('x'), _meta: fc.oneof(junk, meta) }, { requiredKeys: [] });
const jsonrpc = often('2.0');
const method = fc.oneof(often('ping'), often('tools/call'), often('notifications/cancelled'));
const result = fc.record({ _meta: junk }, { requiredKeys: [] });
const error = fc.record({ code: often(1), message: often('x'), data: junk }, { requiredKeys: [] });

const call = { jsonrpc, method, params };
const message = fc.oneof(
  fc.record({ ...call, id }, { requiredKeys: ['jsonrpc', 'method', 'id'] }),
  fc.record(call, { requiredKeys: ['jsonrpc', 'method'] }),
  fc.record({ ...call, id, extra: junk, result: junk, error: junk }, { requiredKeys: ['jsonrpc', 'method'] }),
  fc.record({ jsonrpc, id, result: fc.oneof(junk, result) }),
  fc.record({ jsonrpc, id, error: fc.oneof(junk, error) }),
  fc.record({ jsonrpc, id, error, result, extra: junk }, { requiredKeys: ['jsonrpc', 'id'] }),
);

test('A4, A6: whatever passes as a request, a notification or a response, the SDK reads as one', () => {
  const passed = { request: 0, notification: 0, response: 0 };
  fc.assert(
    fc.property(message, (value) => {
      const checked = checkMessage(value, LIMITS);
      if (checked.kind === 'bad') return;
      passed[checked.kind] += 1;
      expect(GUARDS[checked.kind](checked.message)).toBe(true);
    }),
    { numRuns: 5_000, seed: 7 },
  );
  expect(Object.entries(passed).filter(([, count]) => count < 100)).toEqual([]);
});

test.each([
  ['a progress token that is an object', { method: 'tools/list', params: { _meta: { progressToken: {} } } }],
  ['a progress token that is null', { method: 'tools/list', params: { _meta: { progressToken: null } } }],
  ['a progress token that is a fraction', { method: 'ping', params: { _meta: { progressToken: 1.5 } } }],
  ['a progress token that is a list, in the modern era', { method: 'tools/list', params: { _meta: { ...ENVELOPE, progressToken: [] } } }],
  ['a related task that is no object', { method: 'tools/list', params: { _meta: { [RELATED]: 5 } } }],
  ['a related task without an id', { method: 'tools/list', params: { _meta: { [RELATED]: {} } } }],
  ['an unknown member', { method: 'tools/list', extra: 1 }],
  ['a method and a result', { method: 'tools/list', result: {} }],
  ['a method and an error', { method: 'tools/list', error: { code: 1, message: 'x' } }],
])('A4: %s is answered with -32600 and its id', (_what, call) => {
  expect(answerTo(call)).toMatchObject({ id: 7, error: { code: -32600 } });
});

test.each<[string, object]>([
  ['a version that is no string', { [VERSION]: 5 }],
  ['a version without end', { [VERSION]: '2026-07-28'.repeat(1_000) }],
  ['capabilities that are a list', { [CAPABILITIES]: [] }],
  ['a capability that is a number', { [CAPABILITIES]: { elicitation: 4 } }],
  ['a client without a version', { 'io.modelcontextprotocol/clientInfo': { name: 'x' } }],
  ['a client with a number as name', { 'io.modelcontextprotocol/clientInfo': { name: 5, version: '1' } }],
  ['an unknown log level', { 'io.modelcontextprotocol/logLevel': 'zzz' }],
])('M2: an envelope with %s is answered with a short -32602 of our own', (_what, part) => {
  const answer = answerTo({ method: 'tools/list', params: { _meta: { ...ENVELOPE, ...part } } });
  expect(answer).toMatchObject({
    id: 7,
    error: { code: -32602, message: expect.stringMatching(/^Invalid params: "io\.modelcontextprotocol\/.{0,90}$/) as string },
  });
});

test('M2: an envelope without capabilities is answered with -32602, in a notification it passes', () => {
  const params = { _meta: { [VERSION]: '2026-07-28' } };
  expect(answerTo({ method: 'tools/list', params })).toMatchObject({ error: { code: -32602 } });
  expect(checkMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, LIMITS).kind).toBe('notification');
});

test.each<[string, object]>([
  ['roots', { capabilities: { roots: 5 } }],
  ['elicitation', { capabilities: { elicitation: [] } }],
  ['experimental', { capabilities: { experimental: 3 } }],
  ['form', { capabilities: { elicitation: { form: { applyDefaults: 1 } } } }],
  ['tasks', { capabilities: { tasks: { requests: { sampling: 5 } } } }],
  ['icons', { clientInfo: { name: 'x', version: '1', icons: 5 } }],
  ['icon', { clientInfo: { name: 'x', version: '1', icons: [{}] } }],
  ['title', { clientInfo: { name: 'x', version: '1', title: 5 } }],
  ['version', { protocolVersion: 'x'.repeat(101) }],
])('M1: initialize with wrong %s is answered with a short -32602', (_what, part) => {
  const answer = answerTo({ method: 'initialize', params: { ...INITIALIZE.params, ...part } });
  expect(answer).toMatchObject({ id: 7, error: { code: -32602 } });
  expect(answer.error.message.length).toBeLessThan(100);
});

test('M1: what passes as capabilities, as a client and as initialize, the SDK reads', () => {
  const valid = (name: 'ClientCapabilities' | 'Implementation' | 'InitializeRequestParams', value: unknown): boolean =>
    (specTypeSchemas[name]['~standard'].validate(value) as { issues?: unknown }).issues === undefined;
  const names = [
    'roots',
    'sampling',
    'elicitation',
    'experimental',
    'extensions',
    'tasks',
    'form',
    'url',
    'context',
    'tools',
    'requests',
    'list',
    'createMessage',
    'applyDefaults',
    'listChanged',
    'name',
    'version',
    'title',
    'icons',
    'src',
    'sizes',
    'theme',
  ];
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom<unknown>({}, true, 'x', 'dark', 5, null, [], ['x'], [{ src: 'x' }]),
      fc.dictionary(fc.constantFrom(...names), tie('tree'), { maxKeys: 4 }),
    ),
  }));
  const withName = fc
    .tuple(tree, fc.record({ icons: tree, title: tree }, { requiredKeys: [] }))
    .map(([version, rest]) => ({ name: 'x', version, ...rest }));
  let passed = 0;
  fc.assert(
    fc.property(tree, withName, (capabilities, info) => {
      const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'x', version: '1' } };
      expect(initializeParams(params) === undefined).toBe(valid('InitializeRequestParams', params));
      if (modernCapabilities(capabilities) === undefined) passed += 1;
      expect(clientInfo(info) === undefined).toBe(valid('Implementation', info));
    }),
    { numRuns: 5_000, seed: 9 },
  );
  expect(passed).toBeGreaterThan(100);
});

test.each(['initialize', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])(
  'A15: in the modern era, %s is left to be answered as a method that does not exist',
  (method) => {
    expect(answerTo({ method, params: { _meta: ENVELOPE } })).toBe('request');
    expect(answerTo({ method, params: {} })).toMatchObject({ error: { code: -32602 } });
  },
);

function nested(levels: number, open = '{"a":', close = '}'): unknown {
  return JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`);
}

test('A11: 64 levels below params pass, 65 are refused, arguments far deeper too', () => {
  expect(answerTo({ method: 'tools/list', params: { _meta: nested(64) } })).toBe('request');
  expect(answerTo({ method: 'tools/list', params: { _meta: nested(65) } })).toMatchObject({ id: 7, error: { code: -32600 } });
  expect(answerTo({ method: 'tools/call', params: { name: 'x', arguments: nested(128) } })).toBe('request');
  expect(answerTo({ method: 'tools/call', params: { name: 'x', arguments: nested(1_000) } })).toMatchObject({
    id: 7,
    error: { code: -32600 },
  });
});

test('A12: a number in params that JavaScript reads as infinite is refused, in arguments it is left to the tool', () => {
  expect(answerTo({ method: 'tools/list', params: { _meta: { x: Infinity } } })).toMatchObject({ error: { code: -32600 } });
  expect(answerTo({ method: 'tools/call', params: { name: 'x', arguments: { x: Infinity } } })).toBe('request');
});

test('an answer that is too large reaches whoever waits for it as an error', () => {
  const checked = checkMessage({ jsonrpc: '2.0', id: 3, result: nested(1_000) }, LIMITS);
  expect(checked).toMatchObject({ kind: 'response', message: { id: 3, error: { code: -32600 } } });
});

const list = (count: number, item: string): string => `[${Array.from({ length: count }, () => item).join()}]`;
const keys = (count: number): string => Array.from({ length: count }, (_, index) => `"k${String(index)}":1`).join();
const DEEP = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;

test.each([
  ['1,000,000 levels in params', `"method":"ping","params":{"x":${DEEP}}`],
  ['1,000,000 levels in arguments', `"method":"tools/call","params":{"name":"x","arguments":{"x":${DEEP}}}`],
  ['1,000,000 levels in an unknown member', `"method":"ping","x":${DEEP}`],
  ['1,000,000 containers in _meta', `"method":"ping","params":{"_meta":{"x":${list(1_000_000, '{}')}}}`],
  ['300,000 keys in _meta', `"method":"ping","params":{"_meta":{${keys(300_000)}}}`],
  ['300,000 keys in params', `"method":"ping","params":{${keys(300_000)}}`],
  ['300,000 unknown members', `"method":"ping",${keys(300_000)}`],
])('A11, A24: %s are refused sooner than they are parsed', (_what, members) => {
  const began = performance.now();
  const value: unknown = JSON.parse(`{"jsonrpc":"2.0","id":7,${members}}`);
  const parsed = performance.now();
  expect(checkMessage(value, LIMITS)).toMatchObject({ answer: { id: 7, error: { code: -32600 } } });
  expect(performance.now() - parsed).toBeLessThan(100 + 2 * (parsed - began));
});
