import { McpFactory } from 'perch-mcp';
import { AppModule } from './app.module';
import { howToCall } from './how-to-call';

/**
 * Reads every file there is, until the operator says otherwise:
 * PERCH_PERM_ENFORCE=1 PERCH_PERM_FS_READ=$PWD/docs npm start -- --sample 05-guards-and-policy
 *
 * Over HTTP it asks for a token where there is one, and on stdio the client has the role that you give it:
 * PERCH_AUTH_TOKEN=$(openssl rand -hex 32) npm start -- --sample 05-guards-and-policy
 * READING_ROOM_ROLE=admin npm start --silent -- --sample 05-guards-and-policy --transport stdio
 */
async function bootstrap(): Promise<void> {
  const app = await McpFactory.create(AppModule, { name: 'reading-room', version: '1.0.0', instructions: 'Reads text files.' });
  // #region local
  const role = process.env['READING_ROOM_ROLE'];
  await app.listen({ localPrincipal: { id: 'local', scopes: [], roles: role === undefined ? [] : [role] } });
  // #endregion local
  process.stderr.write(howToCall(app, process.env));
}

bootstrap().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
