import { closeApps, createApp, RecordingLogger } from '../support/app';

afterEach(closeApps);

const said = ({ lines }: RecordingLogger): string[] => lines.map(({ message }) => message);

test('useLogger replaces the logger for everything that comes later, in every part of the application', async () => {
  const [first, second] = [new RecordingLogger(), new RecordingLogger()];
  const hooks = { provide: 'hooks', useValue: { onModuleDestroy: () => Promise.reject(new Error('at the end')) } };
  const app = await createApp([hooks], { logger: first });
  const before = first.lines.length;
  expect(app.useLogger(second)).toBe(app);
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false });
  await app.close();
  expect(first.lines).toHaveLength(before);
  expect(said(second).join('\n')).toMatch(/Serving MCP on http[^]*onModuleDestroy\(\) failed/);
});

test('useLogger(false) is silent, and a logger that throws costs its line', async () => {
  const logger = new RecordingLogger();
  const app = await createApp([], { logger });
  const before = logger.lines.length;
  app.useLogger({
    warn: (message: string) => logger.warn(message),
    error: () => undefined,
    log: () => {
      throw new Error('full');
    },
  });
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false });
  app.useLogger(false);
  await app.close();
  expect(said(logger).slice(before)).toEqual([expect.stringContaining('There are no tools')]);
});

test.each([
  ['text', 'debug'],
  ['true', true],
  ['a list', ['error']],
  ['null', null],
])('%s is no logger, at the start and later', async (_what, value) => {
  const refusal = { code: 'MCP_OPTION_INVALID', message: expect.stringContaining('The logger is neither an object nor false') };
  await expect(createApp([], { logger: value as never })).rejects.toMatchObject(refusal);
  const app = await createApp([]);
  expect(() => app.useLogger(value as never)).toThrow(expect.objectContaining(refusal));
});
