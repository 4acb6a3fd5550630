import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { INITIALIZE } from '../support/wire';

const PROGRAM = `
const { McpFactory, Module } = require(${JSON.stringify(join(__dirname, '../../dist'))});
const { createServer, connect } = require('node:net');
class Busy {
  async onModuleInit() {
    setInterval(() => {}, 1000);
    this.server = createServer(() => {});
    await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    await new Promise((resolve) => connect(this.server.address().port, '127.0.0.1', resolve));
  }
  onModuleDestroy() { console.error('destroyed'); }
}
class AppModule {}
Module({ providers: [Busy] })(AppModule);
let atEnd, endedAt;
process.stdin.on('end', () => { atEnd = process.cpuUsage(); endedAt = performance.now(); });
process.on('exit', (code) => {
  const { user, system } = process.cpuUsage(atEnd);
  console.error('exit ' + code + ' after ' + Math.round(performance.now() - endedAt) + ' ms, ' + Math.round((user + system) / 1000) + ' ms of CPU');
});
McpFactory.create(AppModule, { name: 'busy', version: '1.0.0' }).then(async (app) => {
  app.tools.register({ name: 'log', description: 'Writes to stderr', execute: () => {
    for (let line = 0; line < 2000; line += 1) { console.error('x'.repeat(1000)); console.log('x'.repeat(1000)); process.stdout.write('x'); }
    return 'logged';
  } });
  app.tools.register({ name: 'slow', description: 'Takes its time', execute: () => new Promise((resolve) => setTimeout(() => resolve('done'), 200)) });
  app.tools.register({ name: 'throw', description: 'Throws', execute: () => { throw new Error('for the log'); } });
  await app.listen();
  console.error('ready');
});
`;
/** Starts the server as a client would, and is killed by the test. */
const PARENT = `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, [process.argv[2]], { stdio: ['pipe', 'pipe', 'inherit'] });
child.stdin.write(${JSON.stringify(`${JSON.stringify(INITIALIZE)}\n`)});
child.stdout.once('data', () => process.stdout.write('initialized'));
`;

let folder: string;
let program: string;
let parent: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perch-stdio-process-'));
  program = join(folder, 'busy.js');
  parent = join(folder, 'parent.js');
  writeFileSync(program, PROGRAM);
  writeFileSync(parent, PARENT);
});

afterAll(() => rmSync(folder, { recursive: true }));

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

type Stdio = ('pipe' | number)[];

interface Started {
  readonly child: ChildProcess;
  readonly send: (message: object) => void;
  readonly next: () => Promise<Record<string, unknown>>;
  readonly stderr: () => string;
}

function start(file: string, args: readonly string[], stdio: Stdio): Started {
  const child = spawn(process.execPath, [file, ...args], { stdio });
  children.push(child);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin?.on('error', () => undefined);
  const lines = child.stdout === null ? undefined : createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    send: (message) => void child.stdin?.write(`${JSON.stringify(message)}\n`),
    next: async () => JSON.parse(String((await lines?.next())?.value)) as Record<string, unknown>,
    stderr: () => stderr,
  };
}

const call = (id: number, name: string): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

function expectCleanEnd(stderr: string): void {
  expect(stderr).toContain('destroyed');
  const [, code, milliseconds, cpu] = /exit (\d+) after (\d+) ms, (\d+) ms of CPU/.exec(stderr) ?? [];
  expect(Number(code)).toBe(0);
  // At once, on a machine that may be busy: the grace period is ten seconds.
  expect(Number(milliseconds)).toBeLessThan(3_000);
  expect(Number(cpu)).toBeLessThan(200);
}

test('B31: stdin closes while a timer runs and a TCP socket is open: hooks run, exit 0, at once and without spinning', async () => {
  const { child, send, next, stderr } = start(program, [], ['pipe', 'pipe', 'pipe']);
  send(INITIALIZE);
  await next();
  child.stdin?.end();
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  expectCleanEnd(stderr());
});

test('B31: a client that is killed leaves no server behind: hooks run, exit 0, at once', async () => {
  const { child, stderr } = start(parent, [program], ['pipe', 'pipe', 'pipe']);
  await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data');
  child.kill('SIGKILL');
  // The server has the other end of this pipe; it closes when the last of the two is gone.
  await once(child, 'close');
  expectCleanEnd(stderr());
});

test('B5: a call that runs when stdin closes is answered before the process exits', async () => {
  const { child, send, next, stderr } = start(program, [], ['pipe', 'pipe', 'pipe']);
  send(INITIALIZE);
  await next();
  send(call(1, 'slow'));
  child.stdin?.end();
  expect(await next()).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
  await once(child, 'close');
  expectCleanEnd(stderr());
});

test('B6: a stdout that cannot be written to, as on a full disk, ends the server like the end of input', async () => {
  const full = openSync('/dev/full', 'w');
  const { child, send, stderr } = start(program, [], ['pipe', full, 'pipe']);
  closeSync(full);
  send(INITIALIZE);
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  expect(stderr()).toContain('destroyed');
});

test('B21: the server goes on when stderr is closed', async () => {
  const { child, send, next } = start(program, [], ['pipe', 'pipe', 'pipe']);
  send(INITIALIZE);
  await next();
  child.stderr?.destroy();
  for (const [id, name] of ['log', 'throw', 'log', 'throw', 'slow'].entries()) send(call(id, name));
  const ids = new Set<unknown>();
  for (let count = 0; count < 5; count += 1) ids.add((await next())['id']);
  expect(ids.size).toBe(5);
  child.stdin?.end();
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
});

test('B21: the server goes on when stderr is full: a file on a full disk, or a pipe that nobody reads', async () => {
  const full = openSync('/dev/full', 'w');
  const onFullDisk = start(program, [], ['pipe', 'pipe', full]);
  closeSync(full);
  const unreadPipe = start(program, [], ['pipe', 'pipe', 'pipe']);
  unreadPipe.child.stderr?.removeAllListeners('data').pause();
  for (const { child, send, next } of [onFullDisk, unreadPipe]) {
    send(INITIALIZE);
    expect(await next()).toMatchObject({ id: 'init' });
    for (let id = 0; id < 10; id += 1) {
      send(call(id, id % 2 === 0 ? 'log' : 'throw'));
      expect(await next()).toMatchObject({ id });
    }
    child.stdin?.end();
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
  }
});
