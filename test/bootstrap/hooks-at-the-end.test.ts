import { networkInterfaces } from 'node:os';
import { Injectable, Module, type McpApplication, type OnModuleDestroy, type Type } from 'perch-mcp';
import { closeApps, createApp, RecordingLogger } from '../support/app';

afterEach(closeApps);

const TOKEN = '0123456789abcdef0123456789abcdef';

/** A provider whose end does this, in a module of its own. */
function moduleWith(onModuleDestroy: () => unknown): Type {
  @Injectable()
  class Ends implements OnModuleDestroy {
    onModuleDestroy(): Promise<void> {
      return onModuleDestroy() as Promise<void>;
    }
  }
  class EndsModule {}
  Module({ providers: [Ends] })(EndsModule);
  return EndsModule;
}

test.each<[string, (app: () => McpApplication) => unknown]>([
  ['throws', () => JSON.parse('{')],
  ['rejects', () => Promise.reject(new Error('cause'))],
  ['hangs', () => new Promise(() => undefined)],
  ['closes the application again and waits for it', (app) => app().close()],
])('B16: onModuleDestroy that %s is logged, the others run, and each runs once', async (_what, fault) => {
  const logger = new RecordingLogger();
  const ended: string[] = [];
  const made: { app?: McpApplication } = {};
  const imports = [
    moduleWith(() => void ended.push('first')),
    moduleWith(() => {
      ended.push('faulty');
      return fault(() => made.app as McpApplication);
    }),
    moduleWith(() => void ended.push('last')),
  ];
  const app = (made.app = await createApp([], { logger, limits: { hookMs: 30 } }, imports));
  await app.init();
  const closed = app.close();
  expect(app.close()).toBe(closed);
  await closed;
  await app.close();
  expect([...ended].sort()).toEqual(['faulty', 'first', 'last']);
  expect(logger.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { message: expect.stringMatching(/^Ends\.onModuleDestroy\(\) (failed|did not finish within 30 ms)$/) as string },
  ]);
});

const FOREIGN = '203.0.113.7';

test('B17: a host that is not of this machine is one error with host and port, and nothing is left open', async () => {
  expect(
    Object.values(networkInterfaces())
      .flat()
      .some((each) => each?.address === FOREIGN),
  ).toBe(false);
  let ended = 0;
  const app = await createApp([], {}, [moduleWith(() => (ended += 1))]);
  const listening = app.listen({
    transports: ['http'],
    host: FOREIGN,
    allowedHosts: ['perch.example'],
    port: 4_711,
    authToken: TOKEN,
    shutdownHooks: false,
  });
  await expect(listening).rejects.toMatchObject({
    code: 'MCP_TRANSPORT_FAILED',
    message: expect.stringContaining(`${FOREIGN}:4711: EADDRNOTAVAIL`) as string,
  });
  expect([ended, app.handles, app.isStarted()]).toEqual([1, [], false]);
});

test('B17: a port over 65535 is refused before anything is started', async () => {
  let ended = 0;
  const app = await createApp([], {}, [moduleWith(() => (ended += 1))]);
  await expect(app.listen({ transports: ['http'], port: 70_000, shutdownHooks: false })).rejects.toMatchObject({
    code: 'MCP_OPTION_INVALID',
  });
  expect(ended).toBe(0);
});
