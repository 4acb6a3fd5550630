import type { McpApplication } from 'perch-mcp';
import { CLIENTS, type AnyClient } from './clients';
import { freshSocketPath } from './socket';

const open = new Set<AnyClient>();

/** Closes every client that this file connected. For `afterEach`. */
export async function closeClients(): Promise<void> {
  const clients = [...open];
  open.clear();
  await Promise.all(clients.map((client) => client.close()));
}

/** The real clients of both eras, each connected over HTTP and over a Unix socket, by name. */
export async function everyClient(app: McpApplication): Promise<readonly (readonly [string, AnyClient])[]> {
  const socketPath = freshSocketPath();
  await app.listen({ transports: ['http', 'uds'], port: 0, socketPath, shutdownHooks: false });
  const url = app.handles.find(({ mode }) => mode === 'http')?.url ?? '';
  const places = [['HTTP', { url }] as const, ['uds', { socketPath }] as const];
  return Promise.all(
    CLIENTS.flatMap(([name, connect]) =>
      places.map(async ([over, place]) => {
        const client = await connect(place);
        open.add(client);
        return [`${name} over ${over}`, client] as const;
      }),
    ),
  );
}

/** The text of a tool result's only block. */
export function textOf(result: unknown): string {
  const { content } = result as { content: readonly { type: string; text: string }[] };
  expect(content).toHaveLength(1);
  return content[0]?.text ?? '';
}
