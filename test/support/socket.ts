import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { McpApplication } from 'perch-mcp';
import type { StreamEnd } from './app';
import type { HttpAnswer, HttpQuestion } from './wire';

const folders = new Set<string>();

/** A folder that only this user may use, until `removeFolders`. */
export function privateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perch-socket-'));
  folders.add(folder);
  return folder;
}

/** The path of a socket that does not exist yet. */
export function freshSocketPath(): string {
  return join(privateFolder(), 'mcp.sock');
}

/** Removes every folder that this test file made. */
export function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

/** A client's end of a connection over a Unix socket. */
export interface SocketEnd extends StreamEnd {
  readonly socket: Socket;
}

/** Connects to a socket. Rejects when nobody listens there, or when this process may not connect. */
export async function connectTo(path: string): Promise<SocketEnd> {
  const socket = connect(path);
  await once(socket, 'connect');
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  // A server that ends the connection may do so before it has read everything.
  socket.on('error', () => undefined);
  const reader = createInterface({ input: socket });
  reader.on('error', () => undefined);
  reader.on('line', (line) => {
    const wake = waiting.shift();
    if (wake === undefined) lines.push(line);
    else wake(line);
  });
  return {
    socket,
    send: (message) =>
      void socket.write(typeof message === 'string' || Buffer.isBuffer(message) ? message : `${JSON.stringify(message)}\n`),
    next: async () =>
      JSON.parse(lines.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)))) as Record<string, unknown>,
    unread: lines,
    endInput: () => void socket.end(),
  };
}

/** Serves an application on a socket of its own, and connects to it. */
export async function overSocket(app: McpApplication): Promise<SocketEnd> {
  const socketPath = freshSocketPath();
  await app.listen({ transports: ['uds'], socketPath, shutdownHooks: false });
  return connectTo(socketPath);
}

/** One HTTP request over a Unix socket, with exactly these headers and a Host if they have none. */
export async function askOver(
  socketPath: string,
  { method = 'POST', path = '/mcp', headers = {}, body }: HttpQuestion,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path, method, headers: { ...headers }, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
