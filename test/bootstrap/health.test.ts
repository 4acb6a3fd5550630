import { once } from 'node:events';
import { connect } from 'node:net';
import { HealthIndicator, Inject, Injectable, McpContext, Scope, type LoggerService, type Type } from 'perch-mcp';
import { closeApps, createApp, overHttp, overStreams, RecordingLogger } from '../support/app';
import { ask, INITIALIZE, modern, type HttpAnswer } from '../support/wire';

afterEach(closeApps);

const TOKEN = '0123456789abcdef0123456789abcdef';

/** An indicator whose answer the test decides, and how often it was asked. */
function indicator(check: () => unknown, name = 'DatabaseHealth'): Type {
  const type = {
    [name]: class {
      check(): unknown {
        return check();
      }
    },
  }[name] as Type<HealthIndicator>;
  HealthIndicator()(type);
  return type;
}

const probe = (url: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<HttpAnswer> =>
  ask(url, { method, path, headers });

test('parity C15: health() tells how each indicator is, on stdio and in process, with true and nothing for up', async () => {
  const app = await createApp([indicator(() => true, 'Queue'), indicator(() => undefined, 'Cache'), indicator(async () => true, 'Disk')]);
  expect(await app.health()).toEqual({ status: 'down', indicators: [] });
  const client = await overStreams(app);
  const up = ['Queue', 'Cache', 'Disk'].map((name) => ({ name, status: 'up' }));
  expect(await app.health()).toEqual({ status: 'up', indicators: up });
  client.send(INITIALIZE);
  expect(await client.next()).toHaveProperty('result');
  await app.close();
  expect(await app.health()).toEqual({ status: 'down', indicators: [] });
});

test('an application without indicators is up once it is started', async () => {
  const app = await createApp([]);
  await app.init();
  expect(await app.health()).toEqual({ status: 'up', indicators: [] });
});

test.each<[string, () => unknown]>([
  ['says false', () => false],
  ['resolves with false', async () => false],
  ['throws', () => Promise.reject(new Error('SECRET'))],
  ['throws at once', () => void JSON.parse('{')],
  ['throws nothing', () => new Promise((_resolve, reject: (reason?: unknown) => void) => reject())],
  ['answers something else', () => ({ status: 'up' })],
  ['never answers', () => new Promise(() => undefined)],
])('one that %s is down, and so is the application; the cause goes to the log, once', async (_how, check) => {
  const logger = new RecordingLogger();
  const app = await createApp([indicator(check), indicator(() => true, 'Queue')], { logger, limits: { healthMs: 20 } });
  await app.init();
  const report = {
    status: 'down',
    indicators: [
      { name: 'DatabaseHealth', status: 'down' },
      { name: 'Queue', status: 'up' },
    ],
  };
  expect(await app.health()).toEqual(report);
  expect(await app.health()).toEqual(report);
  const told = logger.lines.filter(({ message }) => message.includes('DatabaseHealth'));
  expect(told).toMatchObject([
    {
      level: 'error',
      message: 'The health indicator DatabaseHealth is down.',
      details: [_how === 'throws nothing' ? undefined : expect.anything()],
    },
  ]);
});

describe('over the time', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  test('probes that ask at once share one run, its answer is kept for a second, and each change is told once', async () => {
    const logger = new RecordingLogger();
    let asked = 0;
    let isUp = true;
    const app = await createApp([indicator(() => ((asked += 1), isUp))], { logger });
    await app.init();
    await Promise.all(Array.from({ length: 500 }, () => app.health()));
    jest.advanceTimersByTime(999);
    await app.health();
    expect(asked).toBe(1);
    const later = async (up: boolean): Promise<string> => {
      isUp = up;
      jest.advanceTimersByTime(1_001);
      return (await app.health()).status;
    };
    expect([await later(false), await later(false), await later(true), await later(true), await later(false)]).toEqual([
      'down',
      'down',
      'up',
      'up',
      'down',
    ]);
    expect(asked).toBe(6);
    expect(logger.lines.map(({ level }) => level)).toEqual(['error', 'log', 'error']);
  });
});

test('D9, E6: the health paths answer up or down and nothing else, to GET and HEAD, without a token and by any Host', async () => {
  let isUp = true;
  const app = await createApp([indicator(() => isUp)]);
  const [handle] = (await app.listen({ transports: ['http'], port: 0, authToken: TOKEN, shutdownHooks: false })).handles;
  const url = handle?.url ?? '';
  for (const path of ['/health/live', '/health/ready', '/health/ready?verbose']) {
    const { status, text, headers } = await probe(url, path, { host: 'probe.example:80' });
    expect([status, text]).toEqual([200, '{"status":"up"}']);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' });
    expect(Object.keys(headers).sort()).toEqual(['cache-control', 'connection', 'content-length', 'content-type', 'date']);
    const head = await probe(url, path, {}, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '15']);
  }
  isUp = false;
  expect((await ask(url, modern('tools/list'))).status).toBe(401);
});

