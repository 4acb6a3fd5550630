import type { Socket } from 'node:net';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Principal } from '../../contracts/principal';
import type { McpEndpoint } from '../../protocol/mcp-endpoint';
import { LineTransport } from '../line-transport';

/** How long a client may take to end its side too, once everything has been sent. Ending it for them could cost them what they have not read. */
const PARTING_MS = 1_000;

/**
 * One client on the socket: a stream like stdio, with an era of its own. What differs is its end. The program at the other end of stdio
 * waits for answers after its last question; a client that leaves a socket has given up, so what runs for it is aborted.
 */
export class UdsConnection {
  /** Resolves when nothing can come or go any more. */
  readonly closed: Promise<unknown>;
  readonly #transport: LineTransport;
  readonly #served: ReturnType<typeof serveStdio>;

  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly socket: Socket,
    principal: Principal | undefined,
  ) {
    const { limits, logger, acceptsBatches } = endpoint;
    const at = { transport: 'uds', principal } as const;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    // The stream looks at errors until it is closed; one that comes later must not end the process.
    socket.on('error', () => undefined);
    this.#transport = new LineTransport({
      input: socket,
      output: socket,
      limits,
      acceptsBatches,
      logger,
      admitListen: (message) => endpoint.admitListen(message, at),
      onGone: () => void this.#leave(),
    });
    this.#served = serveStdio(({ era }) => endpoint.createServer({ era, ...at, isLongLived: true }), {
      transport: this.#transport,
      onerror: (error) => logger.debug(`uds: ${error.message}`),
    });
  }

  stopAccepting(): void {
    this.#transport.stopAccepting();
  }

  /** Who has gone waits for nothing. */
  async whenAnswered(): Promise<void> {
    await Promise.race([this.#transport.whenAnswered(), this.closed]);
  }

  /** Ends the connection behind what was written. A client that does not read it within the grace period loses the rest. */
  async close(): Promise<void> {
    const endOfGrace = this.#destroyIn(this.endpoint.limits.graceMs);
    await this.#served.close();
    this.socket.resume();
    this.socket.end(() => {
      clearTimeout(endOfGrace);
      const endOfParting = this.#destroyIn(PARTING_MS);
      void this.closed.then(() => clearTimeout(endOfParting));
    });
    await this.closed;
    clearTimeout(endOfGrace);
  }

  #destroyIn(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.socket.destroy(), milliseconds);
  }

  async #leave(): Promise<void> {
    this.socket.destroy();
    await this.#served.close();
  }
}
