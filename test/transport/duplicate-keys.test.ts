import { IsString } from 'class-validator';
import { Injectable, McpTool } from 'perch-mcp';
import { closeApps, createApp, overStreams, type StreamEnd } from '../support/app';
import { ask, INITIALIZE, messageOf, modern, openSession } from '../support/wire';

class EchoInput {
  @IsString() text!: string;
}

@Injectable()
class Tools {
  @McpTool({ name: 'echo', description: 'Echoes', input: EchoInput })
  echo({ text }: EchoInput): string {
    return text;
  }

  @McpTool({ name: 'other', description: 'Is not meant' })
  other(): string {
    return 'other';
  }
}

let url: string;
let stream: StreamEnd;

beforeEach(async () => {
  const app = await createApp([Tools]);
  stream = await overStreams(app, ['http']);
  url = app.handles.find(({ mode }) => mode === 'http')?.url ?? '';
  stream.send(INITIALIZE);
  await stream.next();
});

afterEach(closeApps);

/** A call of `echo` whose text has each of three names twice, the last time as it is meant. */
const params = (more = ''): string => `{"name":"other","name":"echo","arguments":{"text":"first","text":"last"}${more}}`;
const body = (more = ''): string => `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":${params(more)}}`;
const LAST = { id: 1, result: { content: [{ text: 'last' }] } };

test('A7: of a name that stands twice in a message the last one counts, on a stream and in a session', async () => {
  stream.send(`${body()}\n`);
  expect(await stream.next()).toMatchObject(LAST);
  expect(messageOf(await ask(url, { headers: await openSession(url), body: body() }))).toMatchObject(LAST);
});

test('A7: modern headers are held to the name that counts, so no check sees another call than the one that is made', async () => {
  const good = modern('tools/call', { name: 'echo', arguments: {} });
  const meta = (JSON.parse(good.body?.toString() ?? '') as { params: { _meta: object } }).params._meta;
  const doubled = body(`,"_meta":${JSON.stringify(meta)}`);
  expect(messageOf(await ask(url, { ...good, body: doubled }))).toMatchObject(LAST);
  for (const headers of [{ 'mcp-name': 'other' }, { 'mcp-method': 'ping' }]) {
    const answer = await ask(url, { headers: { ...good.headers, ...headers }, body: doubled });
    expect([answer.status, messageOf(answer)]).toMatchObject([400, { error: { code: -32020 } }]);
  }
});
