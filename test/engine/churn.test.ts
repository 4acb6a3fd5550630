import { EventEmitter, once } from 'node:events';
import { ENGINE_VERSION, EngineModule, type EngineContext, type EngineLike } from 'perch-mcp';
import { closeApps, createApp, overHttp } from '../support/app';
import { LISTENERS, type ListeningClient } from '../support/listening-clients';
import { textOf } from '../support/every-client';

afterEach(closeApps);

const CLIENTS = 16;
const CHANGES = 1_000;
// Some thousand requests, which take ten seconds on a machine that does nothing else.
const LIMIT_MS = 300_000;

/** Says which generation ran, and with which number. */
const engine = (id: string, generation: number): EngineLike => ({
  id,
  version: String(generation),
  execute: ({ request }: EngineContext<{ number: number }>) => ({ generation, number: request.input.number }),
});

/** What a client saw that it should not have. */
interface Seen {
  readonly wrong: string[];
  results: number;
  refusals: number;
}

async function look({ client }: ListeningClient, seen: Seen): Promise<void> {
  const { tools } = await client.listTools();
  const listed = tools.map((tool) => `${tool.name} ${String((tool as { _meta?: Record<string, unknown> })._meta?.[ENGINE_VERSION])}`);
  const [first, ...pair] = listed;
  const generation = pair[0]?.split(' ')[1] ?? '';
  const isWhole = pair.length === 0 || (pair.length === 2 && pair[1] === `right ${generation}`);
  if (first !== 'stays 0' || !isWhole) seen.wrong.push(`list: ${listed.join(', ')}`);
}

async function call({ client }: ListeningClient, number: number, seen: Seen): Promise<void> {
  try {
    const result = await client.callTool({ name: 'left', arguments: { number } });
    const answer = JSON.parse(textOf(result)) as { generation: number; number: number };
    if (answer.number !== number || result.isError === true) seen.wrong.push(`call: ${textOf(result)}`);
    seen.results += 1;
  } catch (error) {
    // While it is away, it is as unknown as any other.
    if ((error as { code?: unknown }).code !== -32602) seen.wrong.push(`call: ${String(error)}`);
    seen.refusals += 1;
  }
}

test(
  'engines that come and go 1,000 times while 16 clients of both eras list and call tear no list and lose no call, and all are told',
  async () => {
    const app = await createApp([], {}, [EngineModule.forRoot({ engines: [engine('stays', 0)] })]);
    const url = await overHttp(app);
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => (LISTENERS[index % LISTENERS.length] as (typeof LISTENERS)[number])(url)),
    );
    const seen: Seen = { wrong: [], results: 0, refusals: 0 };
    const answers = new EventEmitter();
    let isOver = false;
    const working = clients.map(async (client, index) => {
      for (let number = index; !isOver; number += CLIENTS) {
        await look(client, seen);
        answers.emit('answer');
        await call(client, number, seen);
        answers.emit('answer');
      }
    });
    for (let generation = 1; generation <= CHANGES; generation += 1) {
      app.engines.register(engine('left', generation));
      app.engines.register(engine('right', generation));
      await once(answers, 'answer');
      app.engines.unregister('left');
      app.engines.unregister('right');
      if (generation % 4 === 0) await once(answers, 'answer');
    }
    isOver = true;
    await Promise.all(working);
    expect(seen.wrong).toEqual([]);
    // Both happened, or nothing was shown.
    expect(Math.min(seen.results, seen.refusals)).toBeGreaterThan(50);
    expect(clients.map(({ told }) => told() > 0)).toEqual(clients.map(() => true));
    await allHearOfTheLast(clients, () => app.engines.register(engine('last', 0)));
    await Promise.all(clients.map(({ client }) => client.close()));
  },
  LIMIT_MS,
);

async function allHearOfTheLast(clients: readonly ListeningClient[], change: () => void): Promise<void> {
  const before = await Promise.all(clients.map(settled));
  change();
  for (const [index, { client, whenTold }] of clients.entries()) {
    await whenTold((before[index] ?? 0) + 1);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['stays', 'last']);
  }
}

/** How often a client was told, once a request of its own went there and back after the change. */
async function settled({ client, told }: ListeningClient): Promise<number> {
  await client.listTools();
  return told();
}
