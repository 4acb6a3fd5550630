import { McpFactory } from 'perch-mcp';
import { AppModule } from './app.module';
import { howToCall } from './how-to-call';
import { ownToken, SOCKET } from './own-places';

/**
 * Serves on stdio, a Unix socket and HTTP at once:
 * npm start -- --sample 06-http-and-socket
 *
 * HTTP asks for a token: PERCH_AUTH_TOKEN, or the one that is kept in a file of this user. PERCH_SOCKET moves the socket, PERCH_PORT the port,
 * and --http-socket puts HTTP on a socket in the place of the port. supervise.ts keeps it running.
 */
async function bootstrap(): Promise<void> {
  const app = await McpFactory.create(AppModule, { name: 'tides', version: '1.0.0', instructions: 'Says how high the tide is.' });
  // #region listen
  const socketPath = process.env['PERCH_SOCKET'] ?? SOCKET;
  await app.listen({
    transports: ['stdio', 'uds', 'http'],
    socketPath,
    authToken: process.env['PERCH_AUTH_TOKEN'] ?? ownToken(socketPath),
    localPrincipal: { id: 'local', scopes: ['gauge:service'] }, // stdio and the socket: programs of this user
  });
  // #endregion listen
  process.stderr.write(howToCall(app, process.env));
}

bootstrap().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
