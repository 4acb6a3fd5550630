import type { Reservation } from '../../samples/03-ask/reservations';
import { ASKING_CLIENTS, type Answers, type Form } from '../support/asking-clients';
import { ChildServer, compiled } from '../support/child-server';
import type { AnyClient, Place } from '../support/clients';

const MAIN = compiled('samples/03-ask/main');
const BOOKING = { name: 'book_table', arguments: { day: '2026-12-31', guests: 4 } };
const ADA = { action: 'accept', content: { name: 'Ada', email: 'ada@example.org' } };

let server: ChildServer;
let url: string;

beforeEach(async () => {
  server = new ChildServer(MAIN, ['--transport', 'http', '--port', '0']);
  url = (await server.sees(/Serving MCP on (http:\S+)/))[1] ?? '';
});

afterEach(() => server.stop());

const PLACES: readonly (readonly [string, () => Place])[] = [
  ['over HTTP', () => ({ url })],
  ['over stdio', () => ({ command: process.execPath, args: [MAIN, '--transport', 'stdio'] })],
];

const textOf = ({ content }: { content?: unknown }): string => (content as { text: string }[])[0]?.text ?? '';

async function reservations(client: AnyClient): Promise<readonly Reservation[]> {
  return JSON.parse(textOf(await client.callTool({ name: 'reservations' }))) as readonly Reservation[];
}

describe.each(PLACES)('a restaurant %s', (_where, place) => {
  describe.each(ASKING_CLIENTS)('for %s', (_name, connect) => {
    async function visit(answers: Answers, use: (client: AnyClient) => Promise<void>): Promise<void> {
      const client = await connect(place(), answers);
      try {
        await use(client);
      } finally {
        await client.close();
      }
    }

    test('books one table after two questions [ask.form]', async () => {
      const forms: Form[] = [];
      const person = (form: Form): unknown => {
        forms.push(form);
        return form.message.startsWith('Who') ? ADA : { action: 'accept', content: { seat: 'terrace' } };
      };
      await visit({ person }, async (client) => {
        expect(textOf(await client.callTool(BOOKING))).toBe('Table 1, terrace, is booked for Ada on 2026-12-31.');
        expect(await reservations(client)).toEqual([{ table: 1, day: '2026-12-31', guests: 4, name: 'Ada', seat: 'terrace' }]);
      });
      expect(forms.map(({ message }) => message)).toEqual(['Who comes on 2026-12-31?', 'We hold table 1 for Ada. Book it?']);
      expect(forms[1]?.requestedSchema).toEqual({
        type: 'object',
        properties: {
          seat: { type: 'string', title: 'Seat', description: 'Where you want to sit', enum: ['inside', 'terrace'], default: 'inside' },
        },
      });
    });

    test('frees the table when the person says no to it, and holds none when they say no at once [ask.decline]', async () => {
      const person = ({ message }: Form): unknown => (message.startsWith('Who') ? ADA : { action: 'decline' });
      await visit({ person }, async (client) => {
        expect(await client.callTool(BOOKING)).not.toHaveProperty('isError', true);
        expect(textOf(await client.callTool(BOOKING))).toBe('Table 2 is free again; nothing is booked.');
        expect(await reservations(client)).toEqual([]);
      });
      await visit({ person: () => ({ action: 'cancel' }) }, async (client) => {
        expect(await client.callTool(BOOKING)).toMatchObject({ isError: true });
        expect(await reservations(client)).toEqual([]);
      });
    });

    test('plans a menu with the model of the client, for a folder of the client [ask.sample] [ask.roots]', async () => {
      const model = (): unknown => ({ role: 'assistant', content: { type: 'text', text: 'Soup.' }, model: 'chef' });
      const roots = (): unknown => ({ roots: [{ uri: 'file:///home/ada' }, { uri: 'file:///tmp' }] });
      await visit({ model, roots }, async (client) => {
        expect((await client.callTool({ name: 'plan_menu', arguments: { occasion: 'New Year' } })).content).toEqual([
          { type: 'text', text: 'Soup.' },
          { type: 'resource_link', uri: 'file:///home/ada/menu.txt', name: 'menu.txt' },
        ]);
      });
    });
  });
});
