import { IsInt } from 'class-validator';
import {
  AuditSink,
  Complete,
  Engine,
  EngineModule,
  Injectable,
  McpFactory,
  McpPrompt,
  McpResource,
  McpTool,
  Module,
  Scopes,
  UseGuards,
  type AuditRecord,
  type CanActivate,
  type McpApplication,
  type McpContext,
  type TokenVerifier,
} from 'perch-mcp';
import { connect } from 'perch-mcp/testing';
import { ask, INITIALIZE, JSON_HEADERS, messageOf, modern, type HttpAnswer } from '../support/wire';

const entered: string[] = [];
const effects: string[] = [];
const records: AuditRecord[] = [];

class Hidden implements CanActivate {
  canActivate(): boolean {
    return false;
  }
  canList(): boolean {
    return false;
  }
}

class Topic {
  @IsInt() number!: number;
}

@Injectable()
class Docs {
  @Scopes('docs:write', 'docs:read')
  @McpTool({ name: 'open', description: 'Listed, and refused' })
  open(): string {
    return enter('open');
  }

  @Scopes('docs:write', { hide: true })
  @McpTool({ name: 'secret', description: 'Hidden by its scopes' })
  secret(): string {
    return enter('secret');
  }

  @UseGuards(Hidden)
  @Scopes('docs:write')
  @McpTool({ name: 'guarded', description: 'Hidden by its guard' })
  guarded(): string {
    return enter('guarded');
  }

  @Scopes('docs:write', 'docs:read')
  @McpResource({ uri: 'docs://one', name: 'one' })
  one(): string {
    return enter('one');
  }

  @Scopes('docs:write', { hide: true })
  @McpResource({ uri: 'docs://secret', name: 'secret' })
  hidden(): string {
    return enter('hidden');
  }

  @McpTool({ name: 'pay', description: 'Asks, pays, asks' })
  async pay(_input: unknown, context: McpContext): Promise<string> {
    await context.ask('first', { message: 'First?', schema: Topic });
    await context.once('pay', () => void effects.push(context.principal?.id ?? 'nobody'));
    await context.ask('second', { message: 'Second?', schema: Topic });
    return 'paid';
  }
}

@Scopes('docs:write', 'docs:read')
@McpPrompt({ name: 'sum', description: 'Sums up' })
class SumPrompt {
  get(): string {
    return enter('sum');
  }
}

@Scopes('docs:write', 'docs:read')
@McpResource({ uri: 'docs://of/{topic}', name: 'of' })
class OfTopic {
  read(): string {
    return enter('of');
  }

  @Complete('topic')
  complete(): string[] {
    return [enter('complete')];
  }
}

@Scopes('docs:write', 'docs:read')
@Engine()
class IndexEngine {
  readonly id = 'docs.index';
  readonly name = 'Index';
  readonly description = 'Indexes';
  readonly version = '1.0.0';
  async execute(): Promise<string> {
    return Promise.resolve(enter('engine'));
  }
}

function enter(name: string): string {
  entered.push(name);
  return name;
}

@Injectable()
class Sink extends AuditSink {
  write(record: AuditRecord): void {
    records.push(record);
  }
}

@Module({
  imports: [EngineModule.forRoot()],
  providers: [Docs, Hidden, SumPrompt, OfTopic, IndexEngine, { provide: AuditSink, useClass: Sink }],
})
class AppModule {}

/** `reader` may read and `writer` may do both; anybody else may nothing. */
const verifier: TokenVerifier = {
  verify: (token) => ({ id: token, scopes: token === 'writer' ? ['docs:read', 'docs:write'] : token === 'reader' ? ['docs:read'] : [] }),
};

let app: McpApplication;
let url: string;

beforeEach(async () => {
  for (const list of [entered, effects, records]) list.length = 0;
  app = await McpFactory.create(AppModule, { name: 'docs', version: '1.0.0', logger: false });
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false, verifier });
  url = app.handles[0]?.url ?? '';
});

afterEach(() => app.close());

type Ask = (token: string, method: string, params: Record<string, unknown>) => Promise<HttpAnswer>;

