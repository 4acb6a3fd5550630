import { McpFactory, type McpApplication } from 'perch-mcp';
import { overHttp } from '../support/app';
import { ask, ENVELOPE, messageOf, modern } from '../support/wire';
import { shopOver, type Rows } from './asking-page';

class MemoryRows implements Rows {
  readonly #rows = new Map<string, unknown>();
  #adds = 0;
  #wake: () => void = () => undefined;
  /** Resolves when three deliveries have asked for their round. */
  readonly asked = new Promise<void>((resolve) => (this.#wake = resolve));

  async add(key: string, value: unknown): Promise<boolean> {
    if ((this.#adds += 1) === 3) this.#wake();
    return !this.#rows.has(key) && this.#rows.set(key, value) === this.#rows;
  }

  async set(key: string, value: unknown): Promise<void> {
    this.#rows.set(key, value);
  }

  async get(key: string): Promise<unknown> {
    return this.#rows.get(key);
  }

  async remove(key: string): Promise<void> {
    this.#rows.delete(key);
  }

  async below(prefix: string): Promise<Record<string, unknown>> {
    return Object.fromEntries(
      [...this.#rows].flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])),
    );
  }
}

const META = { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const ANSWER = { address: { action: 'accept', content: { address: 'Bern' } } };

async function send(url: string, retry: object = {}): Promise<Record<string, any>> {
  const { headers = {} } = modern('tools/call', { name: 'send' });
  const params = { name: 'send', ...retry, _meta: META };
  return messageOf(await ask(url, { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) }));
}

const processes: McpApplication[] = [];

afterEach(() => Promise.all(processes.splice(0).map((app) => app.close())));

test('docs/asking.md: two processes with one key and one store have one effect of a round that is delivered to both', async () => {
  const rows = new MemoryRows();
  const sent: string[] = [];
  const post = async (address: string): Promise<number> => {
    await rows.asked;
    return sent.push(address);
  };
  for (let count = 0; count < 2; count += 1)
    processes.push(
      await McpFactory.create(shopOver(rows, post), { name: 'shop', version: '1.0.0', logger: false, stateKey: 'k'.repeat(32) }),
    );
  const [one = '', two = ''] = await Promise.all(processes.map(overHttp));
  const { requestState } = (await send(one))['result'];
  const retry = { requestState, inputResponses: ANSWER };
  const answers = await Promise.all([send(one, retry), send(two, retry), send(two, retry)]);
  for (const { result } of answers) expect(result).toMatchObject({ content: [{ text: 'Parcel 1 is on its way.' }] });
  expect(sent).toEqual(['Bern']);
});
