import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  AuditSink,
  Injectable,
  jsonSchema,
  McpTool,
  Roles,
  RolesGuard,
  UseGuards,
  type AuditRecord,
  type McpApplication,
  type McpContext,
} from 'perch-mcp';
import { closeApps, createApp, overHttp, overStreams, RecordingLogger } from '../../support/app';
import { HeldCalls } from '../../support/held-calls';
import { connectTo, freshSocketPath, overSocket, type SocketEnd } from '../../support/socket';
import { ENVELOPE, INITIALIZE } from '../../support/wire';

@Injectable()
class Tools {
  @McpTool({ name: 'who', description: 'Says who asks over what' })
  who(_input: object, { transport, era, principal, session }: McpContext): object {
    return { transport, era, principal: principal?.id ?? 'nobody', session: session ?? 'none' };
  }

  @McpTool({ name: 'admin', description: 'For admins' })
  @Roles('admin')
  @UseGuards(RolesGuard)
  admin(): string {
    return 'entered';
  }
}

afterEach(closeApps);

const call = (id: number, name: string, meta = {}): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, ...meta } });
const modern = (id: number, name: string): object => call(id, name, { _meta: ENVELOPE });

async function listen(app: McpApplication): Promise<string> {
  const socketPath = freshSocketPath();
  await app.listen({ transports: ['uds'], socketPath, shutdownHooks: false });
  return socketPath;
}

async function initialized(path: string): Promise<SocketEnd> {
  const client = await connectTo(path);
  client.send(INITIALIZE);
  await client.next();
  return client;
}

const textOf = (answer: Record<string, unknown>): string => (answer as { result: { content: [{ text: string }] } }).result.content[0].text;

async function whenAborted({ signal }: McpContext): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

async function held(): Promise<{ app: McpApplication; calls: HeldCalls; path: string }> {
  const app = await createApp([HeldCalls], { limits: { graceMs: 300 } });
  return { app, calls: app.get(HeldCalls), path: await listen(app) };
}

test('the handle and the log name the socket, and it is gone when the application is closed', async () => {
  const logger = new RecordingLogger();
  const app = await createApp([Tools], { logger });
  const path = await listen(app);
  expect(app.handles).toMatchObject([{ mode: 'uds', socketPath: path }]);
  expect(logger.lines.map(({ message }) => message).join('\n')).toContain(path);
  await app.close();
  expect(readdirSync(dirname(path))).toEqual([]);
});

test('each connection has an era of its own, and handlers learn that they are asked over uds', async () => {
  const path = await listen(await createApp([Tools]));
  const [legacy, other] = [await initialized(path), await connectTo(path)];
  legacy.send(call(1, 'who'));
  other.send(modern(1, 'who'));
  const seen = [await legacy.next(), await other.next()].map((answer) => JSON.parse(textOf(answer)) as object);
  expect(seen).toEqual(['legacy', 'modern'].map((era) => ({ transport: 'uds', era, principal: 'nobody', session: 'none' })));
});

test('D14: guards run for clients on the socket as for those on stdio and HTTP: who connects has no roles', async () => {
  const records: AuditRecord[] = [];
  const app = await createApp([Tools, { provide: AuditSink, useValue: { write: (record: AuditRecord) => void records.push(record) } }]);
  const client = await overSocket(app);
  client.send(INITIALIZE);
  await client.next();
  client.send(call(1, 'admin'));
  expect(await client.next()).toMatchObject({ id: 1, error: { code: -32602 } });
  expect(records).toMatchObject([
    { transport: 'uds', name: 'admin', outcome: expect.stringMatching(/denied|hidden|refused|unknown/) as unknown },
  ]);
});

test('D14: localPrincipal says whom clients on the socket and on stdio are taken for, and nobody else', async () => {
  const localPrincipal = { id: 'ada', scopes: [], roles: ['admin'] };
  const overUds = await createApp([Tools]);
  const socketPath = freshSocketPath();
  await overUds.listen({ transports: ['uds', 'http'], socketPath, port: 0, localPrincipal, shutdownHooks: false });
  const client = await initialized(socketPath);
  client.send(call(1, 'admin'));
  expect(textOf(await client.next())).toBe('entered');
});

