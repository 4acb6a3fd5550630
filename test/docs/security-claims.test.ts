import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  APP_GUARD,
  AuditSink,
  Engine,
  EngineModule,
  Injectable,
  McpResource,
  McpTool,
  Module,
  Policy,
  RateLimit,
  RateLimitGuard,
  Requires,
  Roles,
  RolesGuard,
  Scopes,
  UseGuards,
  type CanActivate,
  type McpApplication,
  type Principal,
} from 'perch-mcp';
import { connectInMemory } from '../../src/bootstrap/mcp-application';
import { closeApps, createApp, everyDoor, overHttp, RecordingLogger } from '../support/app';
import { MemoryCaller } from '../support/memory-caller';
import { ask, openSession } from '../support/wire';
import { AuditTable, createOffice } from './security-page';

afterEach(closeApps);

const QUIET = { provide: AuditSink, useValue: { write: () => undefined } };
const FORBIDDEN = { result: { isError: true, content: [{ type: 'text', text: 'Forbidden' }] } };

async function callerOf(app: McpApplication, principal?: Principal): Promise<MemoryCaller> {
  return MemoryCaller.open((await connectInMemory(app, principal)).client);
}
const call = (caller: MemoryCaller, name: string) => caller.ask('tools/call', { name });
const names = async (caller: MemoryCaller): Promise<unknown> =>
  ((await caller.ask('tools/list')).result?.['tools'] as { name: string }[]).map(({ name }) => name);

const person = (more: Partial<Principal> = {}): Principal => ({ id: 'ada', scopes: [], ...more });

class Deny implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

test.each([['yes'], [1], [{}], [[]], [undefined], [null], [Promise.resolve('true')]])(
  'S1: a guard that returns %p denies',
  async (answer) => {
    let entered = false;
    @McpTool({ name: 'a', description: '' })
    @UseGuards({ canActivate: () => answer as never })
    class Tool {
      execute(): void {
        entered = true;
      }
    }
    expect(await call(await callerOf(await createApp([Tool, QUIET])), 'a')).toMatchObject(FORBIDDEN);
    expect(entered).toBe(false);
  },
);

test('S2: a global guard stands before engines and before what is registered at run time', async () => {
  @Engine({ id: 'engine' })
  class SomeEngine {
    execute(): string {
      return 'entered';
    }
  }
  @Module({ imports: [EngineModule.forRoot()], providers: [SomeEngine] })
  class Engines {}
  const app = await createApp([{ provide: APP_GUARD, useClass: Deny }, QUIET], {}, [Engines]);
  app.tools.register({ name: 'later', description: '', execute: () => 'entered' });
  const caller = await callerOf(app);
  expect(await call(caller, 'engine')).toMatchObject(FORBIDDEN);
  expect(await call(caller, 'later')).toMatchObject(FORBIDDEN);
});

test.each([['yes'], [1], [undefined], [Promise.resolve(false)]])(
  'S3: an entry whose canList returns %p is listed to nobody',
  async (answer) => {
    @McpTool({ name: 'a', description: '' })
    @UseGuards({ canActivate: () => true, canList: () => answer as never })
    class Tool {
      execute(): void {}
    }
    const caller = await callerOf(await createApp([Tool, QUIET]));
    expect(await names(caller)).toEqual([]);
    expect((await call(caller, 'a')).error).toMatchObject({ code: -32602 });
  },
);

test('S4: what is listed and denied is Forbidden as a tool, and unknown as a resource', async () => {
  @McpTool({ name: 'a', description: '' })
  @UseGuards(Deny)
  class Tool {
    execute(): void {}
  }
  @McpResource({ uri: 'a://b', name: 'b' })
  @UseGuards(Deny)
  class Resource {
    read(): string {
      return '';
    }
  }
  for (const door of await everyDoor(await createApp([Tool, Resource, Deny, QUIET]))) {
    expect(await door.ask('tools/call', { name: 'a' })).toMatchObject(FORBIDDEN);
    expect((await door.ask('resources/read', { uri: 'a://b' })).error).toMatchObject({ code: -32602 });
    expect(JSON.stringify(await door.ask('resources/list'))).toContain('a://b');
  }
});

