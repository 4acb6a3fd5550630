import { connect } from 'perch-mcp/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Engine,
  EngineModule,
  Injectable,
  jsonSchema,
  McpFactory,
  UseGuards,
  type McpApplication,
  type ModuleMetadata,
  type Type,
} from 'perch-mcp';
import { SummarizeEngine } from '../../samples/04-engines/document-pack/summarize';
import { ALONE, ChosenModule, CountModule, WeekdayModule, MoneyModule, serveOne, StockModule, TranslateModule } from './engines-page';

const PAGE = readFileSync(join(__dirname, '../../docs/engines.md'), 'utf8');

const open: McpApplication[] = [];

afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(open.splice(0).map((app) => app.close()));
});

async function boot(module: Type | ModuleMetadata): Promise<McpApplication> {
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
  const context = { provider: { capabilities: new Set(['text']) } };
  const lacking = await boot({ imports: [EngineModule.forRoot({ engines: app.engines.list(), context })] });
  const [message = ''] = /^Engine "text.translate" requires .*$/m.exec(PAGE) ?? [];
  expect(await lacking.tools.call('text.translate', { text: 'tide' })).toEqual({ ...says(message), isError: true });
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
  expect(await app.tools.call('document.summarize', { text: 'One sentence.' })).toEqual(
    says('{"summary":"One sentence.","kept":1,"of":1}'),
  );
  const { tools, adapter } = ALONE;
  expect(tools.list().map(({ name }) => name)).toEqual(['document.summarize']);
  expect(adapter.hasEngine('stock.find')).toBe(false);
  expect(await tools.call('document.summarize', { text: 'One sentence.' })).toEqual(says('{"summary":"One sentence.","kept":1,"of":1}'));
});

test('docs/engines.md: long work tells how far it is, and ends when its signal aborts', async () => {
  const app = await boot({ imports: [EngineModule.forRoot({ engines: [new SummarizeEngine()] })] });
  const client = await connect(app, { era: 'modern' });
  const long = { name: 'document.summarize', arguments: { text: 'Every sentence here is the same. '.repeat(450) } };
  const seen: unknown[] = [];
  await client.callTool(long, { onprogress: ({ progress, total }) => void seen.push([progress, total]) });
  expect(seen).toEqual([0, 200, 400].map((done) => [done, 450]));
  await client.close();
  const ended = AbortSignal.abort(new Error('gone'));
  await expect(new SummarizeEngine().execute({ request: { input: long.arguments }, signal: ended })).rejects.toThrow('gone');
});

test('docs/engines.md: the limits hold without input, and a result that does not fit or has no JSON is an internal error', async () => {
  const any = { id: 'any', execute: ({ request }: { request: { input: object } }) => request.input };
  const large = { id: 'large', execute: () => ({ size: 1n }) };
  @Engine({ output: jsonSchema({ type: 'object', required: ['size'] }) })
  class WrongEngine {
    readonly id = 'wrong';
    execute(): object {
      return {};
    }
  }
  const app = await boot({ imports: [EngineModule.forRoot({ engines: [any, large, new WrongEngine()] })] });
  let deep: object = {};
  for (let level = 0; level < 70; level += 1) deep = { deep };
  expect(await app.tools.call('any', deep)).toMatchObject({ isError: true });
  expect(await app.tools.call('any', { a: [1] })).toEqual(says('{"a":[1]}'));
  const internal = { content: [{ text: expect.stringMatching(/^Internal error/) }], isError: true };
  expect(await app.tools.call('large')).toMatchObject(internal);
  expect(await app.tools.call('wrong')).toMatchObject(internal);
});

test('docs/engines.md: a guard on execute holds, and its own error is not told', async () => {
  @Injectable()
  class Broken {
    canActivate(): boolean {
      throw new Error('secret');
    }
  }
  class PlainEngine {
    readonly id = 'plain';
    @UseGuards(Broken)
    execute(): string {
      return 'entered';
    }
  }
  const app = await boot({ imports: [EngineModule.forRoot({ engines: [new PlainEngine()] })], providers: [Broken] });
  const answer = await app.tools.call('plain');
  expect(answer).toMatchObject({ isError: true });
  expect(JSON.stringify(answer)).not.toMatch(/secret|entered/);
});
