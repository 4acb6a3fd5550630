import type { McpApplication } from 'perch-mcp';
import { connectInMemory } from '../../src/bootstrap/mcp-application';
import { overStreams, type RpcAnswer } from './app';
import { overSocket } from './socket';
import { ask, ENVELOPE, INITIALIZE, JSON_HEADERS, openSession, type HttpAnswer } from './wire';

export type Era = 'legacy' | 'modern';

/** One message of any shape, and everything that came back for it. */
export interface Exchange {
  readonly answer: RpcAnswer;
  /** What the server said of the request before it answered. */
  readonly notifications: readonly object[];
  /** Over HTTP only. */
  readonly status?: number;
}

/** A way to reach an application with whatever bytes one likes. */
export interface RawDoor {
  readonly transport: 'stdio' | 'uds' | 'HTTP' | 'memory';
  readonly era: Era;
  readonly name: string;
  /** Sends a request with these members, the right ones where there are none; in the modern era its params get the envelope. */
  readonly send: (members: Readonly<Record<string, unknown>>) => Promise<Exchange>;
}

type Message = Record<string, any>;
type Carry = (message: Message) => Promise<Exchange>;

/** Opens every transport in both eras, each to an application of its own. */
export async function openRawDoors(create: () => Promise<McpApplication>): Promise<readonly RawDoor[]> {
  const doors: RawDoor[] = [];
  for (const era of ['legacy', 'modern'] as const) {
    doors.push(door('stdio', era, await overStream(await overStreams(await create()), era)));
    doors.push(door('uds', era, await overStream(await overSocket(await create()), era)));
    doors.push(door('HTTP', era, await httpCarrier(await create(), era)));
    doors.push(door('memory', era, await memoryCarrier(await create(), era)));
  }
  return doors;
}

function door(transport: RawDoor['transport'], era: Era, carry: Carry): RawDoor {
  let id = 0;
  return {
    transport,
    era,
    name: `${transport} ${era}`,
    send: (members) => {
      const message: Message = { jsonrpc: '2.0', id: (id += 1), ...members };
      return carry(era === 'modern' ? enveloped(message) : message);
    },
  };
}

/** What is no object cannot carry the envelope. */
function enveloped(message: Message): Message {
  const { params = {} } = message;
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return message;
  return { ...message, params: { ...params, _meta: { ...ENVELOPE, ...(params as Message)['_meta'] } } };
}

interface Stream {
  readonly send: (message: object) => void;
  readonly next: () => Promise<Message>;
}

async function memoryCarrier(app: McpApplication, era: Era): Promise<Carry> {
  const { client } = await connectInMemory(app);
  const messages: Message[] = [];
  let wake: () => void = () => undefined;
  client.onmessage = (message) => {
    messages.push(message);
    wake();
  };
  await client.start();
  const next = async (): Promise<Message> => {
    while (messages.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return messages.shift() as Message;
  };
  return overStream({ send: (message) => void client.send(message as never), next }, era);
}

async function overStream({ send, next }: Stream, era: Era): Promise<Carry> {
  if (era === 'legacy') {
    send(INITIALIZE);
    await next();
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }
  return async (message) => {
    send(message);
    const notifications: Message[] = [];
    for (;;) {
      const said = await next();
      if (!('method' in said)) return { answer: said, notifications };
      notifications.push(said);
    }
  };
}

async function httpCarrier(app: McpApplication, era: Era): Promise<Carry> {
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false });
  const url = app.handles[0]?.url ?? '';
  const session = era === 'legacy' ? await openSession(url) : undefined;
  return async (message) => {
    const answered = await ask(url, { headers: session ?? modernHeaders(message), body: JSON.stringify(message) });
    const said = messagesIn(answered);
    return { answer: said.at(-1) as RpcAnswer, notifications: said.slice(0, -1), status: answered.status };
  };
}

function modernHeaders({ method, params }: Message): Record<string, string> {
  const subject: unknown = params?.name ?? params?.uri;
  return {
    ...JSON_HEADERS,
    'mcp-protocol-version': '2026-07-28',
    ...(typeof method === 'string' ? { 'mcp-method': method } : {}),
    ...(typeof subject === 'string' ? { 'mcp-name': subject } : {}),
  };
}

function messagesIn({ text, headers }: HttpAnswer): Message[] {
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  // By lines: a pattern over 50 MiB does not fit the stack.
  const lines = isStream ? text.split('\n').filter((line) => line.startsWith('data: {')) : [];
  const texts = isStream ? lines.map((line) => line.slice('data: '.length)) : [text];
  return texts.map((each) => JSON.parse(each) as Message);
}
