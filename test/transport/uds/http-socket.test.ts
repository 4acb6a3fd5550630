import { readdirSync, writeFileSync, readFileSync, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { Injectable, McpTool, type ListenOptions, type McpApplication, type McpContext } from 'perch-mcp';
import { closeApps, createApp, RecordingLogger } from '../../support/app';
import { HeldCalls } from '../../support/held-calls';
import { askOver, freshSocketPath } from '../../support/socket';
import { INITIALIZE, JSON_HEADERS, messageOf, modern } from '../../support/wire';

@Injectable()
class Tools {
  @McpTool({ name: 'who', description: 'Says who asks over what' })
  who(_input: object, { transport, principal }: McpContext): string {
    return `${principal?.id ?? 'nobody'} over ${transport}`;
  }
}

afterEach(closeApps);

const TOKEN = 'a-token-of-more-than-32-characters';

async function listen(app: McpApplication, options: ListenOptions = {}): Promise<string> {
  const httpSocketPath = freshSocketPath();
  await app.listen({ transports: ['http'], httpSocketPath, shutdownHooks: false, ...options });
  return httpSocketPath;
}

const who = (headers: Record<string, string> = {}): ReturnType<typeof modern> => {
  const question = modern('tools/call', { name: 'who' });
  return { ...question, headers: { ...question.headers, ...headers } };
};

test('HTTP listens on a socket in the place of a port, and the handle and the log say where', async () => {
  const logger = new RecordingLogger();
  const app = await createApp([Tools], { logger });
  const path = await listen(app);
  expect(app.handles).toMatchObject([{ mode: 'http', socketPath: path }]);
  expect(app.handles[0]).not.toHaveProperty('port');
  expect(logger.lines.map(({ message }) => message).join('\n')).toContain(path);
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(messageOf(await askOver(path, who()))).toMatchObject({ result: { content: [{ text: 'nobody over http' }] } });
});

test('clients of both eras are served on it', async () => {
  const path = await listen(await createApp([Tools]));
  const opened = await askOver(path, { headers: JSON_HEADERS, body: JSON.stringify(INITIALIZE) });
  const session = String(opened.headers['mcp-session-id']);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who' } });
  expect(messageOf(await askOver(path, { headers: { ...JSON_HEADERS, 'mcp-session-id': session }, body }))).toMatchObject({
    id: 1,
    result: {},
  });
  expect((await askOver(path, modern('tools/list'))).status).toBe(200);
});

test('no token is needed on it, and one that is set is asked for', async () => {
  const path = await listen(await createApp([Tools]), { authToken: TOKEN });
  expect((await askOver(path, who())).status).toBe(401);
  expect((await askOver(path, who({ authorization: 'Bearer another-token-of-32-characters' }))).status).toBe(401);
  const answer = await askOver(path, who({ authorization: `Bearer ${TOKEN}` }));
  expect(messageOf(answer)).toMatchObject({ result: { content: [{ text: 'token over http' }] } });
});

test('D1, D3: Host and Origin are checked on it as on a port', async () => {
  const path = await listen(await createApp([Tools]));
  const statusOf = async (headers: Record<string, string>): Promise<number> => (await askOver(path, who(headers))).status;
  expect([
    await statusOf({ host: 'evil.example' }),
    await statusOf({ origin: 'http://evil.example' }),
    await statusOf({ origin: 'null' }),
  ]).toEqual([403, 403, 403]);
  expect([await statusOf({ host: 'localhost' }), await statusOf({ host: 'localhost', origin: 'http://localhost' })]).toEqual([200, 200]);
});

test('B18, B19: its file obeys the rules of the other socket', async () => {
  const path = freshSocketPath();
  writeFileSync(path, 'precious');
  const refused = await createApp([Tools]);
  const options = { transports: ['http'], httpSocketPath: path, shutdownHooks: false } as const;
  await expect(refused.listen(options)).rejects.toMatchObject({
    problems: [{ code: 'MCP_TRANSPORT_FAILED', problem: expect.stringContaining('no socket') as unknown }],
  });
  expect(readFileSync(path, 'utf8')).toBe('precious');

  const app = await createApp([Tools]);
  const served = await listen(app);
  const second = await createApp([Tools]);
  await expect(second.listen({ ...options, httpSocketPath: served })).rejects.toThrow('it is in use');
  await app.close();
  expect(readdirSync(dirname(served))).toEqual([]);
});

test('B1: what runs is answered at the end, and the next process can have the path meanwhile', async () => {
  const app = await createApp([HeldCalls]);
  const path = await listen(app);
  const answer = askOver(path, modern('tools/call', { name: 'held' }));
  await app.get(HeldCalls).entered();
  const closed = app.close();
  await expect(askOver(path, who())).rejects.toMatchObject({ code: 'ENOENT' });
  const next = await createApp([Tools]);
  await next.listen({ transports: ['http'], httpSocketPath: path, shutdownHooks: false });
  app.get(HeldCalls).finish('done');
  expect(messageOf(await answer)).toMatchObject({ result: { content: [{ text: 'done' }] } });
  await closed;
  expect(messageOf(await askOver(path, who()))).toMatchObject({ result: {} });
});

test('both sockets and stdio are served by one application, and one path for two of them is refused', async () => {
  const app = await createApp([Tools]);
  const socketPath = freshSocketPath();
  await expect(app.listen({ transports: ['uds', 'http'], socketPath, httpSocketPath: socketPath, shutdownHooks: false })).rejects.toThrow(
    /it is in use|one path/,
  );
  const other = await createApp([Tools]);
  const httpSocketPath = freshSocketPath();
  await other.listen({ transports: ['uds', 'http'], socketPath, httpSocketPath, shutdownHooks: false });
  expect(other.handles).toMatchObject([
    { mode: 'uds', socketPath },
    { mode: 'http', socketPath: httpSocketPath },
  ]);
});
