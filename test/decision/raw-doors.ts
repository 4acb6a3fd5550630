import { PassThrough, type Readable, type Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { connectInMemory } from '../../src/bootstrap/mcp-application';
import { connectStdio, type McpApplication, type Principal } from 'perch-mcp';
import { connectTo, freshSocketPath } from '../support/socket';
import { ask, ENVELOPE, INITIALIZE, modern, openSession } from '../support/wire';

/** Who asks, over what, and how: answers are the bytes that came back. */
export interface RawDoor {
  readonly name: string;
  readonly era: 'legacy' | 'modern';
  readonly principal: Principal | undefined;
  readonly ask: (method: string, params?: Record<string, unknown>) => Promise<string>;
  /** Asks to follow a resource; true when that was granted. Undefined where `resources/subscribe` is the way. */
  readonly listen: ((uri: string) => Promise<boolean>) | undefined;
}

export const CALLERS: readonly (Principal | undefined)[] = [
  undefined,
  { id: 'ann', scopes: [], roles: ['user'] },
  { id: 'bob', scopes: ['docs', 'more'], roles: ['user'] },
  { id: 'eve', scopes: ['docs'], roles: ['admin'] },
];

/** Every caller in memory in both eras, and the anonymous one over HTTP, a Unix socket and stdio in both eras. */
export async function openDoors(app: McpApplication): Promise<readonly RawDoor[]> {
  const socketPath = freshSocketPath();
  const streams = [new PassThrough(), new PassThrough(), new PassThrough(), new PassThrough()] as const;
  const [input, output, modernInput, modernOutput] = streams;
  await app.listen({ transports: ['http', 'uds', 'stdio'], port: 0, socketPath, stdio: { input, output }, shutdownHooks: false });
  await connectStdio(app, { input: modernInput, output: modernOutput });
  const url = app.handles.find(({ mode }) => mode === 'http')?.url ?? '';
  const session = await openSession(url);
  const stdio = await onStreams(input, output, 'legacy');
  const modernStdio = await onStreams(modernInput, modernOutput, 'modern');
  const inMemory = CALLERS.flatMap((principal) =>
    (['legacy', 'modern'] as const).map(async (era): Promise<RawDoor> => {
      const { client } = await connectInMemory(app, principal);
      const line = new Line((text) => void client.send(JSON.parse(text) as Parameters<typeof client.send>[0]));
      client.onmessage = (message) => line.receive(JSON.stringify(message));
      await client.start();
      await line.open(era);
      const listen = era === 'modern' ? (uri: string) => line.listen(uri) : undefined;
      return { name: `memory, ${era}, ${principal?.id ?? 'nobody'}`, era, principal, ask: (...asked) => line.ask(...asked), listen };
    }),
  );
  const overUds = (['legacy', 'modern'] as const).map(async (era): Promise<RawDoor> => {
    const { socket } = await connectTo(socketPath);
    const line = await onStreams(socket, socket, era);
    const listen = era === 'modern' ? (uri: string) => line.listen(uri) : undefined;
    return { name: `uds, ${era}`, era, principal: undefined, ask: (...asked) => line.ask(...asked), listen };
  });
  const anonymous = { principal: undefined, listen: undefined };
  return [
    ...(await Promise.all(inMemory)),
    ...(await Promise.all(overUds)),
    { ...anonymous, name: 'stdio, legacy', era: 'legacy', ask: (...asked) => stdio.ask(...asked) },
    {
      ...anonymous,
      name: 'stdio, modern',
      era: 'modern',
      ask: (...asked) => modernStdio.ask(...asked),
      listen: (uri) => modernStdio.listen(uri),
    },
    { ...anonymous, name: 'HTTP 2026-07-28', era: 'modern', ask: (method, params) => bytesOf(url, modern(method, params, 'same')) },
    {
      ...anonymous,
      name: 'HTTP 2025-11-25',
      era: 'legacy',
      ask: (method, params) => bytesOf(url, { headers: session, body: JSON.stringify({ jsonrpc: '2.0', id: 'same', method, params }) }),
    },
  ];
}

async function onStreams(input: Writable, output: Readable, era: RawDoor['era']): Promise<Line> {
  const line = new Line((text) => void input.write(`${text}\n`));
  createInterface({ input: output }).on('line', (text) => line.receive(text));
  await line.open(era);
  return line;
}

async function bytesOf(...asked: Parameters<typeof ask>): Promise<string> {
  const { status, headers, text } = await ask(...asked);
  const lines = text.split('\n').filter((line) => !line.startsWith('id: '));
  return `${String(status)} ${String(headers['content-type'])} ${String(headers['www-authenticate'])}\n${lines.join('\n')}`;
}

/** A connection of messages. Every request has the same id, so that answers can be compared byte for byte; one is open at a time. */
class Line {
  #waiting: ((text: string) => void) | undefined;
  #era: 'legacy' | 'modern' = 'modern';

  constructor(private readonly send: (text: string) => void) {}

  receive(text: string): void {
    const { method } = JSON.parse(text) as { readonly method?: string };
    if (method?.endsWith('/list_changed') !== true) this.#waiting?.(text);
  }

  async open(era: 'legacy' | 'modern'): Promise<void> {
    this.#era = era;
    if (era === 'modern') return;
    await this.#roundTrip({ ...INITIALIZE });
    this.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  ask(method: string, params: Record<string, unknown> = {}): Promise<string> {
    return this.#roundTrip({ jsonrpc: '2.0', id: 'same', method, params: this.#withEnvelope(params) });
  }

  async listen(uri: string): Promise<boolean> {
    const params = this.#withEnvelope({ notifications: { resourceSubscriptions: [uri] } });
    const text = await this.#roundTrip({ jsonrpc: '2.0', id: 'listening', method: 'subscriptions/listen', params });
    this.send(
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: this.#withEnvelope({ requestId: 'listening' }) }),
    );
    const { params: acknowledged } = JSON.parse(text) as { params: { notifications: { resourceSubscriptions?: string[] } } };
    return acknowledged.notifications.resourceSubscriptions?.includes(uri) ?? false;
  }

  #withEnvelope(params: Record<string, unknown>): Record<string, unknown> {
    return this.#era === 'modern' ? { ...params, _meta: ENVELOPE } : params;
  }

  #roundTrip(message: object): Promise<string> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.send(JSON.stringify(message));
    });
  }
}