test('S5: scopes are decided before every guard, without one, and hide only when they are told to', async () => {
  const asked: string[] = [];
  const guard = { canActivate: () => asked.push('guard') > 0 };
  @Injectable()
  class Tools {
    @McpTool({ name: 'seen', description: '' }) @Scopes('docs:read') @UseGuards(guard) seen(): string {
      return 'entered';
    }
    @McpTool({ name: 'unseen', description: '' }) @Scopes('docs:read', { hide: true }) unseen(): string {
      return 'entered';
    }
  }
  const app = await createApp([Tools, QUIET]);
  const without = await callerOf(app, person());
  expect(await names(without)).toEqual(['seen']);
  expect(await call(without, 'seen')).toMatchObject(FORBIDDEN);
  expect((await call(without, 'unseen')).error).toMatchObject({ code: -32602 });
  expect(await call(await callerOf(app), 'seen')).toMatchObject(FORBIDDEN);
  expect(asked).toEqual([]);
  const holder = await callerOf(app, person({ scopes: ['docs:read'] }));
  expect(await names(holder)).toEqual(['seen', 'unseen']);
  expect(JSON.stringify([await call(holder, 'seen'), await call(holder, 'unseen')])).toMatch(/entered.*entered/);
});

test.each([
  ['Roles', Roles('admin')],
  ['RateLimit', RateLimit({ points: 1, durationMs: 1000 })],
])('S6: @%s() that no guard decides stops the start', async (word, decorate) => {
  @McpTool({ name: 'a', description: '' })
  class Tool {
    execute(): void {}
  }
  decorate(Tool);
  const app = await createApp([Tool, QUIET]);
  await expect(app.init()).rejects.toMatchObject({
    problems: [{ code: 'MCP_GUARD_MISSING', problem: expect.stringContaining(`@${word}()`) }],
  });
});

test('S7: callers are counted one by one, and a store that fails denies', async () => {
  let fails = false;
  const { RateLimiterMemory } = require('rate-limiter-flexible');
  const guard = RateLimitGuard.with({
    createLimiter: (options) => {
      const memory = new RateLimiterMemory(options);
      return { consume: (key) => (fails ? Promise.reject(new Error('down')) : memory.consume(key)) };
    },
  });
  @McpTool({ name: 'a', description: '' })
  @RateLimit({ points: 1, durationMs: 60_000 })
  @UseGuards(guard)
  class Tool {
    execute(): string {
      return 'entered';
    }
  }
  const app = await createApp([Tool, QUIET]);
  const [ada, bob] = [await callerOf(app, person()), await callerOf(app, person({ id: 'bob' }))];
  const tooMany = { result: { isError: true, content: [{ text: expect.stringContaining('Too many requests') }] } };
  expect(JSON.stringify(await call(ada, 'a'))).toContain('entered');
  expect(await call(ada, 'a')).toMatchObject(tooMany);
  expect(JSON.stringify(await call(bob, 'a'))).toContain('entered');
  expect(JSON.stringify(await call(await callerOf(app), 'a'))).toContain('entered');
  expect(await call(await callerOf(app), 'a')).toMatchObject(tooMany);
  await overHttp(app);
  const url = app.handles.find(({ mode }) => mode === 'http')?.url ?? '';
  for (const _ of ['one', 'other']) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } });
    const headers = await openSession(url);
    expect((await ask(url, { headers, body })).text).toContain('entered');
    expect((await ask(url, { headers, body })).text).toContain('Too many requests');
  }
  fails = true;
  expect(await call(bob, 'a')).toMatchObject(FORBIDDEN);
});

test('S8: a start without a policy says so, and one with a policy does not', async () => {
  for (const [options, lines] of [
    [{}, 1],
    [{ policy: Policy.define({}) }, 0],
  ] as const) {
    const logger = new RecordingLogger();
    await overHttp(await createApp([QUIET], { logger, ...options }));
    expect(logger.lines.filter(({ message }) => message.startsWith('No policy is in force'))).toHaveLength(lines);
  }
});

