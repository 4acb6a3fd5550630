import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { readCurl } from '../support/curl';
import { fencesOf } from '../support/fences';
import { ask } from '../support/wire';
import { ChildServer, compiled } from '../support/child-server';
import { CLIENTS, type AnyClient, type Place } from '../support/clients';
import { TOLD_CLIENTS } from '../support/told-clients';

const MAIN = compiled('samples/04-engines/main');
const SAMPLE = path.join(__dirname, '../../samples/04-engines');

const shared = new Map<string, ChildServer>();

afterAll(() => Promise.all([...shared.values()].map((server) => server.stop())));

type Open = (flag?: string) => Promise<Place>;

const PLACES: readonly (readonly [string, Open])[] = [
  [
    'over HTTP',
    async (flag = '--as-it-is') => {
      const server = shared.get(flag) ?? new ChildServer(MAIN, ['--transport', 'http', '--port', '0', flag]);
      shared.set(flag, server);
      return { url: (await server.sees(/Serving MCP on (http:\S+)/))[1] ?? '' };
    },
  ],
  ['over stdio', (flag = '--as-it-is') => Promise.resolve({ command: process.execPath, args: [MAIN, '--transport', 'stdio', flag] })],
];

async function visit<Client extends AnyClient>(connecting: Promise<Client>, use: (client: Client) => Promise<void>): Promise<void> {
  const client = await connecting;
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

const TIDES = `The tides

The tide is the rise and fall of the sea that the Moon and the Sun cause together. Most coasts see two high tides and two low tides
in a day. Why two? The Moon pulls the water on its own side of the Earth, and on the far side the water is pulled less than the Earth.

At new moon and full moon the Sun and the Moon pull in one line, and the tides are high; sailors call them spring tides. A week later
they pull at right angles, and the tides are small. Dr. Airy measured the tide at Ipswich in 1842.`;

const SUMMARY =
  'Most coasts see two high tides and two low tides in a day. ' +
  'At new moon and full moon the Sun and the Moon pull in one line, and the tides are high; sailors call them spring tides.';

const PORTS =
  '| Port | Height, m | Note |\n|:-----|----:|---|\n| Dover | 6.8 | "springs" |\n| Cowes \\| Ryde | 4 | one<br>two | ? |\n| Bude |';
const PORTS_CSV = 'Port,"Height, m",Note\r\nDover,6.8,"""springs"""\r\nCowes | Ryde,4,"one\ntwo"\r\nBude,,\r\n';

const PACK = ['document.summarize', 'document.extract_keywords', 'document.table_to_csv'];

interface Answer {
  readonly content?: unknown;
  readonly isError?: unknown;
}

const text = ({ content }: Answer): string => (content as { text: string }[])[0]?.text ?? '';
const json = (answer: Answer): unknown => JSON.parse(text(answer));
const failed = (message: string): object => ({ isError: true, content: [{ type: 'text', text: message }] });

/** Every module that the source files of a folder import, in whatever way. */
function importsOf(folder: string): string[] {
  const files = readdirSync(path.join(SAMPLE, folder)).filter((file) => file.endsWith('.ts'));
  return files.flatMap((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(path.join(SAMPLE, folder, file), 'utf8'), true, true);
    return importedFiles.map(({ fileName }) => fileName);
  });
}

describe('parity B9: the engines are plain TypeScript', () => {
  test.each(['document-pack', 'plug-ins'])('%s imports its own files and Node, and nothing of Perch', (folder) => {
    expect(importsOf(folder).filter((name) => !/^(node:|\.\/[\w-]+$)/.test(name))).toEqual([]);
  });

  test('the search for imports finds them', () => {
    expect(importsOf('.')).toEqual(expect.arrayContaining(['perch-mcp', 'class-validator', './plug-ins/outline']));
    expect(importsOf('document-pack')).toEqual(expect.arrayContaining(['node:timers/promises', './call', './words']));
  });
});

test('the command of docs/engines.md gets the answer of docs/engines.md', async () => {
  const fences = fencesOf(readFileSync(path.join(__dirname, '../../docs/engines.md'), 'utf8'));
  const at = fences.findIndex(({ language }) => language === 'sh');
  const place = await PLACES[0]?.[1]();
  const command = readCurl(fences[at]?.text ?? '');
  expect(command.url).toBe('http://127.0.0.1:3000/mcp');
  expect((await ask(place !== undefined && 'url' in place ? place.url : '', command)).text).toBe(fences[at + 1]?.text.trim());
});

