import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SocketClientTransport } from './socket-client-transport';

/** The part of both SDKs' clients that tests use. */
export interface AnyClient {
  listTools(): Promise<{ tools: readonly { name: string; description?: string | undefined; inputSchema: object }[] }>;
  callTool(params: {
    name: string;
    arguments?: Record<string, unknown>;
  }): Promise<{ content?: unknown; isError?: unknown; structuredContent?: unknown }>;
  getServerVersion(): { name: string; version: string } | undefined;
  close(): Promise<void>;
}

/** Where a client connects by what its SDK has: a program to start, or an address, with a token if it asks for one. */
export type Place = { readonly command: string; readonly args: readonly string[] } | { readonly url: string; readonly token?: string };

/** Or a Unix socket. */
export type AnyPlace = Place | { readonly socketPath: string };

/** The clients of the field: the 1.x SDK's, and the 2.x SDK's in both of its modes. */
export const CLIENTS: readonly (readonly [string, (place: AnyPlace) => Promise<AnyClient>])[] = [
  ['the 1.x client (2025-11-25)', connect1],
  ['the 2.x client in its legacy mode (2025-11-25)', (place) => connect2(place, 'legacy')],
  ['the 2.x client in its modern mode (2026-07-28)', (place) => connect2(place, { pin: '2026-07-28' })],
];

const INFO = { name: 'test-client', version: '1.0.0' };

async function connect1(place: AnyPlace): Promise<AnyClient> {
  const client = new Client1(INFO);
  // The 1.x SDK's own transports do not meet its interface under exactOptionalPropertyTypes.
  await client.connect(transport1(place) as Stdio1);
  return client as unknown as AnyClient;
}

async function connect2(place: AnyPlace, mode: 'legacy' | { pin: string }): Promise<AnyClient> {
  const client = new Client2(INFO, { versionNegotiation: { mode } });
  await client.connect(transport2(place));
  return client;
}

function transport1(place: AnyPlace): object {
  if ('socketPath' in place) return new SocketClientTransport(place.socketPath);
  return 'url' in place
    ? new Http1(new URL(place.url), bearing(place))
    : new Stdio1({ command: place.command, args: [...place.args], stderr: 'ignore' });
}

function transport2(place: AnyPlace): Http2 | Stdio2 | SocketClientTransport {
  if ('socketPath' in place) return new SocketClientTransport(place.socketPath);
  return 'url' in place
    ? new Http2(new URL(place.url), bearing(place))
    : new Stdio2({ command: place.command, args: [...place.args], stderr: 'ignore' });
}

function bearing({ token }: { readonly token?: string }): { requestInit?: { headers: Record<string, string> } } {
  return token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };
}
