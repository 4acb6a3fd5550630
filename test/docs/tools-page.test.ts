import { McpFactory, type McpApplication } from 'perch-mcp';
import { addPlugin, WeatherModule } from './tools-page';

let app: McpApplication;

beforeEach(async () => {
  app = await McpFactory.create(WeatherModule, { name: 'weather', version: '1.0.0', logger: false });
});

afterEach(() => app.close());

test.each([
  ['weather', { city: 'Bern' }, { content: [{ text: '{"city":"Bern","degrees":[20]}' }] }],
  ['to_fahrenheit', { celsius: 100 }, { content: [{ text: '212' }] }],
  ['units', {}, { content: [{ text: '["celsius","fahrenheit"]' }] }],
  ['stations', { near: 'Bern' }, { content: [{ text: 'Bern 1, Bern 2' }] }],
  ['forecast', { city: 'Bern', days: 2 }, { structuredContent: { city: 'Bern', degrees: [20, 21] } }],
  ['map', {}, { content: [{ type: 'text' }, { type: 'image', data: 'iVBORw0KGgo=' }, { type: 'resource_link' }] }],
  ['history', { day: '2026-12-31' }, { isError: true, content: [{ text: '2026-12-31 is not over yet: ask for a day in the past.' }] }],
  [
    'history',
    { day: '2001-01-01' },
    { isError: true, content: [{ text: expect.stringMatching(/^Internal error \(ref \w+\)$/) as string }] },
  ],
  ['simulate', {}, { content: [{ text: 'Sunny.' }] }],
])('docs/tools.md: %s with %j is answered as the page says', async (name, input, expected) => {
  expect(await app.tools.call(name, input)).toMatchObject(expected);
});

test('docs/tools.md: an McpError is a protocol error', async () => {
  await expect(app.tools.call('history', { day: '1812-01-01' })).rejects.toMatchObject({ code: -32050, data: { first: '1900-01-01' } });
});

test('docs/tools.md: a tool that is registered at run time is called like any other', async () => {
  addPlugin(app);
  expect(await app.tools.call('tide')).toMatchObject({ content: [{ text: 'high' }] });
  expect(app.tools.unregister('tide')).toBe(true);
});
