import { IsString } from 'class-validator';
import {
  AuditSink,
  GuardedFs,
  Injectable,
  McpPrompt,
  McpResource,
  McpTool,
  Policy,
  Requires,
  Roles,
  RolesGuard,
  UseGuards,
} from 'perch-mcp';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closeApps, createApp, everyDoor, overHttp, RecordingLogger, type RpcAnswer } from '../support/app';
import { ask, JSON_HEADERS, modern, openSession } from '../support/wire';

afterEach(closeApps);

class PathInput {
  @IsString() path!: string;
}

@Injectable()
class Desk {
  constructor(private readonly files: GuardedFs) {}

  @McpTool({ name: 'hidden', description: 'Hidden' })
  @Roles('admin')
  @UseGuards(RolesGuard)
  hidden(): string {
    return 'entered';
  }

  @McpTool({ name: 'read_when_asked', description: 'Reads', input: PathInput })
  @Requires({ fsRead: ({ path: file }: PathInput) => file })
  readWhenAsked(): string {
    return 'entered';
  }

  @McpTool({ name: 'read_at_once', description: 'Reads', input: PathInput })
  async readAtOnce({ path: file }: PathInput): Promise<string> {
    return (await this.files.read(file)).toString();
  }
}

@McpResource({ uri: 'desk://hidden', name: 'hidden' })
@Roles('admin')
@UseGuards(RolesGuard)
class HiddenResource {
  read(): string {
    return 'entered';
  }
}

@McpPrompt({ name: 'hidden' })
@Roles('admin')
@UseGuards(RolesGuard)
class HiddenPrompt {
  get(): string {
    return 'entered';
  }
}

@McpPrompt({ name: 'open', args: PathInput })
class OpenPrompt {
  get(): string {
    return 'entered';
  }
}

const PROVIDERS = [
  { provide: AuditSink, useValue: { write: () => undefined } },
  Desk,
  HiddenResource,
  HiddenPrompt,
  OpenPrompt,
  RolesGuard,
];

/** The answer with the name that was asked for replaced, and without its id. */
function withoutName({ result, error }: RpcAnswer, name: string): unknown {
  return JSON.parse(JSON.stringify({ result, error }).replaceAll(name, '…'));
}

const PAIRS: readonly (readonly [string, string, Record<string, unknown>, Record<string, unknown>])[] = [
  ['tool', 'tools/call', { name: 'hidden' }, { name: 'nothin' }],
  ['resource', 'resources/read', { uri: 'desk://hidden' }, { uri: 'desk://nothin' }],
  ['prompt', 'prompts/get', { name: 'hidden' }, { name: 'nothin' }],
  [
    'completion',
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'hidden' }, argument: { name: 'a', value: '' } },
    { ref: { type: 'ref/prompt', name: 'nothin' }, argument: { name: 'a', value: '' } },
  ],
];

test.each(PAIRS)('E5: a hidden %s is answered like one that does not exist, on every transport', async (_what, method, hidden, unknown) => {
  for (const door of await everyDoor(await createApp(PROVIDERS))) {
    const [toHidden, toUnknown] = [await door.ask(method, hidden), await door.ask(method, unknown)];
    expect(withoutName(toHidden, 'hidden')).toEqual(withoutName(toUnknown, 'nothin'));
    expect(toHidden.error).toMatchObject({ code: -32602 });
  }
});

test('E5: an unknown legacy session and one that was ended are answered alike', async () => {
  const url = await overHttp(await createApp(PROVIDERS));
  const ended = await openSession(url);
  await ask(url, { method: 'DELETE', headers: ended });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const toEnded = await ask(url, { headers: ended, body });
  const toUnknown = await ask(url, { headers: { ...ended, 'mcp-session-id': '0'.repeat(36) }, body });
  expect([toEnded.status, toEnded.text]).toEqual([toUnknown.status, toUnknown.text]);
  expect(toEnded.status).toBe(404);
});

describe('E8: a path that the policy denies', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'perch-'));
    writeFileSync(path.join(folder, 'there.txt'), 'secret');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test.each([
    ['read_when_asked', 'Denied by policy'],
    ['read_at_once', 'Access denied'],
  ])('E8: through %s is answered the same whether it exists or not, on every transport', async (name, text) => {
    const app = await createApp(PROVIDERS, { policy: Policy.define({ fsRead: [path.join(folder, 'allowed')] }) });
    for (const door of await everyDoor(app)) {
      const answers = [];
      for (const file of ['there.txt', 'missing.txt', 'there.txt/below']) {
        answers.push((await door.ask('tools/call', { name, arguments: { path: path.join(folder, file) } })).result);
      }
      expect(answers[0]).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
      expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    }
  });
});

const HOSTILE: readonly (readonly [string, string])[] = [
  ['a line break', 'a\r\nX-Injected: 1'],
  ['quotes', `a"'\`</script>`],
  ['10 kB', 'a'.repeat(10_000)],
  ['letters that turn the line around', 'a\u202Eelif\u2066'],
  ['what a terminal obeys', 'a\u001b[2J\u009b31m\u0007'],
  ['line ends of Unicode', 'a\u2028b\u2029c\u0085d'],
  ['half a pair', 'a\uD800'],
];

