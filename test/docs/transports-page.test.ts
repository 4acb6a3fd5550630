import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { closeApps, createApp } from '../support/app';
import { freshSocketPath, removeFolders } from '../support/socket';
import { ask } from '../support/wire';
import { serveOwnLoop, serveReport } from './transports-page';

afterEach(closeApps);
afterAll(removeFolders);

test('the loop of the page: one door closes alone, and the client that leaves closes the rest', async () => {
  let tellEnd: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (tellEnd = resolve));
  const app = await createApp([{ provide: 'end', useValue: { onApplicationShutdown: () => tellEnd() } }]);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const socketPath = freshSocketPath();
  const [stdio, socket] = await serveOwnLoop(app, { input, output }, socketPath);
  expect(app.handles).toEqual([stdio, socket]);
  input.end();
  await ended;
  await app.close();
  expect([app.handles.length, existsSync(socketPath)]).toEqual([0, false]);
});

test('the server of the page gives its report to those who have the token', async () => {
  process.env['PERCH_AUTH_TOKEN'] = '0123456789abcdef0123456789abcdef';
  const server = serveReport(await createApp([]));
  delete process.env['PERCH_AUTH_TOKEN'];
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  const answer = (token: string) => ask(url, { method: 'GET', headers: { authorization: `Bearer ${token}` } });
  expect(await answer('0123456789abcdef0123456789abcdef')).toMatchObject({ status: 200, text: 'The report' });
  expect(await answer('0123456789abcdef0123456789abcdeX')).toMatchObject({ status: 401 });
  server.close();
});

test('the command of the page names programs of the sample, which are there once it is built', () => {
  const [, supervisor = '', server = ''] =
    /^node \.build\/(\S+)\.js .* -- \.build\/(\S+)\.js$/.exec(readFileSync(path.join(__dirname, 'transports-page.txt'), 'utf8').trim()) ??
    [];
  expect([supervisor, server].map((each) => existsSync(path.join(__dirname, '../..', `${each}.ts`)))).toEqual([true, true]);
});
