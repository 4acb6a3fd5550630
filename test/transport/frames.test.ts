import { IsInt, IsNumber, IsOptional, IsString } from 'class-validator';
import { connectStdio, Injectable, jsonSchema, McpPrompt, McpTool, type McpApplication } from 'perch-mcp';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { closeApps, createApp, RecordingLogger } from '../support/app';
import { connectTo, freshSocketPath } from '../support/socket';
import { ask, ENVELOPE, INITIALIZE, JSON_HEADERS, messageOf, openSession } from '../support/wire';

class Text {
  @IsString() text!: string;
}

class Numbers {
  @IsOptional() @IsInt() n?: number;
  @IsOptional() @IsNumber() f?: number;
}

let entered = 0;

@Injectable()
class Tools {
  @McpTool({ name: 'echo', description: 'Echoes', input: Text })
  echo(input: Text): string {
    entered += 1;
    expect(Object.getPrototypeOf(input)).toBe(Text.prototype);
    return input.text;
  }

  @McpTool({ name: 'numbers', description: 'Takes numbers', input: Numbers })
  numbers({ n, f }: Numbers): string {
    entered += 1;
    return `${String(n)} ${String(f)} ${String(Object.is(n ?? f, -0))}`;
  }

  @McpTool({ name: 'any', description: 'Takes anything', input: jsonSchema({ type: 'object' }) })
  any(input: Record<string, unknown>): string {
    entered += 1;
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    return Object.keys(input).join();
  }

  @McpPrompt({ name: 'prompt', args: Text })
  prompt({ text }: Text): string {
    entered += 1;
    return text;
  }
}

type Message = Record<string, any>;
type Era = 'legacy' | 'modern';

/** A way in that takes any bytes as one message, and what one message is given back. */
interface Place {
  readonly name: string;
  readonly era: Era;
  readonly isHttp: boolean;
  /** Sends the bytes; the headers of modern HTTP are those of this method and name. */
  readonly say: (bytes: Buffer, method: string, name: string | undefined, isSilent: boolean) => Promise<Heard>;
}

interface Heard {
  readonly answer?: Message;
  readonly status?: number;
  readonly type?: string | undefined;
}

let app: McpApplication;
let places: readonly Place[];
const logger = new RecordingLogger();

beforeAll(async () => {
  app = await createApp([Tools], { logger });
  const socketPath = freshSocketPath();
  await app.listen({ transports: ['http', 'uds'], port: 0, socketPath, shutdownHooks: false });
  const url = app.handles.find(({ mode }) => mode === 'http')?.url ?? '';
  const found: Place[] = [];
  for (const era of ['legacy', 'modern'] as const) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    await connectStdio(app, { input, output });
    const { socket } = await connectTo(socketPath);
    found.push(await onStreams(`stdio, ${era}`, era, [input, output]), await onStreams(`uds, ${era}`, era, [socket, socket]));
    found.push(await overHttp(url, era));
  }
  places = found;
});

afterAll(closeApps);

async function onStreams(name: string, era: Era, [input, output]: readonly [Writable, Readable]): Promise<Place> {
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const next = async (): Promise<Message> => JSON.parse(String((await lines.next()).value)) as Message;
  if (era === 'legacy') {
    input.write(`${JSON.stringify(INITIALIZE)}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`);
    await next();
  }
  return {
    name,
    era,
    isHttp: false,
    say: async (bytes, _method, _name, isSilent) => {
      input.write(Buffer.concat([bytes, Buffer.from('\n')]));
      return isSilent ? {} : { answer: await next() };
    },
  };
}

async function overHttp(url: string, era: Era): Promise<Place> {
  const session = era === 'legacy' ? await openSession(url) : undefined;
  return {
    name: `HTTP, ${era}`,
    era,
    isHttp: true,
    say: async (body, method, name, isSilent) => {
      const named = name === undefined ? {} : { 'mcp-name': name };
      const headers = session ?? { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...named };
      const heard = await ask(url, { headers, body });
      const { status } = heard;
      return { status, type: heard.headers['content-type'], ...(isSilent ? {} : { answer: messageOf(heard) }) };
    },
  };
}

