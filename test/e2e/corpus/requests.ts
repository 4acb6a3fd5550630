import { EMPTY, FAULTS, RESULTS } from './misbehaving-tools';

/** One request of the corpus. */
export interface CorpusRequest {
  readonly name: string;
  /** The members of the message. A function is given the latest cursor that came through the same door. */
  readonly members: Members | ((cursor: string) => Members);
}

type Members = Readonly<Record<string, unknown>>;

const request = (name: string, method: string, params?: unknown): CorpusRequest => ({
  name: `${method}: ${name}`,
  members: params === undefined ? { method } : { method, params },
});

const call = (name: string, args?: unknown, more: object = {}): CorpusRequest =>
  request(
    `${name} ${args === undefined ? '' : JSON.stringify(args)} ${JSON.stringify(more)}`,
    'tools/call',
    args === undefined ? { name, ...more } : { name, arguments: args, ...more },
  );

const read = (uri: string): CorpusRequest => request(uri, 'resources/read', { uri });
const get = (name: string, args?: unknown): CorpusRequest =>
  request(`${name} ${JSON.stringify(args)}`, 'prompts/get', args === undefined ? { name } : { name, arguments: args });
const complete = (name: string, params: object): CorpusRequest => request(name, 'completion/complete', params);
const page = (name: string, method: string, cursorOf: (cursor: string) => unknown): CorpusRequest => ({
  name: `${method}: ${name}`,
  members: (cursor) => ({ method, params: { cursor: cursorOf(cursor) } }),
});

const PLAN = { type: 'ref/prompt', name: 'plan' };
const NOTE = { type: 'ref/resource', uri: 'note://{folder}/{id}' };

const TOOLS: readonly CorpusRequest[] = [
  call('greet', { name: 'Ada' }),
  call('greet', { name: 'Ada', times: 2, mood: '! ü 🦜 \u2028' }),
  call('add', { a: 1, b: 2 }),
  call('add', { a: 1 }),
  call('raw', { deep: { a: [1, { b: null }] } }),
  call('raw'),
  call('content'),
  call('broken-promise'),
  call('fails'),
  call('tool-error'),
  call('mcp-error'),
  call('bug'),
  call('meta', {}, { _meta: { 'x.example/mine': 7 } }),
  call('progress', {}, { _meta: { progressToken: 'p' } }),
  call('progress', {}, { _meta: { progressToken: 0 } }),
  call('progress'),
  call('tell-the-unspeakable', {}, { _meta: { progressToken: 'p' } }),
  call('ask'),
];

/** Rows A16 and A17: what a call may not be. */
const BAD_CALLS: readonly CorpusRequest[] = [
  call('nothing'),
  call('x'.repeat(300)),
  call(''),
  request('no params', 'tools/call'),
  request('no name', 'tools/call', {}),
  request('a number as name', 'tools/call', { name: 5 }),
  call('greet', null),
  call('greet', []),
  call('greet', 'x'),
  call('greet'),
  call('greet', {}),
  call('greet', { name: 5 }),
  call('greet', { name: null }),
  call('greet', { name: 'Ada', times: '2' }),
  call('greet', { name: 'Ada', times: 9 }),
  call('greet', { name: 'x'.repeat(21) }),
  call('greet', { name: 'Ada', other: 1 }),
  call('add', { a: 'x' }),
  request('no uri', 'resources/read', {}),
  read('doc://nothing'),
  read(''),
  get('nothing'),
];

const MISBEHAVING = [...Object.keys(FAULTS), ...Object.keys(RESULTS), ...Object.keys(EMPTY)].map((name) => call(name));

const RESOURCES: readonly CorpusRequest[] = [
  ...['doc://text', 'doc://bytes', 'doc://object', 'doc://many', 'doc://half', 'doc://own-type', 'doc://bug'].map(read),
  ...['note://kitchen/bread', 'note://kitchen/none', 'note://kitchen', 'note://a%20b/c'].map(read),
  ...['find://all', 'find://all?limit=1&text=x', 'find://all?text=x&other=9', 'path:/a/b', 'path:'].map(read),
  request('all', 'resources/list'),
  request('all', 'resources/templates/list'),
];

const PROMPTS: readonly CorpusRequest[] = [
  request('all', 'prompts/list'),
  get('plan', { city: 'Rome' }),
  get('plan', { city: 'Rome', by: 'bike' }),
  get('plan', { city: 'Rome', by: 'boat' }),
  get('plan', {}),
  get('plan', { city: 5 }),
  get('plan'),
  get('dialogue'),
  get('half'),
  get('own-type'),
  get('broken'),
  complete('values', { ref: PLAN, argument: { name: 'city', value: 'P' } }),
  complete('of a template', { ref: NOTE, argument: { name: 'folder', value: '' } }),
  complete('of nothing', { ref: PLAN, argument: { name: 'by', value: '' } }),
  complete('unknown ref', { ref: { type: 'ref/prompt', name: 'nothing' }, argument: { name: 'a', value: '' } }),
  complete('unknown kind of ref', { ref: { type: 'ref/tool', name: 'greet' }, argument: { name: 'a', value: '' } }),
  complete('no argument', { ref: PLAN }),
];

const PAGES: readonly CorpusRequest[] = [
  request('the first page', 'tools/list'),
  page('the second page', 'tools/list', (cursor) => cursor),
  page('the third page', 'tools/list', (cursor) => cursor),
  page('a changed cursor', 'tools/list', (cursor) => `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`),
  page('a cursor of another list', 'prompts/list', (cursor) => cursor),
  page('garbage', 'tools/list', () => 'garbage'),
  page('an empty cursor', 'tools/list', () => ''),
  page('a number as cursor', 'tools/list', () => 5),
];

const PROTOCOL: readonly CorpusRequest[] = [
  request('again', 'ping'),
  request('unknown', 'no/such'),
  request('reserved', 'rpc.discover'),
  request('of the client', 'sampling/createMessage'),
  request('a notification as request', 'notifications/initialized'),
  request('a list as params', 'ping', []),
  request('text as params', 'tools/list', 'x'),
  { name: 'no method', members: {} },
  { name: 'a number as method', members: { method: 5 } },
  { name: 'JSON-RPC 1.0', members: { jsonrpc: '1.0', method: 'tools/list' } },
  { name: 'an unknown member', members: { method: 'tools/list', extra: 1 } },
  request('a bad progress token', 'tools/list', { _meta: { progressToken: {} } }),
  request('again', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }),
  request('what is here', 'server/discover'),
  request('a resource', 'resources/subscribe', { uri: 'doc://text' }),
  request('a resource', 'resources/unsubscribe', { uri: 'doc://text' }),
  call('log'),
  request('from errors on', 'logging/setLevel', { level: 'error' }),
  request('no level', 'logging/setLevel', { level: 'loud' }),
  call('log', {}, { _meta: { 'io.modelcontextprotocol/logLevel': 'error' } }),
];

/** What every door is asked, in this order. */
export const CORPUS: readonly CorpusRequest[] = [...TOOLS, ...BAD_CALLS, ...MISBEHAVING, ...RESOURCES, ...PROMPTS, ...PAGES, ...PROTOCOL];
