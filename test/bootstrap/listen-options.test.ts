import { resolveListenOptions, type ListenOptions } from '../../src/bootstrap/listen-options';

const resolve = (
  options: ListenOptions = {},
  argv: readonly string[] = [],
  env: Record<string, string> = {},
): ReturnType<typeof resolveListenOptions> => resolveListenOptions(options, { argv, env });

test('without anything said it is stdio, and for HTTP 127.0.0.1:3000/mcp', async () => {
  expect(await resolve()).toEqual({
    transports: ['stdio'],
    host: '127.0.0.1',
    port: 3000,
    path: '/mcp',
    sessions: {},
    stdio: {},
    shutdownHooks: true,
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

test.each(['0.0.0.0', '::', '::ffff:10.0.0.1', '192.168.1.1', 'localhost.invalid'])(
  'D5: HTTP on "%s" is refused before it listens [http.loopback]',
  async (host) => {
    await expect(resolve({ transports: ['http'], host })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
  },
);

test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost', '', '  '])('D5: HTTP on "%s" is this machine only', async (host) => {
  await expect(resolve({ transports: ['http'], host })).resolves.toBeDefined();
});

test('the host does not matter where HTTP is not served', async () => {
  await expect(resolve({ transports: ['stdio'], host: '0.0.0.0' })).resolves.toBeDefined();
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 31])('sessions.retryMs %p is refused', async (retryMs) => {
  await expect(resolve({ sessions: { replay: true, retryMs } })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
});