describe('B12: a client that leaves', () => {
  test.each([
    ['legacy', 'ends its side'],
    ['legacy', 'is destroyed'],
    ['modern', 'ends its side'],
    ['modern', 'is destroyed'],
  ])('in the %s era, and %s, has its running calls aborted within 100 ms, and nothing more is sent', async (era, how) => {
    const { calls, path } = await held();
    const client = era === 'legacy' ? await initialized(path) : await connectTo(path);
    client.send(era === 'legacy' ? call(1, 'held') : modern(1, 'held'));
    const context = await calls.entered();
    let received = 0;
    client.socket.on('data', () => (received += 1));
    const closed = once(client.socket, 'close');
    const left = performance.now();
    if (how === 'is destroyed') client.socket.destroy();
    else client.endInput();
    await whenAborted(context);
    expect(performance.now() - left).toBeLessThan(100);
    calls.finish('late');
    await closed;
    expect([received, client.unread]).toEqual([0, []]);
  });

  test('B12: is noticed although its next call has no room', async () => {
    const calls = new HeldCalls();
    const app = await createApp([Tools, { provide: HeldCalls, useValue: calls }], { limits: { streamCalls: 2 } });
    const client = await initialized(await listen(app));
    for (const id of [1, 2, 3]) client.send(call(id, 'held'));
    const contexts = [await calls.entered(), await calls.entered()];
    client.socket.destroy();
    await Promise.all(contexts.map(whenAborted));
    calls.finish('');
  });

  test('takes nobody else with it', async () => {
    const { calls, path } = await held();
    const [leaving, staying] = [await initialized(path), await initialized(path)];
    leaving.send(call(1, 'held'));
    const first = await calls.entered();
    staying.send(call(1, 'held'));
    const second = await calls.entered();
    leaving.socket.destroy();
    await whenAborted(first);
    expect(second.signal.aborted).toBe(false);
    calls.finish('done');
    expect(textOf(await staying.next())).toBe('done');
  });

  test('is noticed during a shutdown too, which then waits for it no longer', async () => {
    const app = await createApp([HeldCalls], { limits: { graceMs: 60_000 } });
    const client = await initialized(await listen(app));
    client.send(call(1, 'held'));
    const context = await app.get(HeldCalls).entered();
    const closed = app.close();
    client.socket.destroy();
    await whenAborted(context);
    app.get(HeldCalls).finish('late');
    await closed;
  });

  test('on stdio it is otherwise: the end of input lets running calls finish', async () => {
    const app = await createApp([HeldCalls]);
    const client = await overStreams(app);
    client.send(INITIALIZE);
    await client.next();
    client.send(call(1, 'held'));
    const context = await app.get(HeldCalls).entered();
    client.endInput();
    await new Promise((resolve) => setImmediate(resolve));
    expect(context.signal.aborted).toBe(false);
    app.get(HeldCalls).finish('done');
    expect(textOf(await client.next())).toBe('done');
  });
});

describe('at the end of the application', () => {
  test('B1: running calls on every connection are answered, the file is gone at once, and the connections end', async () => {
    const app = await createApp([HeldCalls]);
    const calls = app.get(HeldCalls);
    const path = await listen(app);
    const clients = await Promise.all([1, 2, 3].map(() => initialized(path)));
    for (const client of clients) {
      client.send(call(7, 'held'));
      await calls.entered();
    }
    const ended = clients.map(({ socket }) => once(socket, 'end'));
    const closed = app.close();
    await expect(connectTo(path)).rejects.toMatchObject({ code: 'ENOENT' });
    calls.finish('done');
    for (const client of clients) expect(await client.next()).toMatchObject({ id: 7, result: { content: [{ text: 'done' }] } });
    await Promise.all([closed, ...ended]);
  });

  test('B1: another process can take the path while calls of this one still run', async () => {
    const { app, calls, path } = await held();
    const client = await initialized(path);
    client.send(call(1, 'held'));
    await calls.entered();
    const closed = app.close();
    const next = await createApp([Tools]);
    await next.listen({ transports: ['uds'], socketPath: path, shutdownHooks: false });
    calls.finish('done');
    expect(textOf(await client.next())).toBe('done');
    await closed;
    const other = await initialized(path);
    other.send(call(1, 'who'));
    expect(textOf(await other.next())).toContain('uds');
  });

  test('B2: a call that outlasts the grace period is aborted and answered', async () => {
    const { app, calls, path } = await held();
    const client = await initialized(path);
    client.send(call(1, 'held'));
    const context = await calls.entered();
    const closed = app.close();
    expect(await client.next()).toMatchObject({ id: 1, result: { isError: true, content: [{ text: 'Shutting down' }] } });
    expect(context.signal.aborted).toBe(true);
    await closed;
  });

  test('B8: a client that reads slowly still gets every byte of its answer', async () => {
    const size = 5 * 1024 * 1024;
    const app = await createApp([]);
    const entered = new Promise<void>((resolve) => {
      app.tools.register({ name: 'large', description: '', execute: () => (resolve(), 'x'.repeat(size)) });
    });
    const client = await initialized(await listen(app));
    client.socket.pause();
    client.send(call(1, 'large'));
    await entered;
    const closed = app.close();
    const isClosed = await Promise.race([closed.then(() => true), new Promise((resolve) => setImmediate(() => resolve(false)))]);
    client.socket.resume();
    expect(textOf(await client.next())).toHaveLength(size);
    expect(isClosed).toBe(false);
    await closed;
  });

  test('B8: a client that never reads does not hold the end up longer than the grace period', async () => {
    const app = await createApp([], { limits: { graceMs: 200 } });
    const entered = new Promise<void>((resolve) => {
      app.tools.register({ name: 'large', description: '', execute: () => (resolve(), 'x'.repeat(5 * 1024 * 1024)) });
    });
    const client = await initialized(await listen(app));
    client.socket.pause();
    client.send(call(1, 'large'));
    await entered;
    await app.close();
    expect(app.isStarted()).toBe(false);
    client.socket.destroy();
  });
});

