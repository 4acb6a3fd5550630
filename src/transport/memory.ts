import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Principal } from '../contracts/principal';
import type { TransportHandle } from '../contracts/transport';
import type { McpEndpoint } from '../protocol/mcp-endpoint';
import { Intake } from './intake';

/** A connection within this process: the client's end, and the handle that closes the server's. */
export interface MemoryConnection {
  readonly client: Transport;
  readonly handle: TransportHandle;
}

/** Connects one client in memory. Messages pass as JSON text and through the same checks as on stdio, so nothing is shared by reference. */
export function openMemory(endpoint: McpEndpoint, principal?: Principal): MemoryConnection {
  const at = { transport: 'memory', principal } as const;
  const [client, server] = [new MemoryEnd(), new MemoryEnd()];
  const { limits, logger, acceptsBatches } = endpoint;
  const intake = new Intake({
    limits,
    logger,
    acceptsBatches,
    admitListen: (message) => endpoint.admitListen(message, at),
    deliver: (message) => server.receive(message),
    answer: (answer) => client.receive(answer as JSONRPCMessage),
  });
  client.deliver = (text) => {
    if (!intake.takesAhead(text)) intake.take(() => JSON.parse(text) as unknown);
  };
  server.deliver = (text, related) => {
    const message = JSON.parse(text) as JSONRPCMessage;
    if (!intake.keeps(message)) client.receive(message);
    intake.sent(message, related);
  };
  const served = serveStdio(({ era }) => endpoint.createServer({ era, ...at, isLongLived: true }), { transport: server });
  client.other = server;
  server.other = client;
  return {
    client,
    handle: {
      mode: 'memory',
      stopAccepting: () => client.refuse(),
      // Who has gone waits for nothing.
      whenAnswered: () => Promise.race([intake.whenAnswered(), client.closed]),
      close: () => served.close(),
    },
  };
}

/** One end of the connection. Delivery waits for a turn of its own, as it would on a wire. */
class MemoryEnd implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  deliver: (text: string, related?: string | number) => void = () => undefined;
  other: MemoryEnd | undefined;
  readonly closed: Promise<void>;
  #whenClosed: () => void = () => undefined;
  #isClosed = false;
  #isRefusing = false;

  constructor() {
    this.closed = new Promise((resolve) => (this.#whenClosed = resolve));
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage, options?: { readonly relatedRequestId?: string | number }): Promise<void> {
    if (this.#isClosed || this.#isRefusing) return Promise.reject(new Error('The connection is closed'));
    const text = JSON.stringify(message);
    setImmediate(() => this.deliver(text, options?.relatedRequestId));
    return Promise.resolve();
  }

  receive(message: JSONRPCMessage): void {
    if (!this.#isClosed) this.onmessage?.(message);
  }

  /** Sends nothing more, and still receives. */
  refuse(): void {
    this.#isRefusing = true;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#whenClosed();
    this.onclose?.();
    await this.other?.close();
  }
}
