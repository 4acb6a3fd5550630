import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { ChildServer, compiled } from '../support/child-server';
import { CLIENTS, type AnyClient, type AnyPlace } from '../support/clients';
import { readCurl } from '../support/curl';
import { connectTo, freshSocketPath, removeFolders } from '../support/socket';
import { ask, ENVELOPE, INITIALIZE, messageOf, modern } from '../support/wire';

const MAIN = compiled('samples/06-http-and-socket/main');
const SUPERVISE = compiled('samples/06-http-and-socket/supervise');
const TOKEN = '0123456789abcdef0123456789abcdef';

const servers: ChildServer[] = [];
const clients: AnyClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  removeFolders();
});

/** A supervisor needs one that is the same after a restart. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function start(program: string, args: readonly string[], env: Record<string, string>): ChildServer {
  const server = new ChildServer(program, args, env);
  servers.push(server);
  return server;
}

async function open(connect: (place: AnyPlace) => Promise<AnyClient>, place: AnyPlace): Promise<AnyClient> {
  const client = await connect(place);
  clients.push(client);
  return client;
}

/** The program by itself, on a free port. */
async function startMain(args: readonly string[] = ['--port', '0'], env: Record<string, string> = { PERCH_AUTH_TOKEN: TOKEN }) {
  const socketPath = freshSocketPath();
  const server = start(MAIN, args, { ...env, PERCH_SOCKET: socketPath });
  await server.sees(/Unplug the gauge.*\nnode .*\n/);
  return { server, socketPath, url: /Serving MCP on (http:\S+)/.exec(server.stderr)?.[1] ?? '' };
}

const tideOver = async (client: AnyClient): Promise<unknown> => {
  const { content } = await client.callTool({ name: 'tide' });
  return JSON.parse((content as { text: string }[])[0]?.text ?? '').askedOver;
};
const readiness = async (url: string): Promise<number> => (await ask(url, { method: 'GET', path: '/health/ready' })).status;
const UNPLUG = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'unplug_gauge', arguments: {}, _meta: ENVELOPE } };

async function unplugOver(socketPath: string): Promise<unknown> {
  const { send, next, socket } = await connectTo(socketPath);
  send(UNPLUG);
  const { result } = (await next()) as { result: unknown };
  socket.destroy();
  return result;
}

describe.each(CLIENTS)('for %s', (_name, connect) => {
  test('one process serves stdio, the Unix socket and HTTP at once', async () => {
    const [socketPath, port] = [freshSocketPath(), await freePort()];
    const settings = [`PERCH_SOCKET=${socketPath}`, `PERCH_AUTH_TOKEN=${TOKEN}`, `PERCH_PORT=${String(port)}`];
    const onStdio = await open(connect, { command: 'env', args: [...settings, process.execPath, MAIN] });
    // A modern client says nothing before its first request, so that it knows of no server yet.
    await onStdio.listTools();
    const onSocket = await open(connect, { socketPath });
    const onHttp = await open(connect, { url: `http://127.0.0.1:${String(port)}/mcp`, token: TOKEN });
    expect(await Promise.all([onStdio, onSocket, onHttp].map(tideOver))).toEqual(['stdio', 'uds', 'http']);
    expect(onHttp.getServerVersion()).toMatchObject({ name: 'tides' });
    // Whose stdin this is may unplug; what that does is seen on every door, since it is one process.
    expect(await onStdio.callTool({ name: 'unplug_gauge' })).toMatchObject({ content: [{ text: 'Unplugged.' }] });
    for (const each of [onSocket, onHttp])
      expect(await each.callTool({ name: 'tide' })).toMatchObject({ isError: true, content: [{ text: 'The gauge is unplugged.' }] });
  });
});

