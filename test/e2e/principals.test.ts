import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { IsInt } from 'class-validator';
import {
  Injectable,
  McpContext,
  McpTool,
  Scope,
  TokenVerifier,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type McpApplication,
  type Principal,
} from 'perch-mcp';
import { connect } from 'perch-mcp/testing';
import { closeApps, createApp } from '../support/app';
import type { AnyClient } from '../support/clients';
import { ask, messageOf, modern } from '../support/wire';

afterEach(closeApps);

/** Knows ten users by tokens that begin with their names, and takes its time. */
@Injectable()
class Verifier extends TokenVerifier {
  async verify(token: string): Promise<Principal | undefined> {
    const [, id] = /^(user-\d)\.secret$/.exec(token) ?? [];
    await sleep(id === undefined ? 0 : Number(id.slice(-1)) % 3);
    return id === undefined ? undefined : { id, scopes: [`scope-of-${id}`], roles: [`role-of-${id}`] };
  }
}

let constructed = 0;

@Injectable({ scope: Scope.REQUEST })
class Caller {
  readonly serial = (constructed += 1);
  constructor(private readonly context: McpContext) {}

  get id(): string | undefined {
    return this.context.principal?.id;
  }
}

const guarded: (string | undefined)[] = [];

@Injectable()
class CallerGuard implements CanActivate {
  constructor(private readonly caller: Caller) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { principal } = context.switchToMcp().context;
    await sleep(this.caller.serial % 2);
    guarded.push(principal?.id);
    return principal !== undefined && principal.id === this.caller.id;
  }
}

class Input {
  @IsInt() number!: number;
}

@Injectable()
class Tools {
  constructor(private readonly caller: Caller) {}

  @UseGuards(CallerGuard)
  @McpTool({ name: 'whoami', description: 'Says who asks, after a while', input: Input })
  async whoami({ number }: Input, context: McpContext): Promise<string> {
    const seen = [context.principal?.id];
    await sleep(number % 4);
    seen.push(this.caller.id);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(context.principal?.scopes.join());
    await once(Readable.from(['x']), 'data');
    seen.push(this.caller.id, context.principal?.roles?.join());
    return seen.join(' ');
  }
}

const as = (token: string): { requestInit: { headers: Record<string, string> } } => ({
  requestInit: { headers: { authorization: `Bearer ${token}` } },
});
const INFO = { name: 'test-client', version: '1.0.0' };

const CONNECT: readonly (readonly [string, (url: string, token: string) => Promise<AnyClient>])[] = [
  [
    'the 1.x client',
    async (url, token) => {
      const client = new Client1(INFO);
      await client.connect(new Http1(new URL(url), as(token)));
      return client as unknown as AnyClient;
    },
  ],
  ['the 2.x client, legacy', (url, token) => connect2(url, token, 'legacy')],
  ['the 2.x client, modern', (url, token) => connect2(url, token, { pin: '2026-07-28' })],
];

async function connect2(url: string, token: string, mode: 'legacy' | { pin: string }): Promise<AnyClient> {
  const client = new Client2(INFO, { versionNegotiation: { mode } });
  await client.connect(new Http2(new URL(url), as(token)));
  return client;
}

async function serve(): Promise<string> {
  const app = await createApp([Tools, Caller, CallerGuard, { provide: TokenVerifier, useClass: Verifier }]);
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false });
  return app.handles[0]?.url ?? '';
}

test.each(CONNECT)('B14: 200 interleaved calls by 10 users over HTTP each see their own principal, through %s', async (_name, open) => {
  const url = await serve();
  guarded.length = 0;
  const users = Array.from({ length: 10 }, (_, index) => `user-${String(index)}`);
  const clients = await Promise.all(users.map((user) => open(url, `${user}.secret`)));
  const calls = Array.from({ length: 200 }, (_, number) => ({ number, user: users[number % 10] ?? '', client: clients[number % 10] }));
  const answers = await Promise.all(calls.map(async ({ client, number }) => client?.callTool({ name: 'whoami', arguments: { number } })));
  for (const [index, { user }] of calls.entries()) {
    const text = `${user} ${user} scope-of-${user} ${user} role-of-${user}`;
    expect(answers[index]).toMatchObject({ content: [{ text }] });
  }
  for (const user of users) expect(guarded.filter((each) => each === user)).toHaveLength(20);
  await Promise.all(clients.map((client) => client.close()));
});

test.each(CONNECT)('a wrong token keeps %s out', async (_name, open) => {
  const url = await serve();
  await expect(open(url, 'user-1.secre')).rejects.toThrow(/401|[Uu]nauthorized/);
});

test('a user who changes between two modern requests on one connection is another user', async () => {
  const url = await serve();
  const question = modern('tools/call', { name: 'whoami', arguments: { number: 1 } });
  for (const user of ['user-1', 'user-2', 'user-1']) {
    const headers = { ...question.headers, authorization: `Bearer ${user}.secret` };
    expect(messageOf(await ask(url, { ...question, headers }))).toMatchObject({
      result: { content: [{ text: expect.stringContaining(`${user} ${user}`) as string }] },
    });
  }
});

describe('where nobody is asked for a token', () => {
  const ME: Principal = { id: 'me', scopes: ['read'], roles: ['owner'] };

  @Injectable()
  class WhoAmI {
    @McpTool({ name: 'whoami', description: 'Says who asks' })
    whoami(_input: unknown, { principal }: McpContext): string {
      return JSON.stringify(principal ?? null);
    }
  }

  const asked = async (app: McpApplication, options: Parameters<typeof connect>[1]): Promise<unknown> => {
    const client = await connect(app, options);
    const { content } = await client.callTool({ name: 'whoami' });
    const [block] = content as unknown as readonly [{ readonly text: string }];
    return JSON.parse(block.text);
  };

  test.each(['legacy', 'modern'] as const)('a test says whom its %s client is taken for, else it is nobody', async (era) => {
    const app = await createApp([WhoAmI]);
    expect(await asked(app, { era, principal: ME })).toEqual(ME);
    expect(await asked(app, { era })).toBeNull();
  });

  test.each([
    ['nobody', {}, null],
    ['localPrincipal', { localPrincipal: ME }, ME],
  ])('the client on stdio is %s', async (_name, options, principal) => {
    const app = await createApp([WhoAmI]);
    const [input, output] = [new PassThrough(), new PassThrough()];
    await app.listen({ transports: ['stdio'], stdio: { input, output }, shutdownHooks: false, ...options });
    const { body } = modern('tools/call', { name: 'whoami' });
    input.write(`${String(body)}\n`);
    const [line] = (await once(output, 'data')) as [Buffer];
    expect(JSON.parse(line.toString())).toMatchObject({ result: { content: [{ text: JSON.stringify(principal) }] } });
  });

  test('what is told of stdio does not count over HTTP', async () => {
    const app = await createApp([WhoAmI]);
    const [input, output] = [new PassThrough(), new PassThrough()];
    await app.listen({ transports: ['stdio', 'http'], port: 0, stdio: { input, output }, shutdownHooks: false, localPrincipal: ME });
    const url = app.handles.find(({ mode }) => mode === 'http')?.url ?? '';
    expect(messageOf(await ask(url, modern('tools/call', { name: 'whoami' })))).toMatchObject({ result: { content: [{ text: 'null' }] } });
  });
});