const META: Readonly<Record<Era, string>> = { legacy: '"_meta":{}', modern: `"_meta":${JSON.stringify(ENVELOPE)}` };
const line = (method: string, params: string, id = '9'): string => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${params}}}`;
const called = (name: string, args: string, meta: string): string => line('tools/call', `"name":"${name}","arguments":${args},${meta}`);
const list = (id: string, meta: string): string => line('tools/list', meta, id);

/** The next good request is answered, by the next thing that comes, within a second. */
async function stillServes({ name, era, say }: Place): Promise<void> {
  const before = entered;
  const from = performance.now();
  const { answer } = await say(
    Buffer.from(called('echo', '{"text":"ok"}', META[era]).replace('"id":9', '"id":"good"')),
    'tools/call',
    'echo',
    false,
  );
  expect([name, answer]).toMatchObject([name, { id: 'good', result: { content: [{ text: 'ok' }] } }]);
  expect([entered, performance.now() - from < 1_000]).toEqual([before + 1, true]);
}

interface Row {
  readonly id: string;
  readonly what: string;
  readonly frame: (meta: string) => string | Buffer;
  readonly method?: string;
  readonly name?: string;
  /** An error with this code, a failed call, a text, or no answer at all. */
  readonly expected: number | 'failed' | 'nothing' | { readonly text: string };
  /** The id of an answer, where it is not 9. */
  readonly answered?: string | null;
  /** A notification that nobody has heard of is no mistake. */
  readonly isLogged?: boolean;
}

const bad = (id: string, what: string, frame: Row['frame'], expected: number, answered: string | null | undefined = null): Row => ({
  id,
  what,
  frame,
  expected,
  ...(answered === undefined ? {} : { answered }),
});
const nine = (id: string, what: string, frame: Row['frame'], expected = -32600): Row => ({ id, what, frame, expected });
const tool = (id: string, name: string, args: string | Buffer, expected: Row['expected']): Row => ({
  id,
  what: `${name} ${String(args).slice(0, 60)}`,
  frame: (meta) => {
    const [before = '', after = ''] = called(name, '#', meta).split('#');
    return Buffer.concat([Buffer.from(before), Buffer.from(args as string), Buffer.from(after)]);
  },
  name,
  expected,
  ...(expected === -32700 ? { answered: null } : {}),
});
const bytes = (...values: number[]): Buffer => Buffer.concat([Buffer.from('{"text":"a'), Buffer.from(values), Buffer.from('"}')]);

const SHAPES: readonly Row[] = [
  ...['not json', '{"a":', '}', '{oops'].map((text) => bad('A1', text, () => text, -32700)),
  ...['42', 'null', '"x"', '[]'].map((text) => bad('A3', text, () => text, -32600)),
  bad('A3', 'a batch of two calls', (meta) => `[${called('echo', '{"text":"x"}', meta)},${called('echo', '{"text":"y"}', meta)}]`, -32600),
  nine('A4', 'jsonrpc is missing', (meta) => list('9', meta).replace('"jsonrpc":"2.0",', '')),
  nine('A4', 'jsonrpc is "1.0"', (meta) => list('9', meta).replace('"2.0"', '"1.0"')),
  nine('A4', 'method is missing', (meta) => list('9', meta).replace('"method":"tools/list",', '')),
  nine('A4', 'method is a number', (meta) => list('9', meta).replace('"tools/list"', '5')),
  nine('A4', 'method is empty', (meta) => list('9', meta).replace('"tools/list"', '""')),
  nine('A4', 'params are a list', () => '{"jsonrpc":"2.0","id":9,"method":"tools/list","params":[]}'),
  nine('A4', 'params are text', () => '{"jsonrpc":"2.0","id":9,"method":"tools/list","params":"x"}'),
  ...['null', 'true', '{}', '[]', '1.5', '9007199254740993'].map((id) => bad('A5', `the id ${id}`, (meta) => list(id, meta), -32600)),
  ...['Method', 'METHOD', 'method\\u0000'].map((key) => nine('A8', key, (meta) => list('9', meta).replace('"method"', `"${key}"`))),
  ...['PARAMS', 'param\u017f'].map((key) => nine('A8', key, (meta) => list('9', meta).replace('"params"', `"${key}"`))),
  { ...nine('A8', 'Name', (meta) => called('echo', '{"text":"x"}', meta).replace('"name"', '"Name"'), -32602), name: 'echo' },
  { ...nine('A8', 'Text, an argument', (meta) => called('echo', '{"Text":"x"}', meta)), name: 'echo', expected: 'failed' },
];

const SILENT: readonly Row[] = [
  '{"jsonrpc":"2.0","method":"notifications/none"}',
  '{"jsonrpc":"2.0","method":"ping","params":[]}',
  '{"jsonrpc":"2.0","id":77,"result":{}}',
  '{"jsonrpc":"2.0","id":78,"result":5}',
  '{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"x"}}',
  '{"jsonrpc":"2.0","result":{}}',
].map((text) => ({ id: 'A6', what: text, frame: () => text, expected: 'nothing', isLogged: !text.includes('notifications/none') }));

const STRINGS: readonly Row[] = [
  tool('A9', 'echo', bytes(0xff), -32700),
  tool('A9', 'echo', bytes(0xfe), -32700),
  tool('A9', 'echo', bytes(0xc0), -32700),
  tool('A9', 'echo', bytes(0xc0, 0x80), -32700),
  tool('A9', 'echo', bytes(0xe0, 0x80, 0xaf), -32700),
  tool('A9', 'echo', bytes(0xf0, 0x80, 0x80, 0x80), -32700),
  tool('A9', 'echo', bytes(0xed, 0xa0, 0x80), -32700),
  tool('A9', 'echo', bytes(0xf4, 0x90, 0x80, 0x80), -32700),
  tool('A9', 'echo', '{"text":"a\\ud800b"}', { text: 'a\ud800b' }),
  tool('A9', 'echo', '{"text":"a\\u0000b"}', { text: 'a\0b' }),
  tool('A9', 'echo', '{"text":"a\u2028b\\u2029"}', { text: 'a\u2028b\u2029' }),
  tool('A9', 'echo', '{"text":"\ufeff🦜\ufffd"}', { text: '\ufeff🦜\ufffd' }),
];

const NUMBERS: readonly Row[] = [
  tool('A12', 'numbers', '{"f":1e400}', 'failed'),
  tool('A12', 'numbers', '{"n":1e400}', 'failed'),
  tool('A12', 'numbers', '{"n":-0}', { text: '0 undefined true' }),
  tool('A12', 'numbers', '{"f":1e-400}', { text: 'undefined 0 false' }),
  tool('A12', 'numbers', '{"n":9007199254740993}', 'failed'),
  tool('A12', 'numbers', '{"n":9007199254740991}', { text: '9007199254740991 undefined false' }),
  tool('A12', 'numbers', '{"f":"NaN"}', 'failed'),
  tool('A12', 'numbers', '{"f":NaN}', -32700),
];

const PROTOTYPES: readonly Row[] = [
  ...['__proto__', 'constructor', 'prototype'].flatMap((key) => [
    tool('A13', 'echo', `{"text":"x","${key}":{"prototype":{"polluted":1},"polluted":1}}`, 'failed'),
    tool('A13', 'echo', `{"text":{"${key}":{"polluted":1}}}`, 'failed'),
    tool('A13', 'echo', `{"text":[{"${key}":{"polluted":1}}]}`, 'failed'),
    {
      id: 'A13',
      what: `${key} in _meta`,
      frame: (meta: string) =>
        list('9', meta.replace('{', `{"${key}":{"prototype":{"polluted":1},"polluted":1}${meta.endsWith('{}') ? '' : ','}`)),
      method: 'tools/list',
      expected: { text: '' },
    },
  ]),
];

/** What so many levels are put into, and what becomes of them. */
interface DepthRow {
  readonly what: string;
  readonly frame: (meta: string) => string;
  readonly name: string;
  readonly expected: Record<string, any>;
}

const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
const TOO_DEEP = { id: 9, error: { code: -32600 } };
const DEPTHS: readonly DepthRow[] = [
  [63, { result: { content: [{ text: 'deep' }] } }] as const,
  [64, { result: { isError: true } }] as const,
  [5_000, TOO_DEEP] as const,
  [1_000_000, TOO_DEEP] as const,
].map(([levels, expected]) => ({
  what: `arguments with a value of ${String(levels)} levels`,
  frame: (meta: string) => called('any', `{"deep":${nested(levels)}}`, meta),
  name: 'any',
  expected,
}));

for (const [levels, isRead] of [
  [62, true],
  [64, false],
  [5_000, false],
  [1_000_000, false],
] as const)
  (DEPTHS as DepthRow[]).push(
    {
      what: `_meta with a value of ${String(levels)} levels`,
      frame: (meta) =>
        called('any', '{"deep":1}', meta.replace(/}$/, `${meta.endsWith('{}') ? '' : ','}"x.example/deep":${nested(levels)}}`)),
      name: 'any',
      expected: isRead ? { result: { content: [{ text: 'deep' }] } } : TOO_DEEP,
    },
    {
      what: `a prompt with an argument of ${String(levels)} levels`,
      frame: (meta) => line('prompts/get', `"name":"prompt","arguments":{"text":${nested(levels)}},${meta}`),
      name: 'prompt',
      expected: isRead ? { error: { code: -32602 } } : TOO_DEEP,
    },
  );

const ROWS = [...SHAPES, ...SILENT, ...STRINGS, ...NUMBERS, ...PROTOTYPES];

test.each(ROWS)('$id: $what is answered right on every transport in both eras, and the next request too', async (row) => {
  const { frame, expected, answered = 9, method = 'tools/call', name } = row;
  for (const place of places) {
    const before = entered;
    logger.lines.length = 0;
    const heard = await place.say(Buffer.from(frame(META[place.era]) as string), method, name, expected === 'nothing');
    const runs = typeof expected === 'object' && name !== undefined ? 1 : 0;
    expect([place.name, entered - before]).toEqual([place.name, runs]);
    expect([place.name, heard.answer?.['id']]).toEqual([place.name, expected === 'nothing' ? undefined : answered]);
    if (typeof expected === 'number') {
      expect([place.name, heard]).toMatchObject([place.name, { answer: { error: { code: expected } } }]);
      if (place.isHttp) expect([place.name, heard.status, heard.type]).toEqual([place.name, 400, 'application/json']);
    } else if (expected === 'failed') expect([place.name, heard.answer]).toMatchObject([place.name, { result: { isError: true } }]);
    else if (expected === 'nothing')
      expect([place.name, place.isHttp ? [202, 400] : [undefined]]).toEqual([place.name, expect.arrayContaining([heard.status])]);
    else if (name !== undefined) expect([place.name, heard.answer?.['result'].content[0].text]).toEqual([place.name, expected.text]);
    else expect([place.name, heard.answer]).toMatchObject([place.name, { result: {} }]);
    await stillServes(place);
    // Who is answered 400 has been told.
    if (expected === 'nothing' && row.isLogged === true && heard.status !== 400)
      expect([place.name, logger.lines.map(({ level }) => level)]).toEqual([place.name, ['debug']]);
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test.each(['', 'x'.repeat(200_000)])('A5: a string id comes back exactly as it was on every transport in both eras', async (id) => {
  for (const place of places) {
    const { answer } = await place.say(Buffer.from(list(JSON.stringify(id), META[place.era])), 'tools/list', undefined, false);
    expect([place.name, answer?.['id'] === id, typeof answer?.['result']]).toEqual([place.name, true, 'object']);
  }
});

test.each(DEPTHS)('A11: $what are answered right on every transport in both eras', async ({ frame, expected, name }) => {
  for (const place of places) {
    const sent = Buffer.from(frame(META[place.era]));
    const before = entered;
    const { answer } = await place.say(sent, name === 'prompt' ? 'prompts/get' : 'tools/call', name, false);
    expect([place.name, answer]).toMatchObject([place.name, expected]);
    expect(entered - before).toBe('error' in expected || expected.result?.isError === true ? 0 : 1);
    await stillServes(place);
  }
});
