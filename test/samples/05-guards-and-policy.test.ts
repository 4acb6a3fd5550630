import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { McpFactory, Policy, type McpApplication, type Principal } from 'perch-mcp';
import { Test } from 'perch-mcp/testing';
import { AppModule } from '../../samples/05-guards-and-policy/app.module';
import { Clock } from '../../samples/05-guards-and-policy/cleaning-guard';
import { connectInMemory } from '../../src/bootstrap/mcp-application';
import { ChildServer, compiled } from '../support/child-server';
import { CLIENTS, type AnyClient, type Place } from '../support/clients';
import { readCurl } from '../support/curl';
import { MemoryCaller } from '../support/memory-caller';
import { ask, INITIALIZE, messageOf } from '../support/wire';

const MAIN = compiled('samples/05-guards-and-policy/main');

let folder: string;
const at = (...names: string[]): string => path.join(folder, ...names);

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'perch-room-')));
  mkdirSync(at('open'));
  mkdirSync(at('shut'));
  writeFileSync(at('open', 'tides.txt'), 'The tide is high.');
  writeFileSync(at('shut', 'diary.txt'), 'Dear diary');
  symlinkSync(at('shut', 'diary.txt'), at('open', 'link.txt'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const servers: ChildServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

type Env = Readonly<Record<string, string>>;

const enforced = (): Env => ({ PERCH_PERM_ENFORCE: '1', PERCH_PERM_FS_READ: at('open') });

/** A shell sets the environment of a program that a client starts, since the clients of the two SDKs do it differently. */
const PLACES: readonly (readonly [string, (env: Env) => Promise<Place>])[] = [
  [
    'over HTTP',
    async (env) => {
      const server = new ChildServer(MAIN, ['--transport', 'http', '--port', '0'], env);
      servers.push(server);
      return { url: (await server.sees(/Serving MCP on (http:\S+)/))[1] ?? '' };
    },
  ],
  [
    'over stdio',
    (env) => {
      const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      return Promise.resolve({ command: 'env', args: [...settings, process.execPath, MAIN, '--transport', 'stdio'] });
    },
  ],
];

const says = (text: string): object => ({ content: [{ type: 'text', text }] });
const refuses = (text: string): object => ({ isError: true, ...says(text) });

describe.each(PLACES)('the reading room %s', (_where, open) => {
  describe.each(CLIENTS)('for %s', (_name, connect) => {
    let client: AnyClient;
    const visit = async (env: Env): Promise<void> => void (client = await connect(await open(env)));
    const read = (...names: string[]): Promise<unknown> => client.callTool({ name: 'read_file', arguments: { path: at(...names) } });
    afterEach(() => client.close());

    test('reads what the operator allows; what is denied is answered the same whether it exists or not (D22, E8)', async () => {
      await visit(enforced());
      expect(await read('open', 'tides.txt')).toMatchObject(says('The tide is high.'));
      const denied = refuses('Denied by policy');
      expect(await read('shut', 'diary.txt')).toMatchObject(denied);
      expect(await read('shut', 'missing.txt')).toMatchObject(denied);
      expect(await read('open', 'link.txt')).toMatchObject(denied);
      expect(await read('open', '..', 'shut', 'diary.txt')).toMatchObject(denied);
      expect(await read('open', 'missing.txt')).toMatchObject(refuses('Not found'));
      const has = (...names: string[]): Promise<unknown> => client.callTool({ name: 'has_file', arguments: { path: at(...names) } });
      expect(await has('open', 'tides.txt')).toMatchObject(says('Yes, a file.'));
      expect(await has('open', 'missing.txt')).toMatchObject(says('No.'));
      expect(await has('shut', 'diary.txt')).toMatchObject(refuses('Access denied'));
      expect(await has('shut', 'missing.txt')).toMatchObject(refuses('Access denied'));
    });

    test('reads everything while nothing is enforced, lists a folder five times, and hides its report (parity C13)', async () => {
      await visit({});
      expect(await read('shut', 'diary.txt')).toMatchObject(says('Dear diary'));
      const list = (): Promise<unknown> => client.callTool({ name: 'list_folder', arguments: { path: at('shut') } });
      for (let time = 0; time < 5; time += 1) expect(await list()).toMatchObject(says('[{"name":"diary.txt","kind":"file"}]'));
      expect(await list()).toMatchObject(refuses(expect.stringMatching(/^Too many requests. Try again in \d+ s$/) as unknown as string));
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read_file', 'list_folder', 'has_file']);
      await expect(client.callTool({ name: 'reading_report' })).rejects.toMatchObject({ code: -32602 });
    });
  });
});

describe('in a process of its own', () => {
  const TOKEN = '0123456789abcdef0123456789abcdef';

  test('over HTTP with a token the printed command works in the shell that has it, is refused without it, and does not tell it', async () => {
    const server = new ChildServer(MAIN, ['--transport', 'http', '--port', '0'], { PERCH_AUTH_TOKEN: TOKEN });
    servers.push(server);
    const [printed] = await server.sees(/^curl .*$/m);
    expect(server.stderr).not.toContain(TOKEN);
    const command = readCurl(printed.replace('"Authorization: Bearer $PERCH_AUTH_TOKEN"', `'Authorization: Bearer ${TOKEN}'`));
    expect(messageOf(await ask(command.url, command))).toMatchObject({
      result: { content: [{ text: expect.stringContaining('"kind"') as string }] },
    });
    const { authorization, ...others } = { authorization: '', ...command.headers };
    expect([authorization, (await ask(command.url, { ...command, headers: others })).status]).toEqual([`Bearer ${TOKEN}`, 401]);
  });

  test.each([
    ['admin', true],
    ['reader', false],
  ])('on stdio a client that is given the role %s sees the report: %p', async (role, sees) => {
    const server = new ChildServer(MAIN, ['--transport', 'stdio'], { READING_ROOM_ROLE: role });
    servers.push(server);
    server.send(INITIALIZE);
    await server.next();
    server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'reading_report' } });
    expect(await server.next()).toMatchObject({ id: 1, ...(sees ? { result: says('[]') } : { error: { code: -32602 } }) });
  });
});

