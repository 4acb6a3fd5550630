import { McpFactory } from 'perch-mcp';
import { AppModule } from './app.module';

/**
 * Reads every file there is, until the operator says otherwise:
 * PERCH_PERM_ENFORCE=1 PERCH_PERM_FS_READ=$PWD/docs npm start -- --sample 05-guards-and-policy
 */
async function bootstrap(): Promise<void> {
  const app = await McpFactory.create(AppModule, { name: 'reading-room', version: '1.0.0', instructions: 'Reads text files.' });
  await app.listen();
}

bootstrap().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