test('C1, B33: the same ids on 50 connections never meet', async () => {
  const app = await createApp([]);
  const input = jsonSchema({ type: 'object', properties: { said: { type: 'string' } } });
  app.tools.register({
    name: 'echo',
    description: '',
    input,
    execute: async ({ said }: { said?: string }) => (await Promise.resolve(), said),
  });
  const path = await listen(app);
  const clients = await Promise.all(Array.from({ length: 50 }, () => initialized(path)));
  const ids = Array.from({ length: 20 }, (_, id) => id);
  for (const id of ids)
    clients.forEach((client, at) =>
      client.send({ ...call(id, 'echo'), params: { name: 'echo', arguments: { said: `${String(at)}/${String(id)}` } } }),
    );
  for (const [at, client] of clients.entries()) {
    const answers = new Map<unknown, string>();
    for (const _ of ids) {
      const answer = await client.next();
      answers.set(answer['id'], textOf(answer));
    }
    expect([...answers].sort(([a], [b]) => Number(a) - Number(b))).toEqual(ids.map((id) => [id, `${String(at)}/${String(id)}`]));
    expect(client.unread).toEqual([]);
  }
});

test('C4: clients that come and go leave no descriptor behind', async () => {
  const path = await listen(await createApp([Tools]));
  const count = (): number => process.getActiveResourcesInfo().filter((each) => each.includes('Pipe')).length;
  const visit = async (): Promise<void> => {
    const client = await initialized(path);
    client.send(call(1, 'who'));
    await client.next();
    const closed = once(client.socket, 'close');
    client.endInput();
    await closed;
  };
  await visit();
  const before = count();
  for (let visits = 0; visits < 100; visits += 1) await visit();
  expect(count()).toBeLessThanOrEqual(before);
});

test('B17: a second transport that cannot be opened closes the socket, and the error names the place', async () => {
  const taken = await createApp([]);
  const port = Number(new URL(await overHttp(taken)).port);
  const app = await createApp([Tools]);
  const socketPath = freshSocketPath();
  const failed = app.listen({ transports: ['uds', 'http'], socketPath, port, shutdownHooks: false });
  await expect(failed).rejects.toMatchObject({
    problems: [{ code: 'MCP_TRANSPORT_FAILED', problem: expect.stringContaining(`127.0.0.1:${String(port)}`) as unknown }],
  });
  expect(readdirSync(dirname(socketPath))).toEqual([]);

  const second = await createApp([Tools]);
  const both = second.listen({ transports: ['http', 'uds'], port: 0, socketPath: dirname(socketPath), shutdownHooks: false });
  await expect(both).rejects.toThrow(dirname(socketPath));
  expect(second.handles).toEqual([]);
  expect(statSync(dirname(socketPath)).isDirectory()).toBe(true);
});

test('uds without a path is one clear error before anything is opened', async () => {
  const app = await createApp([Tools]);
  await expect(app.listen({ transports: ['uds'], shutdownHooks: false })).rejects.toMatchObject({
    problems: [{ code: 'MCP_OPTION_INVALID', fix: expect.stringMatching(/socketPath.*--socket.*PERCH_SOCKET/) as unknown }],
  });
});
