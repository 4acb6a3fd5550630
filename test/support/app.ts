import { PassThrough, type Readable, type Writable } from 'node:stream';
import { createInterface } from 'node:readline';
import { connectTo, freshSocketPath, removeFolders } from './socket';
import { ask, ENVELOPE, INITIALIZE, messageOf, modern, openSession } from './wire';
import {
  McpFactory,
  Module,
  type LoggerService,
  type McpApplication,
  type McpApplicationOptions,
  type ModuleImport,
  type Provider,
} from 'perch-mcp';

const open = new Set<McpApplication>();

/** Closes every application that this test file made. For `afterEach`. */
export async function closeApps(): Promise<void> {
  const apps = [...open];
  open.clear();
  await Promise.all(apps.map((app) => app.close()));
  removeFolders();
}

/** Keeps what is logged. */
export class RecordingLogger implements LoggerService {
  readonly lines: { readonly level: string; readonly message: string; readonly details: readonly unknown[] }[] = [];

  log = this.#at('log');
  error = this.#at('error');
  warn = this.#at('warn');
  debug = this.#at('debug');
  verbose = this.#at('verbose');
  fatal = this.#at('fatal');

  #at(level: string): LoggerService['log'] {
    return (message, ...details) => void this.lines.push({ level, message, details });
  }
}

/** An application of one module with these providers and imports. */
export async function createApp(
  providers: readonly Provider[],
  options: Partial<McpApplicationOptions> = {},
  imports: readonly ModuleImport[] = [],
): Promise<McpApplication> {
  class AppModule {}
  Module({ imports, providers })(AppModule);
  const app = await McpFactory.create(AppModule, { name: 'test', version: '1.0.0', logger: false, ...options });
  open.add(app);
  return app;
}

/** Serves an application on a free port of the loopback address; returns the address of MCP. */
export async function overHttp(app: McpApplication): Promise<string> {
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false });
  return app.handles[0]?.url ?? '';
}

/** The other end of an application that speaks stdio over streams of the test's own. */
export interface StreamEnd {
  /** Writes one message, or text and bytes as they are. */
  send(message: object | string | Buffer): void;
  /** The next message the server wrote. */
  next(): Promise<Record<string, unknown>>;
  /** Lines that were written and not read. */
  readonly unread: readonly string[];
  endInput(): void;
}

/** Serves an application on injected streams, and on HTTP too if that is asked for. */
export async function overStreams(app: McpApplication, beside: readonly 'http'[] = []): Promise<StreamEnd> {
  const input = new PassThrough();
  const output = new PassThrough();
  await app.listen({ transports: ['stdio', ...beside], port: 0, stdio: { input, output }, shutdownHooks: false });
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: output }).on('line', (line) => {
    const wake = waiting.shift();
    if (wake === undefined) lines.push(line);
    else wake(line);
  });
  return {
    send: (message) => void input.write(typeof message === 'string' || Buffer.isBuffer(message) ? message : `${JSON.stringify(message)}\n`),
    next: async () =>
      JSON.parse(lines.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve)))) as Record<string, unknown>,
    unread: lines,
    endInput: () => void input.end(),
  };
}

/** One way to reach an application. Asks one request and gives back the JSON-RPC answer. */
export interface Door {
  readonly name: string;
  readonly ask: (method: string, params?: Record<string, unknown>) => Promise<RpcAnswer>;
}

/** A JSON-RPC answer, result or error. */
export interface RpcAnswer {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Opens every transport: HTTP modern and with a legacy session, stdio in the legacy era, and a Unix socket in the modern one. */
export async function everyDoor(app: McpApplication): Promise<readonly Door[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  const socketPath = freshSocketPath();
  await app.listen({ transports: ['http', 'uds', 'stdio'], port: 0, socketPath, stdio: { input, output }, shutdownHooks: false });
  const url = app.handles.find(({ mode }) => mode === 'http')?.url ?? '';
  const session = await openSession(url);
  const stream = new StreamDoor(input, output);
  await stream.ask(INITIALIZE.method, INITIALIZE.params);
  const { socket } = await connectTo(socketPath);
  const uds = new StreamDoor(socket, socket);
  let id = 0;
  return [
    { name: 'HTTP 2026-07-28', ask: async (method, params) => messageOf(await ask(url, modern(method, params))) },
    {
      name: 'HTTP 2025-11-25',
      ask: async (method, params) =>
        messageOf(await ask(url, { headers: session, body: JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params }) })),
    },
    { name: 'stdio 2025-11-25', ask: (method, params) => stream.ask(method, params) },
    {
      name: 'uds 2026-07-28',
      ask: (method, params) => uds.ask(method, { ...params, _meta: { ...ENVELOPE, ...(params?.['_meta'] as object) } }),
    },
  ];
}

class StreamDoor {
  readonly #waiting = new Map<unknown, (answer: RpcAnswer) => void>();
  #id = 0;

  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    createInterface({ input: output }).on('line', (line) => {
      const message = JSON.parse(line) as RpcAnswer & { id: unknown };
      this.#waiting.get(message.id)?.(message);
    });
  }

  ask(method: string, params?: Record<string, unknown>): Promise<RpcAnswer> {
    const id = (this.#id += 1);
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }
}
