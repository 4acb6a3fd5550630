import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeApps, createApp } from '../support/app';
import { ChildServer } from '../support/child-server';
import { ask, messageOf, modern } from '../support/wire';

afterEach(closeApps);

const HTTP = { transports: ['http'], port: 0, shutdownHooks: false } as const;

test('an application that is closed while it starts to listen leaves nothing open', async () => {
  const app = await createApp([]);
  const listening = app.listen(HTTP).then(
    () => 'listens',
    () => 'refused',
  );
  await app.close();
  expect(await listening).toBe('refused');
  expect([app.isStarted(), app.handles]).toEqual([false, []]);
});

test('a second listen is refused, also while the first is not done', async () => {
  const app = await createApp([]);
  const first = app.listen(HTTP);
  await expect(app.listen(HTTP)).rejects.toThrow('listens already');
  await first;
  expect(app.handles).toHaveLength(1);
  await expect(app.listen(HTTP)).rejects.toThrow('listens already');
  expect((await ask(app.handles[0]?.url ?? '', modern('tools/list'))).status).toBe(200);
});

test('options that were refused can be mended', async () => {
  const app = await createApp([]);
  await expect(app.listen({ ...HTTP, port: 70_000 })).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
  await app.listen(HTTP);
  expect(app.isStarted()).toBe(true);
});

test('init after close is refused', async () => {
  const app = await createApp([]);
  await app.close();
  await expect(app.init()).rejects.toThrow('closed');
});

test('with two applications in one process SIGTERM lets the running calls of both finish', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perch-two-'));
  const program = join(folder, 'two.js');
  writeFileSync(
    program,
    `
    const { McpFactory, Module } = require(${JSON.stringify(join(__dirname, '../../dist'))});
    const app = async (name) => { class M {} Module({})(M); const made = await McpFactory.create(M, { name, version: '1' });
      made.tools.register({ name: 'slow', execute: () => new Promise((resolve) => { console.error('entered'); setTimeout(() => resolve(name), 300); }) });
      await made.listen({ transports: ['http'], port: 0 }); };
    app('idle').then(() => app('busy')).then(() => console.error('ready'));`,
  );
  const server = new ChildServer(program, []);
  try {
    await server.sees(/ready/);
    const url = [...server.stderr.matchAll(/Serving MCP on (http:\S+)/g)][1]?.[1] ?? '';
    const answer = ask(url, modern('tools/call', { name: 'slow' }));
    await server.sees(/entered/);
    server.kill('SIGTERM');
    expect(messageOf(await answer)).toMatchObject({ result: { content: [{ text: 'busy' }] } });
    expect(await server.exit()).toBe(0);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});
