import { RateLimiterMemory } from 'rate-limiter-flexible';
import {
  APP_GUARD,
  AuditSink,
  Injectable,
  McpPrompt,
  McpResource,
  McpTool,
  PolicyGuard,
  Policy,
  RateLimit,
  RateLimitGuard,
  Roles,
  RolesGuard,
  Scope,
  UseGuards,
  type AuditRecord,
  type CanActivate,
  type RateLimiterOptions,
} from 'perch-mcp';
import { closeApps, createApp, RecordingLogger } from '../support/app';
import { openDoors, type RawDoor } from './raw-doors';

afterEach(closeApps);

@Roles('admin')
@McpTool({ name: 'admin-only', description: 'd' })
class AdminOnly {
  execute(): string {
    return 'entered';
  }
}

class OwnGuard implements CanActivate {
  readonly enforces = ['roles'] as const;
  canActivate(): boolean {
    return true;
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestGuard implements CanActivate {
  static readonly enforces = ['roles'] as const;
  canActivate(): boolean {
    return true;
  }
}

test('F9: @Roles() that no guard decides stops init() and listen(), and the entry and the way out are named', async () => {
  const problem = {
    code: 'MCP_GUARD_MISSING',
    message: expect.stringMatching(/Tool "admin-only" carries @Roles\(\)[\s\S]*AdminOnly\.execute[\s\S]*RolesGuard/) as string,
  };
  await expect((await createApp([AdminOnly])).init()).rejects.toMatchObject(problem);
  await expect((await createApp([AdminOnly])).listen({ transports: ['http'], port: 0 })).rejects.toMatchObject(problem);
  expect(await (await createApp([AdminOnly])).tools.call('admin-only')).toMatchObject({ isError: true, content: [{ text: 'Forbidden' }] });
  const other = { provide: APP_GUARD, useValue: { canActivate: () => true } };
  await expect((await createApp([AdminOnly, other])).init()).rejects.toMatchObject(problem);
});

test.each([
  ['RolesGuard', RolesGuard],
  ['a guard of the author that says so', OwnGuard],
  ['a guard that lives for one operation and whose class says so', RequestGuard],
])('a global guard satisfies the tripwire: %s', async (_name, useClass) => {
  await expect((await createApp([AdminOnly, { provide: APP_GUARD, useClass }])).init()).resolves.toBeDefined();
});

test('a guard added with useGlobalGuards satisfies the tripwire until the start', async () => {
  await expect((await createApp([AdminOnly])).useGlobalGuards(new RolesGuard()).init()).resolves.toBeDefined();
});

test('PolicyGuard serves an entry only under a policy', async () => {
  @UseGuards(PolicyGuard)
  @McpTool({ name: 'confined', description: 'd' })
  class Confined {
    execute(): string {
      return 'entered';
    }
  }
  await expect((await createApp([Confined])).tools.call('confined')).rejects.toMatchObject({ message: 'Unknown tool: "confined"' });
  const app = await createApp([Confined], { policy: Policy.define({}) });
  expect(await app.tools.call('confined')).toMatchObject({ content: [{ text: 'entered' }] });
});

@UseGuards(RateLimitGuard)
@Injectable()
class Limited {
  @RateLimit({ points: 2, durationMs: 60_000 })
  @McpTool({ name: 'limited', description: 'd' })
  tool(): string {
    return 'entered';
  }

  @RateLimit({ points: 1, durationMs: 60_000 })
  @McpResource({ uri: 'x://{id}', name: 'x' })
  read(): string {
    return 'entered';
  }

  @RateLimit({ points: 1, durationMs: 60_000 })
  @McpPrompt({ name: 'p' })
  get(): string {
    return 'entered';
  }
}

const called = (door: RawDoor): Promise<string> => door.ask('tools/call', { name: 'limited' });

test('a rate is counted per principal over all of its connections, per legacy session, and for everybody else together', async () => {
  const doors = await openDoors(await createApp([Limited]));
  const ofBob = doors.filter(({ principal }) => principal?.id === 'bob');
  for (const door of ofBob) expect(await called(door)).toContain('entered');
  for (const door of ofBob) expect(await called(door)).toMatch(/"Too many requests\. Try again in \d+ s"/);
  for (const door of doors.filter(({ principal }) => principal?.id === 'ann')) expect(await called(door)).toContain('entered');
  const session = doors.find(({ name }) => name === 'HTTP 2025-11-25') as RawDoor;
  const nobody = doors.filter(({ principal, name }) => principal === undefined && name !== session.name);
  for (const door of nobody.slice(0, 2)) expect(await called(door)).toContain('entered');
  for (const door of nobody) expect(await called(door)).toContain('Too many requests');
  for (const answer of ['entered', 'entered', 'Too many']) expect(await called(session)).toContain(answer);
});

test('a caller who asks too often is told so by a failed tool result, and by -32603 where there is no result to fail', async () => {
  const door = (await openDoors(await createApp([Limited])))[0] as RawDoor;
  for (const [method, params] of [
    ['resources/read', { uri: 'x://1' }],
    ['prompts/get', { name: 'p' }],
  ] as const) {
    expect(await door.ask(method, params)).toContain('entered');
    const { error } = JSON.parse(await door.ask(method, params)) as { error: object };
    expect(error).toEqual({ code: -32603, message: expect.stringMatching(/^Too many requests\. Try again in \d+ s$/) as string });
  }
  expect(await door.ask('resources/read', { uri: 'x://2' })).toContain('Too many requests');
});

test('E9: a refused rate is recorded as denied, for a call and for what is answered with a protocol error', async () => {
  const records: AuditRecord[] = [];
  const sink = { provide: AuditSink, useValue: { write: (record: AuditRecord) => void records.push(record) } };
  const app = await createApp([Limited, sink], { audit: { successes: false } });
  const often = [
    () => app.tools.call('limited'),
    () => app.resources.read('x://1').catch(() => undefined),
    () => app.prompts.getMessages('p').catch(() => undefined),
  ];
  for (const ask of often) for (let time = 0; time < 3; time += 1) await ask();
  expect(records.map(({ operation, outcome }) => `${String(operation)} ${outcome}`)).toEqual([
    'call denied',
    'read denied',
    'read denied',
    'get denied',
    'get denied',
  ]);
});

@RateLimit({ points: 2, durationMs: 60_000 })
@UseGuards(RateLimitGuard)
@Injectable()
class TwiceLimited {
  @RateLimit({ points: 2, durationMs: 60_000 })
  @McpTool({ name: 'limited', description: 'd' })
  tool(): string {
    return 'entered';
  }
}

test('two demands that are alike, on a class and on its method, count apart', async () => {
  const app = await createApp([TwiceLimited]);
  for (const answer of ['entered', 'entered', 'Too many requests']) {
    expect(await app.tools.call('limited')).toMatchObject({ content: [{ text: expect.stringContaining(answer) as string }] });
  }
});

test('a store that fails denies, and what it says stays in the log', async () => {
  const logger = new RecordingLogger();
  const useValue = RateLimitGuard.with({ createLimiter: () => ({ consume: () => Promise.reject(new Error('redis://SECRET')) }) });
  const app = await createApp([Limited, { provide: RateLimitGuard, useValue }], { logger });
  expect(await app.tools.call('limited')).toEqual({ isError: true, content: [{ type: 'text', text: 'Forbidden' }] });
  expect(logger.lines.find(({ level }) => level === 'error')?.details).toEqual([new Error('redis://SECRET')]);
});

test('a limiter of rate-limiter-flexible keeps no key of a caller after the time of its demand', async () => {
  const made: RateLimiterMemory[] = [];
  const createLimiter = (options: RateLimiterOptions): RateLimiterMemory => {
    const limiter = new RateLimiterMemory({ ...options, duration: 1 });
    made.push(limiter);
    return limiter;
  };
  let caller = 0;
  const keyOf = (): string => `caller ${String((caller += 1))}`;
  const app = await createApp([Limited, { provide: RateLimitGuard, useValue: RateLimitGuard.with({ createLimiter, keyOf }) }]);
  for (let call = 0; call < 20; call += 1) expect(await app.tools.call('limited')).toMatchObject({ content: [{ text: 'entered' }] });
  const [limiter, ...others] = made as [RateLimiterMemory];
  expect(others).toEqual([]);
  const left = async (): Promise<number> => {
    const found = await Promise.all(Array.from({ length: 20 }, (_each, index) => limiter.get(`caller ${String(index + 1)}`)));
    return found.filter((each) => each !== null).length;
  };
  expect(await left()).toBe(20);
  while ((await left()) > 0) await new Promise((resolve) => setImmediate(resolve));
});
