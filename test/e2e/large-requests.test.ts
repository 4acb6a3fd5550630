import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildServer } from '../support/child-server';
import { connectTo, freshSocketPath, removeFolders } from '../support/socket';
import { ask, ENVELOPE, INITIALIZE, messageOf, modern, openSession } from '../support/wire';

const PROGRAM = `
const { jsonSchema, McpFactory, Module } = require(${JSON.stringify(join(__dirname, '../../dist'))});
class AppModule {}
Module({})(AppModule);
McpFactory.create(AppModule, { name: 'small', version: '1.0.0' }).then((app) => {
  app.tools.register({ name: 'any', input: jsonSchema({ type: 'object' }), execute: () => 'ok' });
  return app.listen({ transports: ['stdio', 'uds', 'http'], port: 0, socketPath: process.env.AT });
});
`;

type Message = Record<string, any>;
/** Sends a body and resolves with its answer. */
type Say = (body: string, id: number) => Promise<Message>;

let folder: string;
let server: ChildServer;
let doors: readonly (readonly [name: string, meta: string, say: Say])[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'perch-small-'));
  const program = join(folder, 'small.js');
  writeFileSync(program, PROGRAM);
  const socketPath = freshSocketPath();
  server = new ChildServer('--max-old-space-size=256', [program], { AT: socketPath });
  const [, url = ''] = await server.sees(/Serving MCP on (http:\S+)/);
  server.send(INITIALIZE);
  await server.next();
  const socket = await connectTo(socketPath);
  const session = await openSession(url);
  const { headers = {} } = modern('tools/call', { name: 'any' });
  const onStream =
    (stream: Pick<ChildServer, 'send' | 'next'>): Say =>
    (body) => (stream.send(`${body}\n`), stream.next());
  const [legacy, envelope] = ['{}', JSON.stringify(ENVELOPE)];
  doors = [
    ['stdio, legacy', legacy, onStream(server)],
    ['uds, modern', envelope, onStream(socket)],
    ['HTTP, legacy', legacy, async (body) => messageOf(await ask(url, { headers: session, body }))],
    ['HTTP, modern', envelope, async (body) => messageOf(await ask(url, { headers, body }))],
  ];
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
  removeFolders();
});

const call = (id: number, args: string, meta: string): string =>
  `{"jsonrpc":"2.0","id":${String(id)},"method":"tools/call","params":{"name":"any","arguments":${args},"_meta":${meta}}}`;
const keys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":1`).join()}}`;

const LARGE: readonly (readonly [string, string])[] = [
  ['1,000,000 numbers in a list', `[${'1,'.repeat(999_999)}1]`],
  ['1,000,000 empty lists', `[${'[],'.repeat(999_999)}[]]`],
  ['1,000,000 empty objects', `[${'{},'.repeat(999_999)}{}]`],
  ['380,000 names, which is what the limit of a message holds', keys(380_000)],
  ['2,000,000 levels', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`],
];

test.each(LARGE)(
  'A24: %s, in arguments and in _meta, are refused shortly, and the next call is answered, by a process that has 256 MB',
  async (_what, value) => {
    let id = 0;
    for (const [name, meta, say] of doors) {
      const withMeta = meta.replace(/}$/, `${meta === '{}' ? '' : ','}"x.example/large":${value}}`);
      for (const body of [call((id += 1), `{"v":${value}}`, meta), call((id += 1), '{}', withMeta)]) {
        expect(body.length).toBeLessThan(4 * 1024 * 1024 + 400);
        const answer = await say(body, id);
        const isRefused = answer['error']?.code === -32600 || answer['result']?.isError === true;
        expect([name, answer['id'], isRefused, JSON.stringify(answer).length < 4_096]).toEqual([name, answer['id'], true, true]);
        expect(await say(call((id += 1), '{}', meta), id)).toMatchObject({ result: { content: [{ text: 'ok' }] } });
      }
    }
  },
);
