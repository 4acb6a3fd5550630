import { createServer, type Server, type Socket } from 'node:net';
import type { Principal } from '../../contracts/principal';
import type { TransportHandle } from '../../contracts/transport';
import type { McpEndpoint } from '../../protocol/mcp-endpoint';
import { listenPrivately, type PrivateSocket } from './private-socket';
import { UdsConnection } from './uds-connection';

/** Where the socket stands, and for whom. */
export interface UdsOptions {
  readonly path: string;
  /** Whom every client is taken for; default nobody, who has no scopes and no roles. The mode of the socket says who may connect. */
  readonly principal?: Principal | undefined;
}

/** Serves MCP on a Unix socket, one stream to each connection. Rejects with an `McpSetupError` when it cannot be opened safely. */
export async function openUds(endpoint: McpEndpoint, { path, principal }: UdsOptions): Promise<TransportHandle> {
  const door = new UdsDoor(endpoint, principal);
  return {
    mode: 'uds',
    socketPath: await door.listen(path),
    stopAccepting: () => door.stopAccepting(),
    whenAnswered: () => door.whenAnswered(),
    close: () => door.close(),
  };
}

class UdsDoor {
  readonly #server: Server;
  readonly #connections = new Set<UdsConnection>();
  #listening: PrivateSocket | undefined;
  #closed: Promise<void> | undefined;

  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly principal: Principal | undefined,
  ) {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  async listen(path: string): Promise<string> {
    this.#listening = await listenPrivately(this.#server, path);
    this.#server.on('error', (error) => this.endpoint.logger.warn(`uds: a client could not be let in: ${error.message}`));
    return this.#listening.path;
  }

  /** The file goes first, so that the next process can take its name while this one answers what runs. */
  stopAccepting(): void {
    if (this.#listening === undefined) return;
    this.#listening.remove();
    this.#listening = undefined;
    this.#server.close();
    for (const connection of this.#connections) connection.stopAccepting();
  }

  async whenAnswered(): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.whenAnswered()));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.stopAccepting();
    await Promise.allSettled([...this.#connections].map((connection) => connection.close()));
  }

  #serve(socket: Socket): void {
    if (this.#listening === undefined) return void socket.destroy();
    const connection = new UdsConnection(this.endpoint, socket, this.principal);
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
  }
}