const ERAS: readonly (readonly [era: string, ask: Ask])[] = [
  [
    'modern',
    (token, method, params) => {
      const question = modern(method, params);
      return ask(url, { ...question, headers: { ...question.headers, authorization: `Bearer ${token}` } });
    },
  ],
  [
    'legacy',
    async (token, method, params) => {
      const headers = { ...JSON_HEADERS, authorization: `Bearer ${token}` };
      const begun = await ask(url, { headers, body: JSON.stringify(INITIALIZE) });
      const session = { ...headers, 'mcp-session-id': String(begun.headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' };
      await ask(url, { headers: session, body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }) });
      return ask(url, { headers: session, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
    },
  ],
];

const COMPLETE = { ref: { type: 'ref/resource', uri: 'docs://of/{topic}' }, argument: { name: 'topic', value: '' } };

/** Everything that can be asked of an entry, besides its list. */
const DOORS: readonly (readonly [method: string, params: Record<string, unknown>, enters: string | undefined])[] = [
  ['tools/call', { name: 'open' }, 'open'],
  ['tools/call', { name: 'docs.index' }, 'engine'],
  ['resources/read', { uri: 'docs://one' }, 'one'],
  ['resources/read', { uri: 'docs://of/x' }, 'of'],
  ['prompts/get', { name: 'sum' }, 'sum'],
  ['completion/complete', COMPLETE, 'complete'],
  ['resources/subscribe', { uri: 'docs://one' }, undefined],
];

describe.each(ERAS)('in the %s era', (era, asking) => {
  const doors = DOORS.filter(([method]) => era === 'legacy' || method !== 'resources/subscribe');

  test.each(doors)(
    '%s %j without the scopes is answered 403 with a challenge that names them [http.scopes]',
    async (method, params, enters) => {
      for (const token of ['reader', 'nobody']) {
        const { status, headers, text } = await asking(token, method, params);
        expect([status, headers['content-type']]).toEqual([403, expect.stringContaining('application/json')]);
        const challenge = String(headers['www-authenticate']);
        expect(challenge).toMatch(/^Bearer error="insufficient_scope"/);
        expect(challenge).toContain('scope="docs:write docs:read"');
        expect(JSON.parse(text)).toMatchObject({ error: 'insufficient_scope' });
      }
      expect(entered).toEqual([]);
      expect(records.filter(({ outcome }) => outcome === 'denied')).toMatchObject([
        { principal: 'reader', reason: 'insufficient scope' },
        { principal: 'nobody', reason: 'insufficient scope' },
      ]);
      const allowed = await asking('writer', method, params);
      expect(allowed.status).toBe(200);
      expect(messageOf(allowed)).toHaveProperty('result');
      expect(entered).toEqual(enters === undefined ? [] : [enters]);
    },
  );

  test('a list holds what is refused with a challenge, and not what is hidden', async () => {
    const listed = async (token: string, list: string): Promise<unknown> =>
      ((messageOf(await asking(token, `${list}/list`, {}))['result'] ?? {}) as Record<string, readonly { name: string }[]>)[list]?.map(
        ({ name }) => name,
      );
    expect([await listed('reader', 'tools'), await listed('reader', 'resources')]).toEqual([['open', 'pay', 'docs.index'], ['one']]);
    expect(await listed('writer', 'resources')).toEqual(['one', 'secret']);
  });

  test.each([
    ['tools/call', 'name', 'secret', 'no-such-thing'],
    ['tools/call', 'name', 'guarded', 'no-such-thing'],
    ['resources/read', 'uri', 'docs://secret', 'docs://no-such-thing'],
  ])('%s of a %s that is hidden is answered as an unknown one, without a challenge', async (method, key, hidden, unknown) => {
    const [first, second] = [await asking('reader', method, { [key]: hidden }), await asking('reader', method, { [key]: unknown })];
    expect([first.status, first.headers['www-authenticate']]).toEqual([second.status, undefined]);
    expect(JSON.stringify(messageOf(first)).replaceAll(hidden, '?')).toBe(JSON.stringify(messageOf(second)).replaceAll(unknown, '?'));
    expect(entered).toEqual([]);
  });
});

test('a modern client may not follow what it lacks the scopes for', async () => {
  const kept = async (token: string): Promise<unknown> => {
    const question = modern('subscriptions/listen', { notifications: { resourceSubscriptions: ['docs://one'] } });
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...question.headers, authorization: `Bearer ${token}` },
      body: String(question.body),
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    while (!text.includes('\n\n')) text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    return text.includes('docs://one');
  };
  expect([await kept('reader'), await kept('writer')]).toEqual([false, true]);
});

test.each(['legacy', 'modern'] as const)(
  'in memory, of the %s era, a call is answered Forbidden and everything else as unknown',
  async (era) => {
    const reader = await connect(app, { era, principal: { id: 'reader', scopes: ['docs:read'] } });
    expect(await reader.callTool({ name: 'open' })).toMatchObject({ isError: true, content: [{ text: 'Forbidden' }] });
    await expect(reader.readResource({ uri: 'docs://one' })).rejects.toMatchObject({ code: -32602, data: { uri: 'docs://one' } });
    await expect(reader.getPrompt({ name: 'sum' })).rejects.toMatchObject({ code: -32602 });
    expect(entered).toEqual([]);
    const writer = await connect(app, { era, principal: { id: 'writer', scopes: ['docs:read', 'docs:write'] } });
    expect(await writer.callTool({ name: 'open' })).toMatchObject({ content: [{ text: 'open' }] });
  },
);

describe('D17: what one user was handed', () => {
  const CAPABLE = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const accept = { action: 'accept', content: { number: 1 } };

  async function pay(token: string, more: Record<string, unknown> = {}): Promise<Record<string, Record<string, unknown>>> {
    const { headers } = modern('tools/call', { name: 'pay' });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pay', ...more, _meta: CAPABLE } });
    return messageOf(await ask(url, { headers: { ...headers, authorization: `Bearer ${token}` }, body })) as never;
  }

  test('the state of an open question is refused from another, and its effect is not repeated', async () => {
    const first = await pay('alice');
    const state1 = first['result']?.['requestState'];
    const refused = { error: { code: -32602 } };
    expect(await pay('bob', { requestState: state1, inputResponses: { first: accept } })).toMatchObject(refused);
    expect(effects).toEqual([]);
    const second = await pay('alice', { requestState: state1, inputResponses: { first: accept } });
    const state2 = second['result']?.['requestState'];
    expect(effects).toEqual(['alice']);
    expect(await pay('bob', { requestState: state2, inputResponses: { second: accept } })).toMatchObject(refused);
    expect(await pay('bob', { requestState: state1, inputResponses: { first: accept } })).toMatchObject(refused);
    expect(effects).toEqual(['alice']);
    expect(await pay('alice', { requestState: state2, inputResponses: { second: accept } })).toMatchObject({
      result: { content: [{ text: 'paid' }] },
    });
    expect(effects).toEqual(['alice']);
  });

  test('a cursor shows another only what that one may see, and is read by nobody', async () => {
    const paged = await McpFactory.create(AppModule, { name: 'docs', version: '1.0.0', logger: false, limits: { listPage: 1 } });
    try {
      await paged.listen({ transports: ['http'], port: 0, shutdownHooks: false, verifier });
      const list = async (token: string, cursor?: unknown): Promise<Record<string, unknown>> => {
        const question = modern('tools/list', cursor === undefined ? {} : { cursor });
        const headers = { ...question.headers, authorization: `Bearer ${token}` };
        return messageOf(await ask(paged.handles[0]?.url ?? '', { ...question, headers }))['result'] as Record<string, unknown>;
      };
      const pagesOf = async (token: string, from?: unknown): Promise<string[]> => {
        const page = await list(token, from);
        const names = (page['tools'] as { readonly name: string }[]).map(({ name }) => name);
        return page['nextCursor'] === undefined ? names : [...names, ...(await pagesOf(token, page['nextCursor']))];
      };
      const { nextCursor } = await list('writer');
      expect(await pagesOf('writer')).toEqual(['open', 'secret', 'pay', 'docs.index']);
      expect(await pagesOf('reader')).toEqual(['open', 'pay', 'docs.index']);
      expect(await pagesOf('reader', nextCursor)).toEqual(['pay', 'docs.index']);
      expect(Buffer.from(String(nextCursor), 'base64url').toString('latin1')).not.toMatch(/open|secret|writer/);
    } finally {
      await paged.close();
    }
  });
});
