// The code of docs/transports.md that is not of samples/06-http-and-socket.
import { createServer, type Server } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { authMiddleware, connectStdio, connectStreamableHttp, connectUds, type McpApplication, type TransportHandle } from 'perch-mcp';

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

export async function serveOwnLoop(app: McpApplication, { input, output }: Streams, path: string): Promise<readonly TransportHandle[]> {
  // #region loop
  const stdio = await connectStdio(app, { input, output, onGone: () => void app.close() });
  const socket = await connectUds(app, { path });
  const http = await connectStreamableHttp(app, { port: 0 });
  await http.close(); // this door; the others stay open
  // #endregion loop
  return [stdio, socket, http];
}

export function serveReport(app: McpApplication): Server {
  // #region middleware
  const mustBeKnown = authMiddleware(app);
  const server = createServer((request, response) => mustBeKnown(request, response, () => response.end('The report')));
  // #endregion middleware
  return server;
}
