import { bootContainer, someContext } from './boot';
import { Author, Book, CircleModule } from './circle-page';
import * as page from './modules-page';

test('the code of docs/modules.md does what the page says', async () => {
  const { AppModule, BillingModule, NewsletterModule, ReportsModule, UsersModule, VisitModule } = page;
  const container = await bootContainer({ imports: [AppModule, BillingModule, NewsletterModule, ReportsModule, UsersModule, VisitModule] });
  await container.init();
  expect(container.discover().map((each) => each.declaration.options.name)).toEqual(['titles', 'visit']);
  expect(container.get(page.Users).connection.url).toBe('db://localhost');
  expect(container.get(page.Mailer).options).toEqual({ from: 'perch@example.org' });
  expect(container.get(page.Billing).prefix.name).toBe('Billing');
  expect(container.get(page.Poller).isPolling).toBe(true);
  expect(await container.get(page.Reports).make()).toMatchObject({ title: 'Weekly' });
  const visit = container.discover()[1]?.target.provider;
  for (let call = 0; call < 2; call += 1) {
    const operation = container.openScope(someContext(call));
    expect((visit?.get(operation) as page.VisitTool).execute()).toBe('notes: 2');
    await operation.close();
  }
  await container.close();
});

test('the circle of docs/modules.md is closed on both sides', async () => {
  const container = await bootContainer(CircleModule);
  expect(container.get(Author).book).toBe(container.get(Book));
  expect(container.get(Author).book.author).toBe(container.get(Author));
});
