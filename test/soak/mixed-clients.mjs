import { HttpClient } from './http-client.mjs';

/** How many calls run at once in a fault round, over all clients. A multiple of the number of clients. */
export const CALLS = 64;
const LONGEST_MS = 400;

/** Two clients of each era on every transport that is open, and one of them each that will leave; on stdio there can be but one. */
export async function openClients(child, transports) {
  const clients = [];
  if (transports.includes('stdio')) clients.push(...(await stdioClients(child)));
  for (const transport of ['uds', 'http']) {
    if (!transports.includes(transport)) continue;
    for (const era of ['legacy', 'modern'])
      for (const leaves of [false, true])
        clients.push(await (transport === 'uds' ? lineClient : httpClient)(child, { era, leaves, name: `${transport}, ${era}` }));
  }
  return balanced(clients);
}

async function stdioClients(child) {
  const lines = child.lines();
  await lines.initialize();
  return [asClient(lines, { name: 'stdio', leaves: false, ask: (params) => lines.ask('tools/call', params) })];
}

async function lineClient(child, { era, leaves, name }) {
  const lines = await child.socket();
  if (era === 'legacy') await lines.initialize();
  const ask = (params) => (era === 'legacy' ? lines.ask('tools/call', params) : lines.modern('tools/call', params));
  return asClient(lines, { name, leaves, ask });
}

function asClient(lines, { name, leaves, ask }) {
  return new Client({ name, leaves, ask, drop: () => lines.drop(), strays: () => lines.strays });
}

async function httpClient(child, { era, leaves, name }) {
  const http = new HttpClient(child.url);
  if (era === 'legacy') await http.initialize();
  const ask = (params) => (era === 'legacy' ? http.ask('tools/call', params) : http.modern('tools/call', params));
  return new Client({ name, leaves, ask, drop: () => http.end(), strays: () => [] });
}

class Client {
  constructor(options) {
    Object.assign(this, options);
  }

  /** Begins calls that end after random times, each with a text of its own; each outcome says whether that text came back. */
  begin({ share, random }) {
    return Array.from({ length: Math.round(share * (this.weight ?? 1)) }, (_, index) => {
      const text = `${this.name} ${String(index)} ${String(random.next())}`;
      return this.#call({ name: 'wait', arguments: { text, ms: 50 + random.below(LONGEST_MS) } }, text);
    });
  }

  async #call(params, text) {
    const { name, leaves } = this;
    try {
      const answer = await this.ask(params);
      return { name, leaves, right: answer.result?.content?.[0]?.text === text, said: JSON.stringify(answer).slice(0, 200) };
    } catch (error) {
      return { name, leaves, right: false, said: `${error.code ?? ''} ${error.message}` };
    }
  }
}

/** Gives the one client on stdio what makes the calls of all together come out even. */
function balanced(clients) {
  const stdio = clients.find(({ name }) => name === 'stdio');
  if (stdio === undefined) return clients;
  const share = CALLS / clients.length;
  const others = Math.round(share) * (clients.length - 1);
  stdio.weight = (CALLS - others) / share;
  return clients;
}
