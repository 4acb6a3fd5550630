import { McpFactory } from 'perch-mcp';
import { AppModule, Database } from './health-page';

test.each([
  [true, 'up'],
  [false, 'down'],
])('the indicator of the page, where the database answers: %p', async (isReachable, status) => {
  const app = await McpFactory.create(AppModule, { name: 'page', version: '1.0.0', logger: false });
  app.get(Database).isReachable = isReachable;
  await app.init();
  expect(await app.health()).toEqual({ status, indicators: [{ name: 'database', status }] });
  await app.close();
});