test('HTTP asks for the token, which alone does not unplug; a program of this user on the socket may, and health then says down', async () => {
  const { server, socketPath, url } = await startMain();
  expect(server.stderr).not.toContain(TOKEN);
  const bearer = { authorization: `Bearer ${TOKEN}` };
  const tide = modern('tools/call', { name: 'tide' });
  const unplug = modern('tools/call', { name: 'unplug_gauge' });
  expect((await ask(url, tide)).status).toBe(401);
  expect((await ask(url, { ...tide, headers: { ...tide.headers, ...bearer } })).status).toBe(200);
  expect((await ask(url, { ...unplug, headers: { ...unplug.headers, ...bearer } })).status).toBe(403);
  expect(await readiness(url)).toBe(200);
  expect(await unplugOver(socketPath)).toMatchObject({ content: [{ text: 'Unplugged.' }] });
  // The indicators are asked at most once a second.
  let status = 200;
  while (status === 200) status = await readiness(url);
  expect(status).toBe(503);
  expect(server.stderr).toContain('The health indicator gauge is down.');
  expect((await ask(url, { method: 'GET', path: '/health/live' })).status).toBe(200);
});

/** Runs a printed line as the shell it is pasted into would. */
function paste(line: string): Promise<string> {
  return new Promise((resolve, reject) => execFile('sh', ['-c', line], (failed, out) => (failed ? reject(failed) : resolve(out))));
}

test('the printed commands work when they are pasted, and the token they use is in a file of this user alone', async () => {
  const { server, socketPath, url } = await startMain(['--port', '0'], {});
  const [http = '', health = '', ...more] = server.stderr.split('\n').filter((line) => line.startsWith('curl'));
  const [overSocket = '', unplug = ''] = server.stderr.split('\n').filter((line) => line.startsWith('node'));
  const file = path.join(path.dirname(socketPath), 'token');
  expect(more).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(server.stderr).not.toContain(readFileSync(file, 'utf8'));
  const fromFile = `"Authorization: Bearer $(cat '${file}')"`;
  expect(http).toContain(fromFile);
  const command = readCurl(http.replace(fromFile, `'Authorization: Bearer ${readFileSync(file, 'utf8')}'`));
  expect(command.url).toBe(url);
  expect(messageOf(await ask(url, command))).toMatchObject({ result: { content: [{ text: expect.stringContaining('"http"') }] } });
  expect(readCurl(health).url).toBe(new URL('/health/ready', url).href);
  expect(JSON.parse(await paste(overSocket))).toMatchObject({ result: { content: [{ text: expect.stringContaining('"uds"') }] } });
  expect(JSON.parse(await paste(unplug))).toMatchObject({ result: { content: [{ text: 'Unplugged.' }] } });
});

test('npm start -- --sample 06-http-and-socket --http-socket puts HTTP on a socket, and prints how curl reaches it', async () => {
  const [socketPath, httpSocket] = [freshSocketPath(), freshSocketPath()];
  const program = path.join(__dirname, '../../scripts/start.mjs');
  const args = ['--sample', '06-http-and-socket', '--http-socket', httpSocket];
  const server = start(program, args, { PERCH_SOCKET: socketPath, PERCH_AUTH_TOKEN: TOKEN });
  await server.sees(/curl -s --unix-socket '(.*)' http:\/\/localhost\/mcp -H/);
  expect(server.stderr).toContain(`curl -s -i --unix-socket '${httpSocket}' http://localhost/health/ready`);
  server.send(INITIALIZE);
  expect(await server.next()).toMatchObject({ result: { serverInfo: { name: 'tides' } } });
  server.endInput();
  expect(await server.exit()).toBe(0);
  expect([socketPath, httpSocket].filter((each) => existsSync(each))).toEqual([]);
});

