import { ENVELOPE } from './line-client.mjs';

/** JSON that no value can stand for: the text is written as it is. */
class Raw {
  constructor(text) {
    this.text = text;
  }
}

/** An object whose members may have one name twice, in their order. */
class Members {
  constructor(entries) {
    this.entries = entries;
  }
}

const call = (name, args) => ({ method: 'tools/call', params: { name, arguments: args } });

/** The good messages that everything begins with. Nothing here cancels, and nothing stays open, so every request is due one answer. */
const GOOD = [
  { method: 'tools/list' },
  call('echo', { text: 'zürich 🦜', times: 2 }),
  call('fail', {}),
  call('wait', { text: 'soon', ms: 1 }),
  { method: 'resources/read', params: { uri: 'note://7' } },
  { method: 'resources/templates/list' },
  { method: 'prompts/get', params: { name: 'letter', arguments: {} } },
  { method: 'completion/complete', params: { ref: { type: 'ref/prompt', name: 'letter' }, argument: { name: 'a', value: 'b' } } },
  { method: 'prompts/list', params: { cursor: 'x' } },
  { method: 'ping' },
  { method: 'server/discover' },
  { method: 'logging/setLevel', params: { level: 'error' } },
  { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
  { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } },
];

const STRANGE = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  'x',
  [],
  {},
  [[]],
  [null],
  { a: {} },
  new Raw('1e400'),
  new Raw('-0'),
  new Raw('1e-400'),
  new Raw('9007199254740993'),
  '\u0000',
  '\u2028\u2029',
  new Raw('"\\ud800"'),
  '__proto__',
  'x'.repeat(3_000),
];
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'Method',
  'PARAMS',
  'paramſ',
  'id',
  'method',
  'params',
  'jsonrpc',
  '_meta',
  '',
];
const METHODS = ['rpc.x', 'no/such', 'm'.repeat(5_000), 'tools/call\n', 'Tools/List', '__proto__', 'constructor', 'notifications/none', ''];

/** The parsed form of a good message, made of Members, so that it can be bent. */
function toMembers(value) {
  if (Array.isArray(value)) return value.map(toMembers);
  if (typeof value !== 'object' || value === null || value instanceof Raw) return value;
  return new Members(Object.entries(value).map(([name, each]) => [name, toMembers(each)]));
}

/** Writes JSON without recursion deeper than what was built. */
function write(value) {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (value instanceof Members) return `{${value.entries.map(([name, each]) => `${JSON.stringify(name)}:${write(each)}`).join(',')}}`;
  return JSON.stringify(value);
}

function objectsIn(value, found = []) {
  const inner = value instanceof Members ? value.entries.map(([, each]) => each) : Array.isArray(value) ? value : [];
  if (value instanceof Members) found.push(value);
  for (const each of inner) objectsIn(each, found);
  return found;
}

const nested = (random) => {
  const depth = random.pick([30, 63, 64, 65, 66, 130, 1_000, 6_000]);
  return random.chance(0.5)
    ? new Raw(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
    : new Raw(`${'['.repeat(depth)}${']'.repeat(depth)}`);
};
const wide = (random) => {
  const width = random.pick([100, 9_999, 10_001, 20_000]);
  return new Raw(`[${'0,'.repeat(width - 1)}0]`);
};

/** Bends one object of the message: drops, doubles, renames, adds or replaces a member. */
const BENDS = [
  (members, random) => void members.entries.splice(random.below(members.entries.length), 1),
  (members, random) => void members.entries.push([random.pick(members.entries)[0], toMembers(random.pick(STRANGE))]),
  (members, random) => void (random.pick(members.entries)[0] = random.pick(NAMES)),
  (members, random) => void members.entries.push([random.pick(NAMES), toMembers(random.pick(STRANGE))]),
  (members, random) => void (random.pick(members.entries)[1] = toMembers(random.pick(STRANGE))),
  (members, random) => void (random.pick(members.entries)[1] = toMembers(random.pick(STRANGE))),
  (members, random) => void (random.pick(members.entries)[1] = random.chance(0.1) ? wide(random) : nested(random)),
];

function set(message, name, value) {
  const entry = message.entries.find(([each]) => each === name);
  if (entry === undefined) message.entries.push([name, value]);
  else entry[1] = value;
}

function bendId(message, random, id) {
  set(message, 'id', random.pick([...STRANGE, String(id), `${id}é`, -id, new Raw(`${id}.0`), new Raw(`1e${id % 400}`)]));
}

/** What is sent in the place of one message: text that follows the grammar of JSON-RPC more or less. */
function bentText(random, id, era) {
  const good = random.pick(GOOD);
  const isNotification = good.method.startsWith('notifications/');
  const params = era === 'modern' ? { ...good.params, _meta: ENVELOPE } : good.params;
  const message = toMembers({ jsonrpc: '2.0', ...(isNotification ? {} : { id }), method: good.method, ...(params && { params }) });
  const bends = random.below(4);
  for (let each = 0; each < bends; each += 1) {
    const bent = random.pick(objectsIn(message).filter(({ entries }) => entries.length > 0));
    if (bent !== undefined) random.pick(BENDS)(bent, random);
  }
  if (random.chance(0.1)) bendId(message, random, id);
  if (random.chance(0.1)) set(message, 'method', random.pick(METHODS));
  if (random.chance(0.03)) return write(toMembers({ jsonrpc: '2.0', id, result: random.pick(STRANGE) }));
  if (random.chance(0.03)) return write([message, message]);
  return write(message);
}

/** Flips, drops, adds and cuts bytes, which need not leave UTF-8, JSON or one line behind. */
function breakBytes(bytes, random) {
  const at = random.below(bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const kind = random.below(5);
  if (kind === 0) return before;
  if (kind === 1) return Buffer.concat([before, Buffer.from([random.below(256)]), after]);
  if (kind === 2) return Buffer.concat([before, after.subarray(1)]);
  if (kind === 3) return Buffer.concat([before, before.subarray(random.below(before.length + 1)), after]);
  const flipped = Buffer.from(bytes);
  if (flipped.length > 0) flipped[random.below(flipped.length)] ^= 1 << random.below(8);
  return flipped;
}

/** One frame without its newline, by itself the same for the same numbers. */
export function mutant(random, id, era) {
  const bytes = Buffer.from(bentText(random, id, era));
  if (!random.chance(0.3)) return bytes;
  const broken = breakBytes(bytes, random);
  return random.chance(0.3) ? breakBytes(broken, random) : broken;
}
