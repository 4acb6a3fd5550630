import { IsString } from 'class-validator';
import { Injectable, McpTool } from 'perch-mcp';
import { closeApps, createApp } from '../support/app';
import { ask, ENVELOPE, messageOf, modern, openSession, type HttpQuestion } from '../support/wire';

class SlowInput {
  @IsString() client!: string;
}

/** Ends the two calls of a round in the order opposite to that in which they came. */
@Injectable()
class Tools {
  readonly #waiting: (() => void)[] = [];

  @McpTool({ name: 'slow', description: 'Gives back the name, once both have asked', input: SlowInput })
  async slow({ client }: SlowInput): Promise<string> {
    if (this.#waiting.length === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else setImmediate(() => this.#waiting.pop()?.());
    return client;
  }
}

afterEach(closeApps);

type Asks = (client: string) => HttpQuestion;
const message = (client: string, meta?: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'slow', arguments: { client }, ...(meta === undefined ? {} : { _meta: meta }) },
});

const MODES: readonly (readonly [string, false | object, (url: string) => Promise<Asks>])[] = [
  ['legacy with sessions', {}, async (url) => withHeaders(await openSession(url))],
  [
    'legacy without sessions',
    false,
    () => Promise.resolve(withHeaders({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })),
  ],
  [
    'modern',
    {},
    () =>
      Promise.resolve((client: string) => ({
        ...modern('tools/call', { name: 'slow', arguments: { client } }),
        body: JSON.stringify(message(client, ENVELOPE)),
      })),
  ],
];

function withHeaders(headers: Record<string, string>): Asks {
  return (client) => ({ headers, body: JSON.stringify(message(client)) });
}

test.each(MODES)('B33: %s: two clients with one request id each get their own answer, 100 times', async (_mode, sessions, open) => {
  const app = await createApp([Tools]);
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false, sessions });
  const url = app.handles[0]?.url ?? '';
  const clients = [await open(url), await open(url)];
  for (let round = 0; round < 100; round += 1) {
    const names = [`first-${String(round)}`, `second-${String(round)}`];
    const answers = await Promise.all(names.map((name, at) => ask(url, clients[at]?.(name) ?? {})));
    expect(answers.map((answer) => [answer.status, messageOf(answer)])).toMatchObject(
      names.map((text) => [200, { id: 1, result: { content: [{ text }] } }]),
    );
  }
});
