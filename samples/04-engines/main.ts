import { McpFactory } from 'perch-mcp';
import { AppModule } from './app.module';
import { CheckedModule } from './checked.module';

/** Serves the pack as it is, or with `--checked` annotated. */
async function bootstrap(): Promise<void> {
  const module = process.argv.includes('--checked') ? CheckedModule : AppModule;
  const app = await McpFactory.create(module, { name: 'documents', version: '1.0.0', instructions: 'Works on texts and tables.' });
  await app.listen();
}

bootstrap().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
