import type { McpApplication } from 'perch-mcp';
import { overHttp } from './app';
import { CLIENTS, type AnyClient } from './clients';

const open = new Set<AnyClient>();

/** Closes every client that this file connected. For `afterEach`. */
export async function closeClients(): Promise<void> {
  const clients = [...open];
  open.clear();
  await Promise.all(clients.map((client) => client.close()));
}

/** The real clients of both eras, connected over HTTP, by name. */
export async function everyClient(app: McpApplication): Promise<readonly (readonly [string, AnyClient])[]> {
  const url = await overHttp(app);
  return Promise.all(
    CLIENTS.map(async ([name, connect]) => {
      const client = await connect({ url });
      open.add(client);
      return [name, client] as const;
    }),
  );
}

/** The text of a tool result's only block. */
export function textOf(result: unknown): string {
  const { content } = result as { content: readonly { type: string; text: string }[] };
  expect(content).toHaveLength(1);
  return content[0]?.text ?? '';
}
