import { resolveListenOptions, type ListenOptions } from '../../src/bootstrap/listen-options';
import { isLoopbackAddress } from '../../src/policy/loopback';
import { RecordingLogger } from '../support/app';

const logger = new RecordingLogger();

const resolve = (
  options: ListenOptions = {},
  argv: readonly string[] = [],
  env: Record<string, string> = {},
): ReturnType<typeof resolveListenOptions> => resolveListenOptions(options, { argv, env, verifier: undefined, logger });

test('without anything said it is stdio, and for HTTP 127.0.0.1:3000/mcp', async () => {
  expect(await resolve()).toEqual({
    transports: ['stdio'],
    host: '127.0.0.1',
    port: 3000,
    path: '/mcp',
    sessions: {},
    stdio: {},
    shutdownHooks: true,
    unhandledRejections: 'exit',
  });
});

test('options win over flags, and flags over the environment', async () => {
  const env = { PERCH_TRANSPORT: 'http', PERCH_PORT: '1111' };
  expect(await resolve({}, [], env)).toMatchObject({ transports: ['http'], port: 1111 });
  expect(await resolve({}, ['--transport', 'stdio', '--port=2222'], env)).toMatchObject({ transports: ['stdio'], port: 2222 });
  expect(await resolve({ transports: ['http'], port: 3333 }, ['--transport', 'stdio', '--port', '2222'], env)).toMatchObject({
    transports: ['http'],
    port: 3333,
  });
});

test('several transports are separated by commas, and each is opened once', async () => {
  expect(await resolve({}, ['--transport', 'stdio, http,stdio'])).toMatchObject({ transports: ['stdio', 'http'] });
});

test('flags and words that belong to the program are left alone', async () => {
  expect(await resolve({}, ['run', '--verbose', '--config=x', '-v'])).toMatchObject({ transports: ['stdio'] });
});

test.each([['tcp'], [''], ['http,'], ['HTTP']])('the transport "%s" is refused', async (name) => {
  await expect(resolve({}, ['--transport', name])).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
});

test.each([['70000'], ['-1'], ['1.5'], ['0x10'], ['abc'], [' 80']])('the port "%s" is refused', async (port) => {
  await expect(resolve({}, [], { PERCH_PORT: port })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
});

test('port 0 takes a free one, and an empty variable is as good as none', async () => {
  expect(await resolve({}, ['--port', '0'], { PERCH_PORT: '' })).toMatchObject({ port: 0 });
  expect(await resolve({}, [], { PERCH_PORT: '' })).toMatchObject({ port: 3000 });
});

test.each(['0.0.0.0', '::', '::ffff:10.0.0.1', '::ffff:127.0.0.1', '192.168.1.1', 'localhost.invalid', 'localhost.evil.invalid'])(
  'D5: HTTP on "%s" is refused before it listens [http.loopback]',
  async (host) => {
    await expect(resolve({ transports: ['http'], host })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
  },
);

test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost', '', '  '])('D5: HTTP on "%s" is this machine only', async (host) => {
  const resolved = await resolve({ transports: ['http'], host });
  expect(isLoopbackAddress(resolved.host)).toBe(true);
});

test('D5: a name is bound at the address it was checked by, whatever it resolves to later', async () => {
  expect((await resolve({ transports: ['http'], host: 'localhost' })).host).toMatch(/^(?:127\.0\.0\.1|::1)$/);
});

const TOKEN = '0123456789abcdef0123456789abcdef';

test.each(['0.0.0.0', '::', '192.168.1.1', 'some.name.invalid'])(
  'D5: with a token or a verifier, and under names that are listed, HTTP may listen on "%s"',
  async (host) => {
    const verifier = { verify: () => undefined };
    const there = { transports: ['http'], host, allowedHosts: ['mcp.example'] } as const;
    expect(await resolve({ ...there, authToken: TOKEN })).toMatchObject({ host, front: { hosts: ['mcp.example'] } });
    expect(await resolve(there, [], { PERCH_AUTH_TOKEN: TOKEN })).toMatchObject({ host });
    expect(await resolve({ ...there, verifier })).toMatchObject({ host, verifier });
    expect(await resolve({ ...there, allowedHosts: '*', verifier })).toMatchObject({ host, front: { hosts: '*' } });
    for (const none of [{}, { allowedHosts: [] }])
      await expect(resolve({ transports: ['http'], host, verifier, ...none })).rejects.toMatchObject({
        code: 'MCP_OPTION_INVALID',
        message: expect.stringContaining('under which names it is reached') as string,
      });
  },
);

