// The code of docs/testing.md, which is itself the test.
import { McpFactory, ToolError } from 'perch-mcp';
import { connect, Test } from 'perch-mcp/testing';
import { AppModule } from '../../samples/01-hello/app.module';
import { Greeter } from '../../samples/01-hello/greet';
import { AppModule as RestaurantModule } from '../../samples/03-ask/app.module';

// #region call
test('greets twice', async () => {
  const app = await McpFactory.create(AppModule, { name: 'hello', version: '1.0.0', logger: false });
  expect(await app.tools.call('greet', { name: 'Ada', times: 2 })).toMatchObject({ content: [{ text: 'Hello, Ada!\nHello, Ada!' }] });
  await app.close();
});
// #endregion call

// #region override
test('says what the greeter says', async () => {
  const app = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(Greeter)
    .useValue({ greet: (name: string) => `Ahoy, ${name}!` })
    .compile();
  expect(await app.tools.call('greet', { name: 'Ada' })).toMatchObject({ content: [{ text: 'Ahoy, Ada!' }] });
  await app.close();
});
// #endregion override

// #region failure
test('a greeter that refuses is a failed call', async () => {
  const refuse = () => {
    throw new ToolError('Not on Sundays');
  };
  const app = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(Greeter)
    .useFactory({ factory: () => ({ greet: refuse }) })
    .compile();
  expect(await app.tools.call('greet', { name: 'Ada' })).toMatchObject({ isError: true, content: [{ text: 'Not on Sundays' }] });
  await app.close();
});
// #endregion failure

// #region connect
test.each(['legacy', 'modern'] as const)('books a table for a client of the %s era', async (era) => {
  const app = await McpFactory.create(RestaurantModule, { name: 'restaurant', version: '1.0.0', logger: false });
  const client = await connect(app, { era, capabilities: { elicitation: {} } });
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: params.message.startsWith('Who') ? { name: 'Ada', email: 'ada@example.org' } : { seat: 'terrace' },
  }));
  const booked = await client.callTool({ name: 'book_table', arguments: { day: '2026-12-31', guests: 4 } });
  expect(booked.content).toMatchObject([{ text: 'Table 1, terrace, is booked for Ada on 2026-12-31.' }]);
  await app.close();
});
// #endregion connect