describe.each(PLACES)('the document pack %s', (_where, open) => {
  test.each(CLIENTS)(
    'parity B5, B9, B10: is listed, described and called by %s as it is, and says in its own words what is wrong',
    async (_name, connect) => {
      await visit(connect(await open()), async (client) => {
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(['load_outline', 'unload_outline', ...PACK, 'document.outline']);
        expect(tools.find(({ name }) => name === 'document.summarize')).toMatchObject({
          title: 'Summarize',
          description: expect.stringContaining('most telling sentences'),
          inputSchema: { type: 'object', additionalProperties: true },
          _meta: { 'perch-mcp/engine-version': '1.2.0' },
        });
        const summary = await client.callTool({ name: 'document.summarize', arguments: { text: TIDES, sentences: 2 } });
        expect(json(summary)).toEqual({ summary: SUMMARY, kept: 2, of: 8 });
        const keywords = await client.callTool({ name: 'document.extract_keywords', arguments: { text: TIDES, limit: 2 } });
        expect(text(keywords)).toBe('{"keywords":[{"word":"tides","count":6},{"word":"moon","count":5}]}');
        const csv = await client.callTool({ name: 'document.table_to_csv', arguments: { table: PORTS } });
        expect(json(csv)).toEqual({ csv: PORTS_CSV, rows: 4, columns: 3 });
        expect(csv).not.toHaveProperty('structuredContent');

        expect(await client.callTool({ name: 'document.summarize' })).toMatchObject(failed('"text" must be a text that is not empty.'));
        expect(await client.callTool({ name: 'document.table_to_csv', arguments: { table: 'Port  Height\nDover' } })).toMatchObject(
          failed('The first row has 2 columns, and row 2 has 1.'),
        );
      });
    },
  );

  test.each(CLIENTS)('parity B4: checks input and promises an output for %s where it is annotated', async (_name, connect) => {
    await visit(connect(await open('--checked')), async (client) => {
      const { tools } = await client.listTools();
      const summarize = tools.find(({ name }) => name === 'document.summarize');
      expect(summarize?.inputSchema).toMatchObject({
        properties: { text: { type: 'string', description: 'What to summarize' }, sentences: { type: 'integer', default: 3 } },
        required: ['text'],
        additionalProperties: false,
      });
      const arguments_ = { text: '', sentences: 99, more: true };
      expect(text(await client.callTool({ name: 'document.summarize', arguments: arguments_ }))).toBe(
        'more is not allowed\ntext must NOT have fewer than 1 characters\nsentences must be <= 20',
      );
      const summary = await client.callTool({ name: 'document.summarize', arguments: { text: TIDES, sentences: 2 } });
      expect(json(summary)).toEqual({ summary: SUMMARY, kept: 2, of: 8 });
      const csv = await client.callTool({ name: 'document.table_to_csv', arguments: { table: PORTS } });
      expect(csv.structuredContent).toEqual({ csv: PORTS_CSV, rows: 4, columns: 3 });
      expect(json(csv)).toEqual(csv.structuredContent);
    });
  });

  test.each(TOLD_CLIENTS)('tells %s when the plug-in goes, and when it comes back', async (_name, connect) => {
    await visit(connect(await open()), async (client) => {
      const names = async (): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);
      const outline = { name: 'document.outline', arguments: { text: '# Tides\n\n```sh\n# no heading\n```\n\n## At Dover\n' } };
      const found = {
        headings: [
          { level: 1, title: 'Tides' },
          { level: 2, title: 'At Dover' },
        ],
      };
      expect(json(await client.callTool(outline))).toEqual(found);

      const gone = client.nextChange();
      expect(text(await client.callTool({ name: 'unload_outline' }))).toBe('Unloaded.');
      await gone;
      expect(await names()).not.toContain('document.outline');
      await expect(client.callTool(outline)).rejects.toMatchObject({ code: -32602 });

      const back = client.nextChange();
      expect(text(await client.callTool({ name: 'load_outline' }))).toBe('Loaded.');
      await back;
      expect(await names()).toContain('document.outline');
      expect(json(await client.callTool(outline))).toEqual(found);
      expect(await client.callTool({ name: 'load_outline' })).toMatchObject(failed('The plug-in is loaded.'));
    });
  });
});
