import {
  isLoopback,
  McpFactory,
  Module,
  resolveBindHost,
  resolveTransportMode,
  resolveTransports,
  serves,
  validateBindAuth,
  type SettingSources,
} from 'perch-mcp';
import { resolveListenOptions } from '../../../src/bootstrap/listen-options';
import { RecordingLogger } from '../../support/app';

const TOKEN = '0123456789abcdef0123456789abcdef';
const logger = new RecordingLogger();
beforeEach(() => (logger.lines.length = 0));

/** Options from plain JavaScript can be anything. */
type Said = Omit<SettingSources, 'options'> & { readonly options?: object };

const resolve = ({ options = {}, argv = [], env = {} }: Said): ReturnType<typeof resolveListenOptions> =>
  resolveListenOptions(options, { argv, env, verifier: undefined, logger });
const only = (said: Said): SettingSources => ({ argv: [], env: {}, ...said });
const refusal = (message: RegExp | string): object => ({
  code: 'MCP_OPTION_INVALID',
  message: expect.stringMatching(message) as string,
});

async function refusalOf(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error;
  }
}

test('parity C3: the constant names stdio, sse and http, and nobody can change it', () => {
  expect(serves).toEqual(['stdio', 'sse', 'http']);
  expect(Object.isFrozen(serves)).toBe(true);
});

test('parity C3: stdio, uds and http are transports, and sse is an old name of http that is warned of once', async () => {
  expect(resolveTransports(only({ options: { transports: ['stdio', 'uds', 'sse', 'http'] } }))).toEqual(['stdio', 'uds', 'http']);
  expect(await resolve({ options: { transports: ['sse', 'sse', 'http'] } })).toMatchObject({ transports: ['http'] });
  expect(logger.lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('"http"') as string }]);
  expect(await resolve({ env: { PERCH_TRANSPORT: 'http' } })).toMatchObject({ transports: ['http'] });
  expect(logger.lines).toHaveLength(1);
});

test('parity C4: one mode or several transports, a port from options, then environment, then 3000, a host and a socket', async () => {
  expect(await resolve({ options: { mode: 'http' } })).toMatchObject({ transports: ['http'], port: 3000, host: '127.0.0.1' });
  expect(await resolve({ options: { transports: ['http', 'stdio'] }, env: { PERCH_PORT: '7' } })).toMatchObject({ port: 7 });
  expect(await resolve({ options: { port: 8 }, env: { PERCH_PORT: '7' } })).toMatchObject({ port: 8 });
  expect(await resolve({ options: { bindAddress: '127.0.0.3', mode: 'http' } })).toMatchObject({ host: '127.0.0.3' });
  expect(await resolve({ options: { transports: ['uds'], socketPath: '/run/a.sock' } })).toMatchObject({ socketPath: '/run/a.sock' });
});

test('parity C5: SOX_MCP_TRANSPORT and SOX_MCP_PORT are read where nothing else says it, and --transport stands over both', async () => {
  const env = { SOX_MCP_TRANSPORT: 'http', SOX_MCP_PORT: '5555' };
  expect(await resolve({ env })).toMatchObject({ transports: ['http'], port: 5555 });
  expect(await resolve({ env, argv: ['--transport=stdio'] })).toMatchObject({ transports: ['stdio'], port: 5555 });
  expect(await resolve({ env: { SOX_MCP_PORT: '5555', PERCH_PORT: '5555' } })).toMatchObject({ port: 5555 });
});

test.each<Said>([
  { options: { mode: 'http', host: '0.0.0.0' } },
  { argv: ['--transport', 'http', '--host', '::'] },
  { env: { PERCH_TRANSPORT: 'http', PERCH_HOST: '10.0.0.1' } },
  { options: { transports: ['stdio', 'http'], bindAddress: 'example.com' } },
])('parity C6: %j without a token is refused, and with one it is not, where it is said under which names it is reached', async (said) => {
  expect(() => validateBindAuth(only(said))).toThrow(expect.objectContaining(refusal('without asking for a token')));
  await expect(resolve(said)).rejects.toMatchObject(refusal('without asking for a token'));
  const env = { ...said.env, PERCH_AUTH_TOKEN: TOKEN, PERCH_ALLOWED_HOSTS: 'mcp.example' };
  expect(() => validateBindAuth(only({ ...said, env }))).not.toThrow();
  await expect(resolve({ ...said, env, options: { ...said.options, allowedHosts: ['perch.example'] } })).resolves.toBeDefined();
  const options = { ...said.options, verifier: { verify: () => undefined } };
  expect(() => validateBindAuth(only({ ...said, options }))).not.toThrow();
});

