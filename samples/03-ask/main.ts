import { McpFactory } from 'perch-mcp';
import { AppModule } from './app.module';

async function bootstrap(): Promise<void> {
  const app = await McpFactory.create(AppModule, { name: 'restaurant', version: '1.0.0', instructions: 'Books tables and plans menus.' });
  await app.listen();
}

bootstrap().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
