import { Injectable, McpTool } from 'perch-mcp';
import { closeApps, createApp, overHttp } from '../support/app';
import { ask, ENVELOPE, JSON_HEADERS, modern, type HttpAnswer } from '../support/wire';

afterEach(closeApps);

@Injectable()
class Desk {
  @McpTool({ name: 'secret_tool', description: 'Never named by a refusal' })
  run(): string {
    return 'ran';
  }
}

/** What Node adds to every answer, and what an answer of ours has. */
const EXPECTED_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'cache-control',
  'date',
  'connection',
  'keep-alive',
  'allow',
]);

function problemsOf({ headers, text }: HttpAnswer): readonly string[] {
  const strange = Object.keys(headers).filter((name) => !EXPECTED_HEADERS.has(name));
  const told = [/secret_tool/, /perch/i, /node/i, /\bat .*:\d+/, /<html/i, /[/\\](?:src|dist|node_modules)[/\\]/].filter((each) =>
    each.test(text),
  );
  return [...strange, ...told.map(String)];
}

const QUESTIONS: readonly (readonly [string, number, Parameters<typeof ask>[1]])[] = [
  ['an unknown path', 404, { method: 'POST', path: '/other', headers: JSON_HEADERS, body: '{}' }],
  ['whether it lives', 200, { method: 'GET', path: '/health/live' }],
  ['whether it is ready', 200, { method: 'GET', path: '/health/ready' }],
  ['a path beside those of health', 404, { method: 'GET', path: '/health' }],
  ['a method that the health paths do not have', 405, { method: 'POST', path: '/health/live', headers: JSON_HEADERS, body: '{}' }],
  ['a version path', 404, { method: 'GET', path: '/version' }],
  ['the root', 404, { method: 'GET', path: '/' }],
  ['a method that is not served', 405, { method: 'PUT', headers: JSON_HEADERS, body: '{}' }],
  ['a foreign host', 403, { headers: { ...JSON_HEADERS, host: 'evil.example' }, body: '{}' }],
];

test.each(QUESTIONS)('E6: the answer to %s says %i, and nothing of the server', async (_what, status, question) => {
  const url = await overHttp(await createApp([Desk], { name: 'perch-test-server', version: '7.8.9' }));
  const answer = await ask(url, question);
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(problemsOf(answer)).toEqual([]);
  expect(answer.text).not.toContain('7.8.9');
});

test('E6: a handshake tells the name and the version that the author gave, and no other', async () => {
  const url = await overHttp(await createApp([Desk], { name: 'public-name', version: '7.8.9' }));
  const { text } = await ask(url, modern('server/discover', { _meta: ENVELOPE }));
  expect(text).toContain('"name":"public-name"');
  expect(text).not.toMatch(/perch|node|secret_tool/i);
});

test('E6: an answer that tells more is noticed', () => {
  const weak = { status: 404, headers: { 'x-powered-by': 'Perch' }, text: 'No such tool, try secret_tool' };
  expect(problemsOf(weak)).toHaveLength(2);
});