test('D9: /health/ready is 503 while an indicator is down, and /health/live is not', async () => {
  const url = await overHttp(await createApp([indicator(() => Promise.reject(new Error('postgres://user:SECRET@db')))]));
  const { status, text } = await probe(url, '/health/ready');
  expect([status, text]).toEqual([503, '{"status":"down"}']);
  expect(await probe(url, '/health/live')).toMatchObject({ status: 200, text: '{"status":"up"}' });
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('D9: %s is no way to ask for health', async (method) => {
  const url = await overHttp(await createApp([]));
  const { status, headers } = await probe(url, '/health/ready', {}, method);
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
});

test.each(['http://evil.example', 'null'])('D9: the health of the server is not for a web page of %s', async (origin) => {
  const url = await overHttp(await createApp([]));
  expect((await probe(url, '/health/ready', { origin })).status).toBe(403);
  expect((await probe(url, '/health/live', { origin: 'http://localhost:1' })).status).toBe(200);
});

test.each(['/health', '/health/', '/health/live/', '/HEALTH/live', '//health/live', '/mcp/../health/live'])(
  'E6: "%s" is no health path, and is nothing without a token and a Host',
  async (path) => {
    const app = await createApp([]);
    const [handle] = (await app.listen({ transports: ['http'], port: 0, authToken: TOKEN, shutdownHooks: false })).handles;
    expect((await probe(handle?.url ?? '', path)).status).toBe(401);
    expect((await probe(handle?.url ?? '', path, { host: 'probe.example' })).status).toBe(403);
  },
);

test('D9: while the application ends, a probe that is under way is told that it is down', async () => {
  let answer: (is: boolean) => void = () => undefined;
  let asked: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const app = await createApp([indicator(() => (asked(), new Promise<boolean>((resolve) => (answer = resolve))))]);
  let finish: () => void = () => undefined;
  const entered = new Promise<void>((resolve) => {
    app.tools.register({ name: 'slow', execute: () => (resolve(), new Promise<void>((done) => (finish = done))) });
  });
  const url = await overHttp(app);
  const running = ask(url, modern('tools/call', { name: 'slow' }));
  await entered;
  const ready = probe(url, '/health/ready');
  await isAsked;
  const closed = app.close();
  answer(true);
  expect((await ready).status).toBe(503);
  finish();
  await running;
  await closed;
});

test.each([
  ['live', 200],
  ['ready', 503],
])('D9: a request for /health/%s that ends after the end has begun is answered %i', async (path, status) => {
  const app = await createApp([]);
  let finish: () => void = () => undefined;
  const entered = new Promise<void>((resolve) => {
    app.tools.register({ name: 'slow', execute: () => (resolve(), new Promise<void>((done) => (finish = done))) });
  });
  const url = new URL(await overHttp(app));
  const socket = connect(Number(url.port), url.hostname);
  let text = '';
  const ended = once(
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk)),
    'close',
  );
  socket.write(`GET /health/${path} HTTP/1.1\r\nHost: x\r\n`);
  const running = ask(url.href, modern('tools/call', { name: 'slow' }));
  await entered;
  const closed = app.close();
  socket.write('\r\n');
  await ended;
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
  finish();
  await Promise.all([running, closed]);
});

@Injectable({ scope: Scope.REQUEST })
@HealthIndicator()
class ScopedHealth {
  check(): void {}
}

@Injectable()
class PerCall {
  constructor(@Inject(McpContext) readonly context: unknown) {}
}

@HealthIndicator()
class CaptiveHealth {
  constructor(readonly call: PerCall) {}
  check(): void {}
}

test.each([
  ['of request scope', [ScopedHealth], 'MCP_SINGLETON_REQUIRED'],
  ['transient', [{ provide: ScopedHealth, useClass: ScopedHealth, scope: Scope.TRANSIENT }], 'MCP_SINGLETON_REQUIRED'],
  ['that needs request scope', [PerCall, CaptiveHealth], 'MCP_DEPENDENCY_CAPTIVE'],
  ['without check()', [(HealthIndicator() as ClassDecorator, noCheck())], 'MCP_HEALTH_INVALID'],
] as const)('an indicator %s stops the boot', async (_what, providers, code) => {
  await expect(createApp(providers)).rejects.toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ code })]) as unknown,
  });
});

function noCheck(): Type {
  class Nothing {}
  (HealthIndicator() as ClassDecorator)(Nothing);
  return Nothing;
}

test('an indicator that a factory makes is found by its instance, and has the name that it was given', async () => {
  @HealthIndicator({ name: 'database' })
  class Made {
    check(): boolean {
      return false;
    }
  }
  const app = await createApp([{ provide: 'HEALTH', useFactory: () => new Made() }], { logger: silent() });
  await app.init();
  expect(await app.health()).toEqual({ status: 'down', indicators: [{ name: 'database', status: 'down' }] });
});

function silent(): LoggerService {
  return new RecordingLogger();
}

test('the decorator stands on classes only', () => {
  class A {
    check(): void {}
  }
  const misplaced = HealthIndicator() as unknown as (target: object, method: string, descriptor?: PropertyDescriptor) => void;
  expect(() => misplaced(A.prototype, 'check', Object.getOwnPropertyDescriptor(A.prototype, 'check'))).toThrow(
    'stands on the method A.check',
  );
  expect(() => HealthIndicator({ nam: 'x' } as never)).toThrow('has no option "nam"');
});

test('B11: after a handler that blocks the event loop for 3 s the queued calls are answered, health is up, and the log has one line', async () => {
  const logger = new RecordingLogger();
  const app = await createApp([indicator(() => true)], { logger });
  app.tools.register({
    name: 'block',
    execute: () => {
      const end = performance.now() + 3_000;
      while (performance.now() < end);
      return 'over';
    },
  });
  app.tools.register({ name: 'quick', execute: () => 'quick' });
  const url = await overHttp(app);
  const calls = ['block', 'quick', 'quick'].map((name) => ask(url, modern('tools/call', { name })));
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  expect((await probe(url, '/health/ready')).text).toBe('{"status":"up"}');
  const isTold = (): boolean => logger.lines.some(({ message }) => message.startsWith('The event loop was blocked'));
  while (!isTold()) await new Promise((resolve) => setImmediate(resolve));
  expect(logger.lines.filter(({ message }) => message.startsWith('The event loop was blocked'))).toMatchObject([
    { level: 'warn', message: expect.stringMatching(/for [23]\.\d s/) as string },
  ]);
});
