import { EventEmitter, once } from 'node:events';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { AnyClient } from './clients';

/** A client that is told when the list of tools changes. */
export interface ListeningClient {
  readonly client: AnyClient;
  /** How often it was told so far. */
  readonly told: () => number;
  /** Resolves once it was told that often. */
  readonly whenTold: (count: number) => Promise<void>;
}

/** The clients of both eras over HTTP: each resolves when it can be told. */
export const LISTENERS: readonly ((url: string) => Promise<ListeningClient>)[] = [listen1, listen2Legacy, listenModern];

const INFO = { name: 'listener', version: '1.0.0' };

class Tally {
  readonly #events = new EventEmitter();
  #count = 0;

  readonly add = (): void => {
    this.#count += 1;
    this.#events.emit('told');
  };
  readonly told = (): number => this.#count;
  readonly whenTold = async (count: number): Promise<void> => {
    while (this.#count < count) await once(this.#events, 'told');
  };
}

/** Resolves `opened` when the stream on which a legacy client is told is open. */
function noticingFetch(): { readonly fetch: typeof fetch; readonly opened: Promise<void> } {
  let resolve: () => void = () => undefined;
  const opened = new Promise<void>((settle) => (resolve = settle));
  const noticing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method === 'GET') resolve();
    return response;
  };
  return { fetch: noticing, opened };
}

async function listen1(url: string): Promise<ListeningClient> {
  const tally = new Tally();
  const client = new Client1(INFO);
  client.setNotificationHandler(ToolListChangedNotificationSchema, tally.add);
  const { fetch, opened } = noticingFetch();
  await client.connect(new Http1(new URL(url), { fetch }));
  await opened;
  return { client: client as unknown as AnyClient, told: tally.told, whenTold: tally.whenTold };
}

async function listen2Legacy(url: string): Promise<ListeningClient> {
  const tally = new Tally();
  const client = new Client2(INFO, { versionNegotiation: { mode: 'legacy' } });
  client.setNotificationHandler('notifications/tools/list_changed', tally.add);
  const { fetch, opened } = noticingFetch();
  await client.connect(new Http2(new URL(url), { fetch }));
  await opened;
  return { client, told: tally.told, whenTold: tally.whenTold };
}

async function listenModern(url: string): Promise<ListeningClient> {
  const tally = new Tally();
  const client = new Client2(INFO, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: tally.add } },
  });
  await client.connect(new Http2(new URL(url)));
  return { client, told: tally.told, whenTold: tally.whenTold };
}