describe('under the supervisor', () => {
  const pids: number[] = [];
  // What a supervisor that was stopped left behind ends by itself; one that does not must not outlive the test.
  afterEach(() =>
    pids
      .splice(0)
      .filter(isRunning)
      .forEach((pid) => process.kill(pid, 'SIGKILL')),
  );

  async function supervise(flags: readonly string[] = [], command: readonly string[] = []) {
    const [socketPath, port] = [freshSocketPath(), await freePort()];
    const origin = `http://127.0.0.1:${String(port)}`;
    const args = [
      '--every',
      '100',
      '--down',
      '3',
      ...flags,
      '--ready',
      `${origin}/health/ready`,
      '--',
      MAIN,
      '--port',
      String(port),
      ...command,
    ];
    const supervisor = start(SUPERVISE, args, { PERCH_SOCKET: socketPath, PERCH_AUTH_TOKEN: TOKEN });
    return { supervisor, socketPath, url: `${origin}/mcp` };
  }

  /** The process that is ready as the `nth`, counted from 1. */
  async function ready(supervisor: ChildServer, nth: number): Promise<number> {
    const [, pid] = await supervisor.sees(new RegExp(`(?:supervisor: (\\d+) is ready[^]*?){${String(nth)}}`));
    pids.push(Number(pid));
    return Number(pid);
  }

  const isAnswering = (url: string): Promise<boolean> =>
    readiness(url).then(
      () => true,
      () => false,
    );

  test('B4: a killed server is back on its port and its socket, and serves clients of both eras; SIGTERM ends all and leaves nothing', async () => {
    const { supervisor, socketPath, url } = await supervise();
    const first = await ready(supervisor, 1);
    const inode = statSync(socketPath).ino;
    process.kill(first, 'SIGKILL');
    const second = await ready(supervisor, 2);
    expect(second).not.toBe(first);
    expect(statSync(socketPath).ino).not.toBe(inode);
    for (const [, connect] of CLIENTS) {
      expect(await tideOver(await open(connect, { url, token: TOKEN }))).toBe('http');
      expect(await tideOver(await open(connect, { socketPath }))).toBe('uds');
    }
    supervisor.kill('SIGTERM');
    expect(await supervisor.exit()).toBe(0);
    expect(supervisor.stderr).toContain(`supervisor: ${String(second)} ended with 0`);
    expect([first, second].filter(isRunning)).toEqual([]);
    expect(readdirSync(path.dirname(socketPath))).toEqual([]);
    expect(await isAnswering(url)).toBe(false);
  });

  test('a server that stays down is ended and started anew, and one that does not even answer is killed', async () => {
    const { supervisor, socketPath, url } = await supervise(['--grace', '200']);
    const first = await ready(supervisor, 1);
    expect(await unplugOver(socketPath)).toMatchObject({ content: [{ text: 'Unplugged.' }] });
    const second = await ready(supervisor, 2);
    expect(supervisor.stderr).toContain(`supervisor: ${String(first)} stays down\n`);
    expect(await readiness(url)).toBe(200);
    process.kill(second, 'SIGSTOP');
    await ready(supervisor, 3);
    expect(supervisor.stderr).toContain(`supervisor: ${String(second)} ended with SIGKILL`);
    supervisor.kill('SIGINT');
    expect(await supervisor.exit()).toBe(0);
  });

  test('too many restarts in a time end the supervisor with 1', async () => {
    const { supervisor, socketPath } = await supervise(['--restarts', '2'], ['--port', 'nowhere']);
    expect(await supervisor.exit()).toBe(1);
    expect(supervisor.stderr.match(/supervisor: started/g)).toHaveLength(3);
    expect(supervisor.stderr).toContain('supervisor: gives up after 2 restarts');
    expect(existsSync(socketPath)).toBe(false);
  });

  test('a server whose supervisor is killed ends by itself', async () => {
    const { supervisor, socketPath, url } = await supervise();
    await ready(supervisor, 1);
    const { socket } = await connectTo(socketPath);
    const ended = once(socket, 'close');
    supervisor.kill('SIGKILL');
    await ended;
    expect(existsSync(socketPath)).toBe(false);
    expect(await isAnswering(url)).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
