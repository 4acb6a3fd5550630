import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** A network between a client and a server on this machine, whose connections can be cut. */
export class FlakyNetwork {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  /** What clients have sent, one request after the other. */
  sent = '';
  /** What servers have sent. */
  received = '';

  private constructor(target: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => this.#sockets.delete(socket));
      }
      near.once('close', () => far.destroy());
      far.once('close', () => near.destroy());
      near.on('data', (chunk: Buffer) => (this.sent += chunk.toString('latin1')));
      far.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
      near.pipe(far);
      far.pipe(near);
    });
  }

  /** Opens a way to this address; resolves with the network and the address that clients use instead. */
  static async between(url: string): Promise<{ network: FlakyNetwork; url: string }> {
    const network = new FlakyNetwork(new URL(url));
    network.#server.listen(0, '127.0.0.1');
    await once(network.#server, 'listening');
    const near = new URL(url);
    near.port = String((network.#server.address() as AddressInfo).port);
    return { network, url: near.href };
  }

  /** Cuts every connection that is open. New ones go through. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }
}