describe('who may see the report', () => {
  const ADMIN: Principal = { id: 'ada', scopes: [], roles: ['admin'] };
  const READER: Principal = { id: 'bob', scopes: [], roles: ['reader'] };
  let app: McpApplication;
  afterEach(() => app.close());

  const callerOf = async (principal?: Principal): Promise<MemoryCaller> =>
    MemoryCaller.open((await connectInMemory(app, principal)).client);
  const create = async (): Promise<void> => {
    const policy = Policy.define({ fsRead: [at('open')] });
    app = await McpFactory.create(AppModule, { name: 'reading-room', version: '1.0.0', logger: false, policy });
  };
  const namesFor = async (caller: MemoryCaller): Promise<unknown> => JSON.stringify((await caller.ask('tools/list')).result);

  test('an admin sees it and reads it; to others it is like a tool that does not exist (E5)', async () => {
    await create();
    const [admin, reader, nobody] = [await callerOf(ADMIN), await callerOf(READER), await callerOf()];
    await reader.ask('tools/call', { name: 'read_file', arguments: { path: at('open', 'tides.txt') } });
    expect(await namesFor(admin)).toContain('reading_report');
    expect((await admin.ask('tools/call', { name: 'reading_report' })).result).toMatchObject(
      says(JSON.stringify([at('open', 'tides.txt')])),
    );
    for (const other of [reader, nobody]) {
      expect(await namesFor(other)).not.toContain('reading_report');
      expect((await other.ask('tools/call', { name: 'reading_report' })).error).toEqual({
        code: -32602,
        message: 'Unknown tool: "reading_report"',
      });
    }
  });

  test('each caller has five lists of their own', async () => {
    await create();
    const [admin, reader] = [await callerOf(ADMIN), await callerOf(READER)];
    const list = (caller: MemoryCaller) => caller.ask('tools/call', { name: 'list_folder', arguments: { path: at('open') } });
    for (let time = 0; time < 5; time += 1) expect((await list(admin)).result).not.toHaveProperty('isError');
    expect((await list(admin)).result).toHaveProperty('isError', true);
    expect((await list(reader)).result).not.toHaveProperty('isError');
  });

  test('a list leaves out what may not be read', async () => {
    await create();
    const { result } = await (await callerOf()).ask('tools/call', { name: 'list_folder', arguments: { path: at('open') } });
    expect(result).toMatchObject(says('[{"name":"tides.txt","kind":"file"}]'));
  });

  test('nobody is served while the room is cleaned', async () => {
    process.env['CLEANING_HOUR'] = '3';
    try {
      app = await Test.createTestingModule({ imports: [AppModule] })
        .overrideProvider(Clock)
        .useValue({ hour: () => 3 })
        .compile();
      expect(await app.tools.call('has_file', { path: at('open') })).toMatchObject(
        refuses('The room is being cleaned. Come back in an hour.'),
      );
    } finally {
      delete process.env['CLEANING_HOUR'];
    }
  });
});