test.each(['', ' ', '\t', 'two words', 'quo"te', 'ünicode', 'a=b', 'x\0y', `${TOKEN}\n`])(
  'D5: "%s" is no token, on no address, and the refusal does not repeat it',
  async (token) => {
    for (const host of ['127.0.0.1', '0.0.0.0'])
      for (const [options, env] of [
        [{ authToken: token }, {}],
        [{}, { PERCH_AUTH_TOKEN: token }],
      ] as const) {
        const refusal: unknown = await resolve({ transports: ['http'], host, ...options }, [], env).catch((error: unknown) => error);
        expect(refusal).toMatchObject({ code: 'MCP_OPTION_INVALID', message: expect.stringContaining('is not a token') as string });
        if (token.trim() !== '') expect((refusal as Error).message).not.toContain(token.trim());
      }
  },
);

test('a token besides a verifier is refused, for nobody could say which of them decides', async () => {
  const verifier = { verify: () => undefined };
  const refusal = { code: 'MCP_OPTION_INVALID', message: expect.stringContaining('PERCH_AUTH_TOKEN is set') as string };
  await expect(resolve({ transports: ['http'], verifier }, [], { PERCH_AUTH_TOKEN: TOKEN })).rejects.toMatchObject(refusal);
  await expect(resolve({ transports: ['http'], verifier, authToken: TOKEN })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
  const sources = { argv: [], env: {}, verifier, logger };
  await expect(resolveListenOptions({ transports: ['http'], authToken: TOKEN }, sources)).rejects.toMatchObject({
    code: 'MCP_OPTION_INVALID',
  });
});

test('the verifier of the options stands in the place of the one that a module provides', async () => {
  const [provided, verifier] = [{ verify: () => undefined }, { verify: () => undefined }];
  const sources = { argv: [], env: {}, verifier: provided, logger };
  expect((await resolveListenOptions({ transports: ['http'] }, sources)).verifier).toBe(provided);
  expect((await resolveListenOptions({ transports: ['http'], verifier }, sources)).verifier).toBe(verifier);
});

test.each([[null], [{}], [() => undefined], ['verify'], [{ verify: true }]])('%p is no verifier', async (value) => {
  await expect(resolve({ transports: ['http'], verifier: value as never })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
});

test('D6: a short token is warned of, without being told', async () => {
  logger.lines.length = 0;
  await resolve({ transports: ['http'], authToken: 'fifteen-letters' });
  expect(logger.lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('15 characters') as string }]);
  expect(JSON.stringify(logger.lines)).not.toContain('fifteen-letters');
  await resolve({ transports: ['http'], authToken: 'sixteen-letters-' });
  expect(logger.lines).toHaveLength(1);
});

test.each(['x', 'changeme', 'CHANGEME', 'secret', 'fifteen-letters'])(
  'D6: the token "%s" is warned of once, on this machine and where others reach it, from the options and from the environment',
  async (token) => {
    for (const place of [{ host: '127.0.0.1' }, { host: '0.0.0.0', allowedHosts: ['mcp.example'] }])
      for (const [options, env] of [
        [{ authToken: token }, {}],
        [{}, { PERCH_AUTH_TOKEN: token }],
      ] as const) {
        logger.lines.length = 0;
        await resolve({ transports: ['http'], ...place, ...options }, [], env);
        const said = `${String(token.length)} character`;
        expect(logger.lines).toMatchObject([{ level: 'warn', message: expect.stringContaining(said) as string }]);
        if (token.length > 8) expect(JSON.stringify(logger.lines)).not.toContain(token);
      }
  },
);

test.each([[null], [{}], [{ id: '', scopes: [] }], [{ id: 'me' }], [{ id: 'me', scopes: 'all' }], ['me']])(
  '%p is no local principal',
  async (value) => {
    await expect(resolve({ localPrincipal: value as never })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
  },
);

test('the host does not matter where HTTP is not served', async () => {
  await expect(resolve({ transports: ['stdio'], host: '0.0.0.0' })).resolves.toBeDefined();
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 31])('sessions.retryMs %p is refused', async (retryMs) => {
  await expect(resolve({ sessions: { replay: true, retryMs } })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
});
