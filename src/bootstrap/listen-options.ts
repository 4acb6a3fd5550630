import { lookup } from 'node:dns/promises';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { isLimit } from '../contracts/limits';
import { McpSetupError } from '../errors/setup-error';
import { isLoopbackAddress } from '../policy/loopback';
import type { SessionOptions } from '../transport/http/session-options';

const TRANSPORTS = ['stdio', 'http'] as const;

/** A transport that `listen` can open. */
export type TransportName = (typeof TRANSPORTS)[number];

/** The options of `app.listen`. What is left out comes from `--transport`, `--port` and `--host`, then from `PERCH_TRANSPORT` and `PERCH_PORT`. */
export interface ListenOptions {
  /** Default `['stdio']`. */
  readonly transports?: readonly TransportName[];
  /** The address HTTP binds; default `127.0.0.1`. An address that other machines can reach is refused. */
  readonly host?: string;
  /** The port of HTTP; default 3000, and 0 takes a free one. */
  readonly port?: number;
  /** The path of MCP over HTTP; default `/mcp`. */
  readonly path?: string;
  /** Sessions of clients up to 2025-11-25 over HTTP. */
  readonly sessions?: SessionOptions;
  /** Streams for stdio instead of the process's own, which are then left as they are. */
  readonly stdio?: { readonly input?: Readable; readonly output?: Writable };
  /** False leaves SIGTERM and SIGINT to the program. Default true: they close the application and exit. */
  readonly shutdownHooks?: boolean;
}

/** Listen options with nothing left open. */
export interface ResolvedListenOptions {
  readonly transports: readonly TransportName[];
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly sessions: SessionOptions;
  readonly stdio: { readonly input?: Readable; readonly output?: Writable };
  readonly shutdownHooks: boolean;
}

/** Where settings come from besides the options. */
export interface SettingSources {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Settles every listen option, or throws an `McpSetupError` before anything is opened. */
export async function resolveListenOptions(options: ListenOptions, { argv, env }: SettingSources): Promise<ResolvedListenOptions> {
  const flags = readFlags(argv);
  const transports = options.transports ?? readTransports(flags['transport'] ?? env['PERCH_TRANSPORT'] ?? 'stdio');
  const port = readPort(options.port ?? flags['port'] ?? (env['PERCH_PORT'] || '3000'));
  const host = nonEmpty(options.host) ?? nonEmpty(flags['host']) ?? '127.0.0.1';
  const resolved = {
    transports: [...new Set(transports)],
    host,
    port,
    path: options.path ?? '/mcp',
    sessions: options.sessions ?? {},
    stdio: options.stdio ?? {},
    shutdownHooks: options.shutdownHooks ?? true,
  };
  check(resolved);
  if (resolved.transports.includes('http')) await mustBeLoopback(host);
  return resolved;
}

function readFlags(argv: readonly string[]): Readonly<Record<string, string | undefined>> {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: { transport: { type: 'string' }, port: { type: 'string' }, host: { type: 'string' } },
  });
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function readTransports(text: string): TransportName[] {
  return text.split(',').map((name) => name.trim() as TransportName);
}

function readPort(asked: number | string): number {
  const port = typeof asked === 'number' || /^\d{1,5}$/.test(asked) ? Number(asked) : Number.NaN;
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw invalid(`The port "${asked}" is not a whole number from 0 to 65535`, 'Set port, --port or PERCH_PORT to one; 0 takes a free port.');
}

function nonEmpty(text: string | undefined): string | undefined {
  return text?.trim() === '' ? undefined : text;
}

function check({ transports, path, sessions }: ResolvedListenOptions): void {
  const unknown = transports.find((name) => !TRANSPORTS.includes(name));
  if (unknown !== undefined || transports.length === 0)
    throw invalid(`"${unknown ?? ''}" is not a transport`, `Use ${TRANSPORTS.join(' or ')}, several separated by commas.`);
  if (!/^\/[\w\-./~]*$/.test(path)) throw invalid(`The path "${path}" is not a path`, 'Use one such as /mcp.');
  if (sessions.retryMs !== undefined && !isLimit(sessions.retryMs))
    throw invalid('sessions.retryMs is not a whole number of milliseconds', 'Leave it out to keep its default.');
}

/** Whoever can reach the port can call every tool, so another machine must not reach it. A name counts as what it resolves to. */
async function mustBeLoopback(host: string): Promise<void> {
  const addresses = await lookup(host, { all: true }).catch(() => []);
  if (addresses.length > 0 && addresses.every(({ address }) => isLoopbackAddress(address))) return;
  throw invalid(`HTTP must not listen on "${host}", which is not a loopback address`, 'Leave host out, or set it to 127.0.0.1 or ::1.');
}

function invalid(problem: string, fix: string): McpSetupError {
  return new McpSetupError([{ code: 'MCP_OPTION_INVALID', problem, where: 'app.listen, its flags or its environment', fix }]);
}