/** Every place of a request from which an answer may quote. */
const echoing = (hostile: string): readonly (readonly [string, Record<string, unknown>])[] => [
  ['tools/call', { name: hostile }],
  ['tools/call', { name: 'read_at_once', arguments: { path: '/x', [hostile]: 1 } }],
  ['tools/call', { name: 'read_at_once', arguments: { path: { [hostile]: hostile } } }],
  ['prompts/get', { name: hostile }],
  ['prompts/get', { name: 'open', arguments: { [hostile]: 'x' } }],
  ['resources/read', { uri: `x:${hostile}` }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: hostile }, argument: { name: 'a', value: '' } }],
  ['completion/complete', { ref: { type: 'ref/resource', uri: hostile }, argument: { name: 'a', value: '' } }],
  ['completion/complete', { ref: { type: hostile, name: 'open' }, argument: { name: 'a', value: '' } }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'hidden' }, argument: { name: hostile, value: hostile } }],
  ['tools/list', { cursor: hostile }],
  ['logging/setLevel', { level: hostile }],
  ['resources/subscribe', { uri: hostile }],
  ['initialize', { protocolVersion: hostile, capabilities: {}, clientInfo: { name: hostile, version: hostile } }],
  [`no/${hostile}`, {}],
];

describe.each(HOSTILE)('E4: a name with %s', (_what, hostile) => {
  const isTame = (text: string): void => {
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text.length).toBeLessThan(1_000);
  };

  test('E4: is echoed escaped and cut, on every transport, and stands on one line of the log', async () => {
    const logger = new RecordingLogger();
    const app = await createApp(PROVIDERS, { logger });
    for (const door of await everyDoor(app)) {
      // HTTP's modern era repeats the method in a header, where most of these cannot stand.
      const isModernHttp = door.name === 'HTTP 2026-07-28';
      for (const [method, params] of echoing(hostile)) {
        if (isModernHttp && method.startsWith('no/')) continue;
        const answer = await door.ask(method, params);
        const [block] = (answer.result?.['content'] ?? []) as { text: string }[];
        const said = answer.error?.message ?? block?.text ?? '';
        expect([door.name, method, said]).not.toEqual([door.name, method, '']);
        isTame(said);
      }
    }
    for (const { message } of logger.lines) isTame(message);
  });
});

// What must repeat the body and does not is named, escaped and cut (test/transport/http-rows.test.ts).
test('E4: no header of a request comes back, in a header or in the body', async () => {
  const url = await overHttp(await createApp(PROVIDERS));
  const MARK = 'mark-4711';
  const { headers: good, body } = modern('tools/list');
  const tries = [
    { host: `${MARK}.example` },
    { origin: `http://${MARK}.example` },
    { 'content-type': `text/${MARK}` },
    { accept: MARK },
    { 'mcp-protocol-version': MARK },
    { 'mcp-session-id': MARK },
    { 'x-anything': MARK },
    { 'content-encoding': MARK },
    { authorization: MARK },
    { 'last-event-id': MARK },
    { host: `localhost"<${MARK}>` },
    { host: `${MARK}${'x'.repeat(8_000)}` },
    { origin: `http://${MARK}${'x'.repeat(8_000)}` },
    { origin: `http://localhost" ${MARK} \t'` },
    { origin: `\u00ff${MARK}` },
    { expect: MARK },
    { 'x-forwarded-host': MARK },
  ];
  for (const wrong of tries) {
    const answer = await ask(url, { headers: { ...good, ...wrong }, ...(body === undefined ? {} : { body }) });
    expect({ wrong, headers: JSON.stringify(answer.headers).includes(MARK) }).toEqual({ wrong, headers: false });
    // A revision that is not served is named beside those that are: the specification asks for it (Versioning).
    if (!('mcp-protocol-version' in wrong)) expect(answer.text).not.toContain(MARK);
  }
  for (const injected of ['%0d%0aX-Injected:%201', '%1b[2J', '"><script>']) {
    const answer = await ask(url, { method: 'GET', path: `/${MARK}${injected}?${injected}`, headers: {} });
    expect([answer.status, answer.headers['x-injected'], JSON.stringify(answer).includes(MARK)]).toEqual([404, undefined, false]);
  }
});

test('E1: the id of a legacy session stands in the header that hands it out, and in no other byte', async () => {
  const url = await overHttp(await createApp(PROVIDERS));
  const session = await openSession(url);
  const id = session['mcp-session-id'] ?? '';
  for (const method of ['tools/list', 'tools/call', 'no/such', 'ping']) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name: 'hidden' } });
    expect((await ask(url, { headers: session, body })).text).not.toContain(id);
  }
  const other = await ask(url, {
    headers: { ...JSON_HEADERS, 'mcp-protocol-version': '2025-11-25' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  expect(JSON.stringify(other)).not.toContain(id);
});

test('E7: an error has no data, but for an unknown resource, whose URI the specification wants', async () => {
  for (const door of await everyDoor(await createApp(PROVIDERS))) {
    expect((await door.ask('tools/call', { name: 'no_such' })).error).not.toHaveProperty('data');
    expect((await door.ask('tools/call', {})).error).not.toHaveProperty('data');
    expect((await door.ask('prompts/get', { name: 'no_such' })).error).not.toHaveProperty('data');
    expect((await door.ask('no/such')).error).not.toHaveProperty('data');
    expect((await door.ask('resources/read', { uri: 'no://such' })).error).toMatchObject({ data: { uri: 'no://such' } });
  }
});
