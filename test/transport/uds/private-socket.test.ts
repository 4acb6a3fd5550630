import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, Server } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { McpSetupError } from 'perch-mcp';
import { listenPrivately, type PrivateSocket } from '../../../src/transport/uds/private-socket';
import { LONGEST_PATH } from '../../../src/transport/uds/socket-place';
import { takePlace } from '../../../src/transport/uds/take-place';
import { connectTo, freshSocketPath, privateFolder, removeFolders } from '../../support/socket';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const servers: Server[] = [];

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  removeFolders();
});

/** A server that greets, on a socket. */
async function open(path: string): Promise<PrivateSocket> {
  const server = createServer((socket) => void socket.on('error', () => undefined).end('{"hello":"ours"}\n'));
  servers.push(server);
  return listenPrivately(server, path);
}

/** Why a socket cannot be opened. */
async function refusal(path: string): Promise<string> {
  const error: unknown = await open(path).then(
    () => 'It was opened.',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof McpSetupError)) throw error;
  expect(error.problems.map(({ code }) => code)).toEqual(['MCP_TRANSPORT_FAILED']);
  return error.problems[0]?.problem ?? '';
}

/** What a server leaves that is killed: a socket with nobody behind it. */
async function leaveDead(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}~`, resolve));
  renameSync(`${path}~`, path);
  await new Promise((resolve) => server.close(resolve));
}

const modeOf = (path: string): number => lstatSync(path).mode & 0o777;
const greets = async (path: string): Promise<boolean> => (await (await connectTo(path)).next())['hello'] === 'ours';

/** What another user of this machine gets who connects: an error code, or "connected". */
async function asAnotherUser(path: string): Promise<string> {
  const program = `const s = require('node:net').connect(${JSON.stringify(path)}); s.on('connect', () => { console.log('connected'); s.destroy(); }); s.on('error', (e) => console.log(e.code));`;
  const child = spawn(process.execPath, ['-e', program], { uid: NOBODY, gid: NOBODY, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return String(said).trim();
}

test.each(['000', '022', '077', '777'])('B19: under umask %s the socket has mode 0600 and its new directory 0700', async (umask) => {
  const path = join(privateFolder(), 'made', 'mcp.sock');
  const before = process.umask(Number.parseInt(umask, 8));
  try {
    await open(path);
  } finally {
    process.umask(before);
  }
  expect([modeOf(path), modeOf(dirname(path))]).toEqual([0o600, 0o700]);
  expect(readdirSync(dirname(path))).toEqual(['mcp.sock']);
  expect(await greets(path)).toBe(true);
});

test('B19: between its making and its mode the socket stands where nobody else can come, and it gets its name with its mode', async () => {
  const folder = privateFolder();
  chmodSync(folder, 0o755);
  const path = join(folder, 'mcp.sock');
  const seen: unknown[] = [];
  const { listen } = Server.prototype;
  jest.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args: unknown[]) {
    const { path: address } = args[0] as { path: string };
    const result = (listen as (...all: unknown[]) => Server).apply(this, args);
    seen.push([dirname(dirname(address)), modeOf(dirname(address)), modeOf(address), fs.existsSync(path)]);
    return result;
  });
  const { linkSync } = fs;
  jest.spyOn(fs, 'linkSync').mockImplementation((from, to) => {
    seen.push([to, modeOf(String(from))]);
    linkSync(from, to);
  });
  const before = process.umask(0);
  await open(path).finally(() => process.umask(before));
  // In its private directory it had the mode that a plain listen gives; by its name it never had.
  expect(seen).toEqual([
    [folder, 0o700, 0o777, false],
    [path, 0o600],
  ]);
});

test('D15: another user may not connect, though the directory lets everybody in', async () => {
  const path = freshSocketPath();
  chmodSync(dirname(path), 0o755);
  await open(path);
  if (isRoot) expect(await asAnotherUser(path)).toBe('EACCES');
  expect(modeOf(path)).toBe(0o600);
  // The check can fail: with another mode everybody may.
  chmodSync(path, 0o666);
  if (isRoot) expect(await asAnotherUser(path)).toBe('connected');
});

describe('D15: a directory that others can write to', () => {
  test.each(['0770', '0707', '0777', '1777'])('is refused with mode %s, and nothing is made in it', async (mode) => {
    const folder = privateFolder();
    chmodSync(folder, Number.parseInt(mode, 8));
    expect(await refusal(join(folder, 'mcp.sock'))).toContain('other users may write to');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is refused when it belongs to somebody else', async () => {
    const folder = privateFolder();
    if (isRoot) chownSync(folder, NOBODY, NOBODY);
    else jest.spyOn(process, 'getuid').mockReturnValue(NOBODY);
    expect(await refusal(join(folder, 'mcp.sock'))).toContain('another user (uid');
  });

  test('is refused through a link, and one that is private is taken through a link', async () => {
    const folder = privateFolder();
    for (const [name, mode] of [
      ['open', 0o777],
      ['private', 0o700],
    ] as const) {
      mkdirSync(join(folder, name));
      chmodSync(join(folder, name), mode);
      symlinkSync(join(folder, name), join(folder, `to-${name}`));
    }
    expect(await refusal(join(folder, 'to-open', 'mcp.sock'))).toContain(`may write to ${join(folder, 'open')}`);
    const opened = await open(join(folder, 'to-private', 'mcp.sock'));
    expect(opened.path).toBe(join(folder, 'to-private', 'mcp.sock'));
    expect(modeOf(join(folder, 'private', 'mcp.sock'))).toBe(0o600);
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    expect(await refusal(join(folder, 'dangling', 'mcp.sock'))).toContain('there is no');
  });

  test('is refused above the directory of the socket too, unless it is sticky', async () => {
    const folder = privateFolder();
    const path = join(folder, 'below', 'mcp.sock');
    chmodSync(folder, 0o777);
    expect(await refusal(path)).toContain('replace the directories in it');
    chmodSync(folder, 0o1777);
    await open(path);
  });
});

describe('B18: a path', () => {
  test('with a dead socket of our own is taken over', async () => {
    const path = freshSocketPath();
    await leaveDead(path);
    await open(path);
    expect([await greets(path), modeOf(path)]).toEqual([true, 0o600]);
    expect(readdirSync(dirname(path))).toEqual(['mcp.sock']);
  });

  test('with a dead socket of somebody else is refused', async () => {
    const path = freshSocketPath();
    await leaveDead(path);
    if (isRoot) chownSync(path, NOBODY, NOBODY);
    else jest.spyOn(process, 'getuid').mockReturnValue(NOBODY);
    const place = { path, directory: dirname(path), file: path };
    const taken = isRoot ? refusal(path) : takePlace(path, place).then(String, String);
    expect(await taken).toContain('it is a socket of another user');
    expect(lstatSync(path).isSocket()).toBe(true);
  });

  test('with a live server is refused as in use, and that server goes on', async () => {
    const path = freshSocketPath();
    await open(path);
    expect(await refusal(path)).toContain('it is in use');
    expect(await greets(path)).toBe(true);
    expect(readdirSync(dirname(path))).toEqual(['mcp.sock']);
  });

  test('with a regular file is refused, and the file stays as it is', async () => {
    const path = freshSocketPath();
    writeFileSync(path, 'precious');
    const before = statSync(path);
    expect(await refusal(path)).toContain('it is a file and no socket');
    expect([readFileSync(path, 'utf8'), statSync(path)]).toEqual([
      'precious',
      expect.objectContaining({ ino: before.ino, mode: before.mode, nlink: 1 }),
    ]);
  });

  test('with a directory is refused', async () => {
    const path = freshSocketPath();
    mkdirSync(path);
    expect(await refusal(path)).toContain('it is a directory and no socket');
  });

  test.each(['a file', 'a dead socket', 'nothing'])(
    'with a symbolic link to %s is refused, and the link and its target stay',
    async (what) => {
      const path = freshSocketPath();
      const target = join(dirname(path), 'target');
      if (what === 'a file') writeFileSync(target, 'precious');
      if (what === 'a dead socket') await leaveDead(target);
      symlinkSync(target, path);
      const before = readdirSync(dirname(path));
      expect(await refusal(path)).toContain('it is a symbolic link');
      expect([readdirSync(dirname(path)), fs.readlinkSync(path)]).toEqual([before, target]);
    },
  );

  test('in a directory that does not exist gets one of mode 0700, and only the last level of it', async () => {
    const folder = privateFolder();
    await open(join(folder, 'one', 'mcp.sock'));
    expect(modeOf(join(folder, 'one'))).toBe(0o700);
    expect(await refusal(join(folder, 'two', 'levels', 'mcp.sock'))).toContain(`there is no ${join(folder, 'two')}`);
    expect(readdirSync(folder)).toEqual(['one']);
  });

  test('in a directory that cannot be written is refused', async () => {
    // Root may write everywhere but in the pseudo file systems.
    const folder = isRoot ? '/proc' : privateFolder();
    if (!isRoot) chmodSync(folder, 0o500);
    await expect(open(join(folder, 'mcp.sock'))).rejects.toMatchObject({
      code: expect.stringMatching(/^(EACCES|ENOENT|EPERM)$/) as unknown,
    });
  });

  test('of the greatest length is served, and one byte more is refused, counted in bytes', async () => {
    const folder = privateFolder();
    const room = LONGEST_PATH - Buffer.byteLength(`${folder}/`);
    for (const name of ['a'.repeat(room), 'ü'.repeat(10) + 'a'.repeat(room - 20)]) {
      const longest = join(folder, name);
      expect(Buffer.byteLength(longest)).toBe(LONGEST_PATH);
      await open(longest);
      expect(await greets(longest)).toBe(true);
      expect(await refusal(`${longest}x`)).toContain(`it has ${String(LONGEST_PATH + 1)} bytes`);
    }
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test('of the greatest length with a short name leaves no room for the private directory, and is served all the same', async () => {
    const folder = privateFolder();
    const deep = join(folder, 'd'.repeat(LONGEST_PATH - Buffer.byteLength(folder) - '//s'.length));
    const path = join(deep, 's');
    expect(Buffer.byteLength(path)).toBe(LONGEST_PATH);
    if (process.platform === 'linux') {
      await open(path);
      expect([await greets(path), modeOf(path), readdirSync(deep)]).toEqual([true, 0o600, ['s']]);
    } else expect(await refusal(path)).toContain('no room');
  });

  test.each(['\0abstract', '/run/a\0b'])('%j is an abstract name, and refused', async (path) => {
    expect(await refusal(path)).toContain('abstract name');
  });

  test('that is relative is resolved once', async () => {
    const path = freshSocketPath();
    const opened = await open(relative(process.cwd(), path));
    expect(opened.path).toBe(path);
    const before = process.cwd();
    process.chdir('/');
    try {
      opened.remove();
    } finally {
      process.chdir(before);
    }
    expect(readdirSync(dirname(path))).toEqual([]);
  });
});

describe('B19: at the end', () => {
  test('the file is removed, if it is still ours', async () => {
    const path = freshSocketPath();
    (await open(path)).remove();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test.each(['a file', 'another socket', 'nothing'])('%s that has come into its place stays', async (what) => {
    const path = freshSocketPath();
    const opened = await open(path);
    fs.rmSync(path);
    if (what === 'a file') writeFileSync(path, 'precious');
    if (what === 'another socket') await open(path);
    const before = readdirSync(dirname(path));
    opened.remove();
    await new Promise((resolve) => servers.shift()?.close(resolve));
    expect(readdirSync(dirname(path))).toEqual(before);
    if (what === 'another socket') expect(await greets(path)).toBe(true);
  });
});

describe('of several that start at once exactly one wins', () => {
  test.each(['nothing', 'a dead socket'])('where there was %s', async (what) => {
    for (let round = 0; round < 25; round += 1) {
      const path = freshSocketPath();
      if (what === 'a dead socket') await leaveDead(path);
      const opened = await Promise.allSettled(Array.from({ length: 6 }, () => open(path)));
      expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect([await greets(path), readdirSync(dirname(path))]).toEqual([true, ['mcp.sock']]);
    }
  });

  test('a claim that a killed process left is no lock', async () => {
    const path = freshSocketPath();
    await leaveDead(path);
    const { ino, mtimeNs } = lstatSync(path, { bigint: true });
    const claim = join(dirname(path), `.${ino.toString(36)}-${mtimeNs.toString(36)}`);
    await leaveDead(claim);
    expect(await refusal(path)).toContain('it is in use');
    fs.utimesSync(claim, 0, 0);
    await open(path);
    expect([await greets(path), readdirSync(dirname(path))]).toEqual([true, ['mcp.sock']]);
  });
});