describe('what the policy can never allow', () => {
  @McpTool({ name: 'mail', description: '' })
  @Requires({ network: 'mail.example.com:25' })
  class Mail {
    execute(): void {}
  }
  const policy = Policy.define({ network: ['api.example.com'] });

  test('S9: is hidden and said in the log, or stops the start', async () => {
    const logger = new RecordingLogger();
    expect(await names(await callerOf(await createApp([Mail, QUIET], { policy, logger })))).toEqual([]);
    expect(logger.lines).toContainEqual(expect.objectContaining({ level: 'warn', message: expect.stringContaining('It is hidden') }));
    await expect(createApp([Mail], { policy, unmetRequirements: 'refuse' })).rejects.toMatchObject({
      problems: [{ code: 'MCP_POLICY_UNMET' }],
    });
  });
});

test('S10: the option and the environment must both allow', () => {
  const option = Policy.define({ fsRead: ['/srv/a', '/srv/b'] });
  const both = Policy.both(option, Policy.fromEnv({ PERCH_PERM_ENFORCE: '1', PERCH_PERM_FS_READ: '/srv/b:/srv/c' }));
  expect(['a', 'b', 'c'].map((name) => both.allowsFsRead(`/srv/${name}`))).toEqual([false, true, false]);
});

test('S11: a name that is denied does not deny its addresses', () => {
  const policy = Policy.define({ network: ['*', '!old.example.com'] });
  expect(policy.allowsNetwork('https://old.example.com')).toBe(false);
  expect(policy.allowsNetwork('https://93.184.215.14')).toBe(true);
});

describe('beyond the policy', () => {
  let folder: string;
  beforeEach(() => (folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'perch-')))));
  afterEach(() => rmSync(folder, { recursive: true }));

  test('D34: a handler that reads with fs is stopped by no policy, and by Node with --permission', async () => {
    const file = path.join(folder, 'diary.txt');
    writeFileSync(file, 'Dear diary');
    @McpTool({ name: 'past', description: '' })
    class Past {
      execute(): string {
        return readFileSync(file, 'utf8');
      }
    }
    const app = await createApp([Past, QUIET], { policy: Policy.define({ fsRead: ['/srv/data'] }) });
    expect(JSON.stringify(await app.tools.call('past'))).toContain('Dear diary');

    const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
    const root = path.join(__dirname, '../..');
    const allowed = [root, realpathSync(path.join(root, 'node_modules'))].map((each) => `--allow-fs-read=${each}/*`);
    const script = `const { McpFactory, Module } = require(${JSON.stringify(path.join(root, 'dist/index.js'))});
      class AppModule {}
      Module({})(AppModule);
      McpFactory.create(AppModule, { name: 'past', version: '1.0.0', logger: false }).then(async (app) => {
        app.tools.register({ name: 'past', description: '', execute: () => require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8') });
        console.log(JSON.stringify(await app.tools.call('past')));
      });`;
    const { stdout } = spawnSync(process.execPath, [flag, ...allowed, '-e', script], { encoding: 'utf8', cwd: root });
    expect(stdout).toContain('Internal error');
    expect(stdout).not.toContain('Dear diary');
  });
});

test('S12: the code of docs/security.md guards, hides, demands scopes and keeps its audit', async () => {
  const app = await createOffice();
  const [acme, other] = [
    await callerOf(app, person({ claims: { tenant: 'acme' } })),
    await callerOf(app, person({ scopes: ['docs:write'] })),
  ];
  expect([await names(acme), await names(other)]).toEqual([['invoices', 'publish'], ['publish']]);
  await call(acme, 'invoices');
  await call(acme, 'publish');
  await call(other, 'invoices');
  await call(other, 'publish');
  expect((app.get(AuditSink) as AuditTable).rows.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['invoices', 'ok'],
    ['publish', 'denied'],
    ['invoices', 'hidden'],
    ['publish', 'ok'],
  ]);
  await app.close();
});
