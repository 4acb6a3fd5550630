import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { AnyClient, Place } from './clients';

/** A client that is told when the list of tools changes. */
export interface ToldClient extends AnyClient {
  /** Resolves with the next change that it is told of, counted from this call. */
  nextChange(): Promise<void>;
}

/** The clients of the field, as in `clients.ts`; each is connected when whatever it listens on is open. */
export const TOLD_CLIENTS: readonly (readonly [string, (place: Place) => Promise<ToldClient>])[] = [
  ['the 1.x client', connect1],
  ['the 2.x client, legacy', (place) => connect2(place, 'legacy')],
  ['the 2.x client, modern', (place) => connect2(place, { pin: '2026-07-28' })],
];

const INFO = { name: 'listener', version: '1.0.0' };

async function connect1(place: Place): Promise<ToldClient> {
  const client = new Client1(INFO);
  const changes = new Changes();
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => changes.tell());
  if ('url' in place) {
    const stream = new LegacyStream();
    await client.connect(new Http1(new URL(place.url), { fetch: stream.fetch }));
    await stream.opened;
  } else await client.connect(new Stdio1({ command: place.command, args: [...place.args], stderr: 'ignore' }));
  return toldOf(client as unknown as AnyClient, changes);
}

async function connect2(place: Place, mode: 'legacy' | { pin: string }): Promise<ToldClient> {
  const client = new Client2(INFO, { versionNegotiation: { mode } });
  const changes = new Changes();
  client.setNotificationHandler('notifications/tools/list_changed', () => changes.tell());
  const stream = new LegacyStream();
  const isHttp = 'url' in place;
  await client.connect(
    isHttp
      ? new Http2(new URL(place.url), { fetch: stream.fetch })
      : new Stdio2({ command: place.command, args: [...place.args], stderr: 'ignore' }),
  );
  if (mode !== 'legacy') await client.listen({ toolsListChanged: true });
  else if (isHttp) await stream.opened;
  return toldOf(client, changes);
}

function toldOf(client: AnyClient, changes: Changes): ToldClient {
  return Object.assign(client, { nextChange: () => changes.next() });
}

class Changes {
  #waiting: (() => void)[] = [];

  tell(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** In a legacy session the server tells of changes on a GET stream, which the client opens without being waited for. */
class LegacyStream {
  #open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => (this.#open = resolve));

  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method === 'GET' && response.ok) this.#open();
    return response;
  };
}
