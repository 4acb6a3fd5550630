import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';

/** What the SDKs' clients lack: their framing of stdio, over a Unix socket. */
export class SocketClientTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #received = new ReadBuffer();
  #socket: Socket | undefined;

  constructor(private readonly path: string) {}

  async start(): Promise<void> {
    const socket = connect(this.path);
    await once(socket, 'connect');
    this.#socket = socket;
    socket.on('error', (error) => this.onerror?.(error));
    socket.on('close', () => this.onclose?.());
    socket.on('data', (chunk) => {
      this.#received.append(chunk);
      for (let message = this.#received.readMessage(); message !== null; message = this.#received.readMessage()) this.onmessage?.(message);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#socket?.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#socket?.destroy();
  }
}
