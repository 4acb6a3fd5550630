import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Policy } from 'perch-mcp';
import { APPLICATION_OPTIONS } from '../../src/bootstrap/application-options';
import { LISTEN_OPTIONS } from '../../src/bootstrap/listen-options';
import { SETTINGS } from '../../src/bootstrap/settings/all-settings';
import { FLAGS } from '../../src/bootstrap/settings/read-flags';
import { closeApps, createApp, RecordingLogger } from '../support/app';
import { lookAhead } from './configuration-page';

afterEach(closeApps);

const root = path.join(__dirname, '../..');
const page = readFileSync(path.join(root, 'docs/configuration.md'), 'utf8');

/** What stands in backquotes in the first cell of each row of a section. */
function namesIn(section: string): readonly string[] {
  const [, rest = ''] = page.split(`## ${section}\n`);
  const [text = ''] = rest.split('\n## ');
  return [...text.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

test('the table of settings is the one that the code reads, row by row', () => {
  const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
  const rows = SETTINGS.map((each) => `| ${quoted(each.options)} | \`--${each.flag}\` | ${quoted(each.variables)} | ${each.default} |`);
  expect(page.match(/^\| .* \| `--.*$/gm)).toEqual(rows);
  expect(SETTINGS.map(({ flag }) => flag).sort()).toEqual([...FLAGS].sort());
});

test('every option of listen has a row', () => {
  const rows = new Set([...namesIn('Where it is said'), ...namesIn('The options of `app.listen`')]);
  expect(LISTEN_OPTIONS.filter((name) => !rows.has(name))).toEqual([]);
  expect(LISTEN_OPTIONS.length).toBeGreaterThan(10);
});

test('every option of McpFactory.create has a row', () => {
  const rows = new Set(namesIn('The options of `McpFactory.create`'));
  expect(APPLICATION_OPTIONS.filter((name) => !rows.has(name))).toEqual([]);
});

test('every variable that the source names stands on the page', () => {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.ts'));
  const named = files.flatMap(
    (file) => readFileSync(path.join(root, 'src', file), 'utf8').match(/\b(?:PERCH|SOX_MCP)_[A-Z_]*[A-Z]\b/g) ?? [],
  );
  expect(named).toContain('PERCH_STATE_KEY');
  expect([...new Set(named)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('what a program is told beforehand is what the page says', () => {
  expect(lookAhead()).toBe('http on 127.0.0.2');
});

test('the summary is the one that is shown', async () => {
  const logger = new RecordingLogger();
  const policy = Policy.define({ fsRead: ['/srv/docs'] });
  const app = await createApp([], { logger, policy, limits: { callTimeoutMs: 5_000 }, stateKey: 'k'.repeat(32) });
  app.tools.register({ name: 'greet', execute: () => 'Hello' });
  const authToken = '0123456789abcdef0123456789abcdef';
  await app.listen({ transports: ['http'], port: 0, authToken, shutdownHooks: false });
  const lines = logger.lines.map(({ message }) => message.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:3000'));
  expect(`${lines.join('\n')}\n`).toBe(readFileSync(path.join(__dirname, 'summary.txt'), 'utf8'));
});
