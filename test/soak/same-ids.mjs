import { Child } from './child.mjs';
import { HttpClient } from './http-client.mjs';
import { Random } from './random.mjs';
import { within } from './within.mjs';

const CLIENTS = 50;
const END_MS = 60_000;

/** Calls of fifty clients at once that all use the same ids, with random delays: each gets what belongs to it, once. */
export async function sameIds({ count, seed, transports, program }) {
  const child = await Child.start({ program, transports });
  const random = new Random(seed);
  const faults = [];
  const clients = [];
  try {
    for (let index = 0; index < CLIENTS; index += 1) clients.push(await openClient(child, transports[index % transports.length], index));
    const calls = clients.flatMap((client, index) =>
      Array.from({ length: count / CLIENTS }, (_, id) =>
        one(client, { id, text: `client ${String(index)}, call ${String(id)}`, ms: random.below(300) }),
      ),
    );
    const outcomes = await within(END_MS, Promise.all(calls), 'a call is not answered');
    faults.push(...outcomes.filter((fault) => fault !== undefined));
    // What would come twice has come by the time that another call has waited as long.
    await Promise.all(clients.map((client) => one(client, { id: 'last', text: 'last', ms: 300 })));
    faults.push(...clients.flatMap(({ strays }) => strays()).map((line) => `came without being asked: ${line.slice(0, 200)}`));
  } catch (error) {
    faults.push(error.message);
  } finally {
    for (const { drop } of clients) drop();
    await child.stop();
  }
  return { faults, measured: { clients: CLIENTS, calls: count, wrong: faults.length } };
}

async function one({ ask, name }, { id, text, ms }) {
  try {
    const answer = await ask({ name: 'wait', arguments: { text, ms } }, id);
    const said = answer.result?.content?.[0]?.text;
    return said === text ? undefined : `${name} asked for "${text}" and got ${JSON.stringify(answer).slice(0, 200)}`;
  } catch (error) {
    return `${name} asked for "${text}" and got ${error.message}`;
  }
}

/** There is one stdio; who would come second there comes over another transport, or over HTTP. */
async function openClient(child, transport, index) {
  const era = index % 2 === 0 ? 'legacy' : 'modern';
  const name = `${transport}, ${era}`;
  if (transport === 'http' || (transport === 'stdio' && index > 0 && child.url !== undefined)) {
    const http = new HttpClient(child.url);
    if (era === 'legacy') await http.initialize();
    const ask = (params, id) => (era === 'legacy' ? http.ask('tools/call', params, id) : http.modern('tools/call', params, id));
    return { name, ask, drop: () => http.end(), strays: () => [] };
  }
  const lines = transport === 'uds' ? await child.socket() : child.lines();
  if (era === 'legacy') await lines.initialize();
  const ask = (params, id) => (era === 'legacy' ? lines.ask('tools/call', params, id) : lines.modern('tools/call', params, id));
  return { name, ask, drop: () => lines.drop(), strays: () => lines.strays };
}
