import type * as Sdk from '@modelcontextprotocol/client';
import { loadPeer } from '../errors/load-peer';
import { connectInMemory, type McpApplication } from '../bootstrap/mcp-application';
import type { Era } from '../contracts/mcp-context';
import type { Principal } from '../contracts/principal';

/** How a test client speaks. */
export interface ConnectOptions {
  /** Default `modern`, which is 2026-07-28; `legacy` is 2025-11-25. */
  readonly era?: Era;
  /** The client's name; default `test-client`. */
  readonly name?: string;
  /** Whom the client is taken for; default nobody, who has no scopes and no roles. */
  readonly principal?: Principal;
  /** What the client says it can do. */
  readonly capabilities?: NonNullable<Sdk.ClientOptions['capabilities']>;
}

/**
 * Connects the official SDK's client to an application in memory: no port, no process, the same checks and the same answers. Runs the
 * start hooks if they have not run. Close the client, or the application, which closes all its clients.
 */
export async function connect(
  app: McpApplication,
  { era = 'modern', name = 'test-client', principal, capabilities = {} }: ConnectOptions = {},
): Promise<Sdk.Client> {
  const sdk = await loadPeer(
    '@modelcontextprotocol/client',
    'perch-mcp/testing',
    async () => require('@modelcontextprotocol/client') as typeof Sdk,
  );
  const { client: transport } = await connectInMemory(app, principal);
  const client = new sdk.Client(
    { name, version: '0.0.0' },
    { capabilities, versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
  await client.connect(transport);
  return client;
}
