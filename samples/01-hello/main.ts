import { McpFactory } from 'perch-mcp';
import { AppModule } from './app.module';
import { howToCall } from './how-to-call';

async function bootstrap(): Promise<void> {
  const app = await McpFactory.create(AppModule, {
    name: 'hello',
    version: '1.0.0',
    instructions: 'Greets people and keeps a guestbook.',
  });
  await app.listen();
  process.stderr.write(howToCall(app));
}

bootstrap().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
