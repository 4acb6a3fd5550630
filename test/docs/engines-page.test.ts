import { connect } from 'perch-mcp/testing';
import { McpFactory, type McpApplication, type Type } from 'perch-mcp';
import { ALONE, ChosenModule, CountModule, WeekdayModule, MoneyModule, serveOne, StockModule, TranslateModule } from './engines-page';

const open: McpApplication[] = [];

afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(open.splice(0).map((app) => app.close()));
});

async function boot(module: Type): Promise<McpApplication> {
  const app = await McpFactory.create(module, { name: 'page', version: '1.0.0', logger: false });
  open.push(app);
  return app;
}

const says = (text: string): object => ({ content: [{ type: 'text', text }] });

test('docs/engines.md: an engine that is a provider gets what its constructor asks for', async () => {
  const app = await boot(MoneyModule);
  expect(await app.tools.call('money.convert', { amount: 100, currency: 'GBP' })).toEqual(says('{"amount":85}'));
});

test('docs/engines.md: a zod schema is published and decides', async () => {
  const app = await boot(CountModule);
  const client = await connect(app, { era: 'modern' });
  expect((await client.listTools()).tools[0]?.inputSchema).toMatchObject({ required: ['text'] });
  expect(await client.callTool({ name: 'text.count', arguments: { text: 'two words' } })).toMatchObject(says('2'));
  expect(await client.callTool({ name: 'text.count', arguments: {} })).toMatchObject({ isError: true });
  await client.close();
});

test('docs/engines.md: with exposeErrors: false only what is meant for the client is told', async () => {
  const app = await boot(StockModule);
  expect(await app.tools.call('stock.find')).toEqual({ ...says('Name an article.'), isError: true });
  expect(await app.tools.call('stock.find', { article: 'lamp' })).toEqual({
    content: [{ type: 'text', text: expect.stringMatching(/^Internal error \(ref [0-9a-f]+\)$/) }],
    isError: true,
  });
});

test('docs/engines.md: what an engine works with comes from a provider, which must be capable of it', async () => {
  const app = await boot(TranslateModule);
  expect(await app.tools.call('text.translate', { text: 'tide' })).toEqual(says('"(Translate: tide)"'));
});

test('docs/engines.md: engines are chosen by id, and named by a function', async () => {
  const app = await boot(ChosenModule);
  expect(app.tools.list().map(({ name }) => name)).toEqual(['document.summarize', 'old_report_weekly']);
  expect(app.engines.list().map(({ id }) => id)).toEqual(['document.summarize', 'stock.find', 'Old Report: weekly']);
});

test('docs/engines.md: a guard on the class of an engine guards its tool', async () => {
  const app = await boot(WeekdayModule);
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask'], now: new Date('2026-11-30T12:00:00Z') });
  const call = (): Promise<unknown> => app.tools.call('document.summarize', { text: 'One sentence.' });
  expect(await call()).toEqual(says('{"summary":"One sentence.","kept":1,"of":1}'));
  jest.setSystemTime(new Date('2026-11-29T12:00:00Z'));
  expect(await call()).toEqual({ ...says('Forbidden'), isError: true });
});

test('docs/engines.md: an engine is served without EngineModule, and without an application', async () => {
  const app = await serveOne();
  open.push(app);
  expect(await app.tools.call('document.summarize', { text: 'One sentence.' })).toEqual(says('{"summary":"One sentence.","kept":1,"of":1}'));
  const { tools, adapter } = ALONE;
  expect(tools.list().map(({ name }) => name)).toEqual(['document.summarize']);
  expect(adapter.hasEngine('stock.find')).toBe(false);
  expect(await tools.call('document.summarize', { text: 'One sentence.' })).toEqual(
    says('{"summary":"One sentence.","kept":1,"of":1}'),
  );
});