test.each<Said>([
  {},
  { options: { mode: 'http' } },
  { options: { mode: 'http', host: 'localhost' } },
  { options: { mode: 'stdio', host: '0.0.0.0' } },
  { options: { mode: 'http', httpSocketPath: '/run/h.sock' } },
])('parity C6: %j needs no token', (said) => {
  expect(() => validateBindAuth(only(said))).not.toThrow();
});

test('parity C6: an empty token protects nothing and is refused', () => {
  const said = only({ options: { mode: 'http', host: '0.0.0.0', authToken: '' } });
  expect(() => validateBindAuth(said)).toThrow(expect.objectContaining(refusal('not a token')));
});

test.each([
  ['127.0.0.1', true],
  ['127.255.0.9', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost', true],
  ['LOCALHOST', true],
  ['0.0.0.0', false],
  ['::', false],
  ['[::]', false],
  ['::ffff:127.0.0.1', false],
  ['localhost.example.com', false],
  ['127.0.0.1.example.com', false],
  ['127.1', false],
  ['', false],
])('parity C8: isLoopback(%p) is %p', (host, is) => {
  expect(isLoopback(host)).toBe(is);
});

test('parity C8: the functions say what listen() does, for options, flags, variables, and where nothing is said', async () => {
  const sources: readonly Said[] = [
    {},
    { options: { mode: 'http' } },
    { argv: ['--transport', 'http', '--host', '127.0.0.2'] },
    { env: { SOX_MCP_TRANSPORT: 'sse', PERCH_HOST: '127.0.0.4' } },
  ];
  for (const said of sources) {
    const { transports, host } = await resolve(said);
    expect([resolveTransports(only(said)), resolveBindHost(only(said))]).toEqual([transports, host]);
    expect([resolveTransportMode(only(said))]).toEqual(transports);
  }
  expect(sources.map((said) => resolveTransportMode(only(said)))).toEqual(['stdio', 'http', 'http', 'http']);
});

test('parity C8: where one transport is served, several are refused', () => {
  expect(() => resolveTransportMode(only({ env: { PERCH_TRANSPORT: 'stdio,http' } }))).toThrow(
    expect.objectContaining(refusal('stdio, http')),
  );
});

const CONFLICTS: readonly (readonly [string, string, Said])[] = [
  ['PERCH_PORT', 'SOX_MCP_PORT', { env: { PERCH_PORT: '1', SOX_MCP_PORT: '2' } }],
  ['PERCH_PORT', 'SOX_MCP_PORT', { env: { PERCH_PORT: '1', SOX_MCP_PORT: '2' }, options: { port: 3 } }],
  ['PERCH_TRANSPORT', 'SOX_MCP_TRANSPORT', { env: { PERCH_TRANSPORT: 'http', SOX_MCP_TRANSPORT: 'stdio' } }],
  ['transports', 'mode', { options: { transports: ['stdio', 'http'], mode: 'http' } }],
  ['host', 'bindAddress', { options: { host: '127.0.0.1', bindAddress: '127.0.0.2' } }],
  ['httpSocketPath', 'port', { options: { httpSocketPath: '/run/h.sock', port: 3000 } }],
  ['httpSocketPath', 'host', { options: { httpSocketPath: '/run/h.sock', host: '127.0.0.1' } }],
  ['--http-socket', '--port', { argv: ['--http-socket=/run/h.sock', '--port=1'] }],
  ['PERCH_HTTP_SOCKET', 'PERCH_HOST', { env: { PERCH_HTTP_SOCKET: '/run/h.sock', PERCH_HOST: '127.0.0.1' } }],
];

test.each(CONFLICTS)('%s and %s that disagree stop the start, and both are named', async (first, second, said) => {
  const refused = await refusalOf(() => resolve(said));
  expect(refused).toMatchObject(refusal(first));
  expect(refused).toMatchObject(refusal(second));
});

test.each<[Said, object]>([
  [{ options: { transports: ['http', 'stdio'], mode: undefined } }, { transports: ['http', 'stdio'] }],
  [{ options: { transports: ['sse'], mode: 'http' } }, { transports: ['http'] }],
  [{ options: { host: '127.0.0.2', bindAddress: '127.0.0.2' } }, { host: '127.0.0.2' }],
  [{ env: { PERCH_TRANSPORT: 'http,stdio', SOX_MCP_TRANSPORT: 'stdio,sse' } }, { transports: ['http', 'stdio'] }],
  [{ env: { PERCH_PORT: '80', SOX_MCP_PORT: '080' } }, { port: 80 }],
  [{ env: { PERCH_PORT: ' ', SOX_MCP_PORT: '81' } }, { port: 81 }],
])('names that say the same, and those that say nothing, are fine: %j', async (said, expected) => {
  expect(await resolve(said)).toMatchObject(expected);
});

test.each<[Said, object]>([
  [{ options: { httpSocketPath: '/o' }, env: { PERCH_PORT: '1' } }, { httpSocketPath: '/o' }],
  [{ argv: ['--http-socket', '/f'], env: { PERCH_HOST: '127.0.0.2' } }, { httpSocketPath: '/f' }],
  [
    { argv: ['--port', '1'], env: { PERCH_HTTP_SOCKET: '/e' } },
    { httpSocketPath: undefined, port: 1 },
  ],
  [{ env: { PERCH_HTTP_SOCKET: '/e', SOX_MCP_PORT: '1' } }, { httpSocketPath: '/e' }],
  [{ env: { PERCH_SOCKET: '/s', PERCH_TRANSPORT: 'uds' } }, { socketPath: '/s', transports: ['uds'] }],
  [{ argv: ['--socket=/f'], env: { PERCH_SOCKET: '/s' } }, { socketPath: '/f' }],
  [{ argv: ['--port', '1', '--port', '2'] }, { port: 2 }],
  [{ argv: ['--', '--port', '1'] }, { port: 3000 }],
])('what is said first counts: %j', async (said, expected) => {
  expect(await resolve(said)).toMatchObject(expected);
});

test.each<[Said, RegExp]>([
  [{ options: { transports: [] } }, /names no transport/],
  [{ options: { transports: 'http' } }, /not a list/],
  [{ options: { transports: ['htp'] } }, /"htp".*[^]*nearest.*http/],
  [{ options: { transports: ['HTTP'] } }, /"HTTP"/],
  [{ options: { mode: 'stdio,http' } }, /"stdio,http"/],
  [{ argv: ['--port'] }, /--port has no value/],
  [{ options: { port: '0x10' } }, /port "0x10"/],
  [{ options: { host: 5 } }, /host is not a text/],
  [{ options: { socketPath: '' } }, /socketPath is not a text/],
  [{ options: { transports: ['uds'] } }, /"uds" has no path/],
  [{ options: { transports: ['uds', 'http'], socketPath: '/a', httpSocketPath: '/a' } }, /one path/],
  [{ options: { path: '/health/live' } }, /health paths/],
  [{ options: { unhandledRejections: 'ignore' } }, /unhandledRejections/],
  [{ options: { shutdownHooks: 'no' } }, /shutdownHooks/],
])('%j is refused', async (said, message) => {
  await expect(resolve(said)).rejects.toMatchObject(refusal(message));
});

test('a misspelt listen option is refused with the names that are near, each of them, and one that is undefined is not', async () => {
  const refused = await refusalOf(() => resolve({ options: { prot: 1, autToken: 'x', ports: undefined } }));
  expect(refused).toMatchObject({
    problems: [
      { problem: 'There is no option "prot"', fix: expect.stringContaining('port') as string },
      { problem: 'There is no option "autToken"', fix: expect.stringContaining('authToken') as string },
    ],
  });
});

test('a misspelt option of McpFactory.create, and a misspelt limit, are refused with the names that are near', async () => {
  class AppModule {}
  Module({})(AppModule);
  const options = { name: 'x', version: '1', logger: false, instuctions: 'Hi', limits: { graceMS: 1 } } as never;
  await expect(McpFactory.create(AppModule, options)).rejects.toMatchObject({
    problems: [
      { code: 'MCP_OPTION_INVALID', problem: 'There is no option "instuctions"', fix: expect.stringContaining('instructions') as string },
      { code: 'MCP_OPTION_INVALID', problem: 'There is no limit "graceMS"', fix: expect.stringContaining('graceMs') as string },
    ],
  });
});
