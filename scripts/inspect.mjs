// npm run inspect: the official inspector's command line looks at the samples, in both eras, over stdio and HTTP.
//   npm run inspect                                  everything
//   npm run inspect -- --sample 03-ask --era modern --transport http     a part of it
// npx fetches the inspector the first time, so that it stays out of this package's own dependencies.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { buildIfNeeded } from './build.mjs';
import { serve, stop } from './serve.mjs';

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const REVISIONS = { legacy: '2025-11-25', modern: '2026-07-28' };
const TRANSPORTS = ['stdio', 'http'];
const SHOWN_CHARACTERS = 90;

const names = (list) => list.map(({ name }) => name);
const texts = ({ content }) => content.map(({ text }) => text);
const call = (name, input = {}) => ['tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(input)];

/** The era in force, by the server's own word. */
const opening = (name) => ({
  ask: ['initialize'],
  see: ({ result }) => [result.serverInfo.name, result.protocolVersion],
  expect: (era) => [name, REVISIONS[era]],
});

/** A failed call is a result that the inspector prints before it exits with 5; a protocol error goes to stderr. */
const failure = ({ result, error }) => (result === undefined ? error : texts(result)[0]);

const WRENS = 'A wren builds several nests. The nests hang in hedges, and one of the nests is chosen.';

/** What is asked of each sample, what of the answer is looked at, and what that has to be. */
const SAMPLES = {
  '01-hello': [
    opening('hello'),
    { ask: ['tools/list'], see: ({ result }) => names(result.tools), expect: () => ['greet', 'sign_guestbook', 'read_guestbook'] },
    { ask: call('greet', { name: 'Ada', times: 2 }), see: ({ result }) => texts(result), expect: () => ['Hello, Ada!\nHello, Ada!'] },
    { ask: call('greet', { name: 'Ada', times: 6 }), see: failure, expect: () => 'times must be <= 5' },
    { ask: call('read_guestbook'), see: ({ result }) => texts(result), expect: () => ['{"guests":[],"averageStars":null}'] },
  ],
  '02-resources-and-prompts': [
    opening('notes'),
    {
      ask: ['resources/list'],
      see: ({ result }) => names(result.resources),
      expect: () => ['folders', 'cover', 'bread', 'soup', 'roses'],
    },
    {
      ask: ['resources/templates/list'],
      see: ({ result }) => result.resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      expect: () => ['notes://{folder}/{id}', 'library://search{?text,limit}'],
    },
    {
      ask: ['resources/read', '--uri', 'notes://kitchen/soup'],
      see: ({ result }) => result.contents,
      expect: () => [{ uri: 'notes://kitchen/soup', mimeType: 'text/markdown', text: '# Soup\n\nWhatever is left.' }],
    },
    {
      ask: ['resources/read', '--uri', 'library://cover'],
      see: ({ result }) => result.contents.map(({ mimeType, blob }) => [mimeType, Buffer.from(blob, 'base64').length]),
      expect: () => [['image/png', 70]],
    },
    { ask: ['prompts/list'], see: ({ result }) => names(result.prompts), expect: () => ['rewrite_note', 'suggest_note'] },
    {
      ask: ['prompts/get', '--prompt-name', 'rewrite_note', '--prompt-args', 'folder=kitchen', 'id=bread', 'tone=pirate'],
      see: ({ result }) => result.messages.map(({ content }) => content.text ?? content.resource.text),
      expect: () => ['Flour, water, salt, time.', 'Rewrite the note above so that it sounds pirate.'],
    },
    {
      ask: call('write_note', { folder: 'garden', id: 'figs', title: 'Figs', text: 'Prune.' }),
      see: ({ result }) => result.content.map(({ uri }) => uri),
      expect: () => ['notes://garden/figs'],
    },
  ],
  '03-ask': [
    opening('restaurant'),
    { ask: ['tools/list'], see: ({ result }) => names(result.tools), expect: () => ['reservations', 'book_table', 'plan_menu'] },
    { ask: call('reservations'), see: ({ result }) => texts(result), expect: () => ['[]'] },
    {
      // The inspector's command line has nobody to ask, and does not say that it had.
      ask: call('book_table', { day: '2026-12-31', guests: 4 }),
      see: failure,
      expect: (era) =>
        era === 'legacy' ? 'The client cannot be asked: it does not support elicitation' : 'The client does not support elicitation',
    },
  ],
  '04-engines': [
    opening('documents'),
    {
      ask: ['tools/list'],
      see: ({ result }) => names(result.tools),
      expect: () => [
        'load_outline',
        'unload_outline',
        'document.summarize',
        'document.extract_keywords',
        'document.table_to_csv',
        'document.outline',
      ],
    },
    {
      ask: ['tools/list'],
      see: ({ result }) => {
        const { title, description, inputSchema, _meta } = result.tools.find(({ name }) => name === 'document.summarize');
        return { title, says: description.slice(0, 18), inputSchema, version: _meta['perch-mcp/engine-version'] };
      },
      expect: () => ({
        title: 'Summarize',
        says: 'Summarizes a text ',
        inputSchema: { type: 'object', additionalProperties: true },
        version: '1.2.0',
      }),
    },
    {
      ask: call('document.summarize', { text: WRENS, sentences: 1 }),
      see: ({ result }) => texts(result),
      expect: () => ['{"summary":"The nests hang in hedges, and one of the nests is chosen.","kept":1,"of":2}'],
    },
    {
      ask: call('document.extract_keywords', { text: WRENS, limit: 2 }),
      see: ({ result }) => texts(result),
      expect: () => ['{"keywords":[{"word":"nests","count":3},{"word":"wren","count":1}]}'],
    },
    {
      ask: call('document.table_to_csv', { table: '| Port | Height, m |\n|---|--:|\n| Dover | 6.8 |' }),
      see: ({ result }) => JSON.parse(texts(result)[0]),
      expect: () => ({ csv: 'Port,"Height, m"\r\nDover,6.8\r\n', rows: 2, columns: 2 }),
    },
    {
      ask: call('document.outline', { text: '# Tides\n\n## At Dover' }),
      see: ({ result }) => texts(result),
      expect: () => ['{"headings":[{"level":1,"title":"Tides"},{"level":2,"title":"At Dover"}]}'],
    },
    {
      ask: call('document.table_to_csv', { table: 'Port  Height\nDover' }),
      see: failure,
      expect: () => 'The first row has 2 columns, and row 2 has 1.',
    },
  ],
};

/** Runs the inspector once: its exit code, the result it printed, or the error it printed instead. */
function inspect(target, era, [method, ...args]) {
  const flags = ['--protocol-era', era, '--format', 'json', '--quiet', '--stored-auth-only', '--method', method, ...args];
  return new Promise((resolve) => {
    execFile('npx', ['--yes', INSPECTOR, '--cli', ...target, ...flags], { maxBuffer: 1 << 26 }, (failed, stdout, stderr) => {
      const errorLine = stderr.split('\n').find((line) => line.startsWith('{"error"'));
      resolve({
        code: failed?.code ?? 0,
        result: stdout.trim() === '' ? undefined : JSON.parse(stdout).result,
        error: errorLine === undefined ? stderr.trim() : JSON.parse(errorLine).error.message,
      });
    }).stdin.end();
  });
}

/** Asks one thing and prints its line. True when the answer was the one expected. */
async function take({ ask, see, expect }, place) {
  const { sample, era, transport, target } = place;
  const answer = await inspect(target, era, ask);
  const expected = expect(era);
  const seen = valueOf(() => see(answer));
  const isRight = isDeepStrictEqual(seen, expected) && (see === failure) === (answer.code !== 0);
  const shown = JSON.stringify(seen ?? `exit code ${answer.code}: ${answer.error}`);
  const row = [isRight ? 'ok  ' : 'FAIL', sample.padEnd(24), era.padEnd(6), transport.padEnd(5), ask[0].padEnd(24), shown];
  console.log(
    isRight && shown.length > SHOWN_CHARACTERS
      ? `${row.join('  ').slice(0, -shown.length)}${shown.slice(0, SHOWN_CHARACTERS)}…`
      : row.join('  '),
  );
  if (!isRight) console.log(`      expected ${JSON.stringify(expected)}`);
  return isRight;
}

/** An answer without the member that is looked for is a wrong answer, and no reason to stop. */
function valueOf(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Every step of one sample, in one era over one transport: how many were right. */
async function visit(sample, era, transport) {
  const program = fileURLToPath(new URL(`../.build/samples/${sample}/main.js`, import.meta.url));
  const server = transport === 'http' ? await serve(program) : undefined;
  const target = server === undefined ? [process.execPath, program] : ['--server-url', server.url, '--transport', 'http'];
  let right = 0;
  for (const step of SAMPLES[sample]) right += Number(await take(step, { sample, era, transport, target }));
  if (server === undefined || (await stop(server.child))) return right;
  console.log(`FAIL  ${sample}: the server did not exit with 0 on SIGTERM`);
  return right - 1;
}

async function main() {
  const options = { sample: { type: 'string' }, era: { type: 'string' }, transport: { type: 'string' } };
  const { values } = parseArgs({ options });
  const pick = (all, one) => all.filter((each) => one === undefined || each === one);
  buildIfNeeded();
  let asked = 0;
  let right = 0;
  for (const sample of pick(Object.keys(SAMPLES), values.sample)) {
    for (const era of pick(Object.keys(REVISIONS), values.era)) {
      for (const transport of pick(TRANSPORTS, values.transport)) {
        asked += SAMPLES[sample].length;
        right += await visit(sample, era, transport);
      }
    }
  }
  console.log(`${INSPECTOR}: ${right} passed, ${asked - right} failed`);
  process.exitCode = asked > 0 && right === asked ? 0 : 1;
}

await main();
