import { lookup } from 'node:dns/promises';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { isLimit } from '../contracts/limits';
import type { Principal } from '../contracts/principal';
import type { TokenVerifier } from '../contracts/token-verifier';
import { isLoopbackAddress } from '../policy/loopback';
import { readPrincipal } from '../policy/read-principal';
import type { SessionOptions } from '../transport/http/session-options';
import { chooseVerifier, invalid, type VerifierSources } from './choose-verifier';
import { readSocketPaths, type SocketPaths } from './socket-paths';

const TRANSPORTS = ['stdio', 'uds', 'http'] as const;

const FLAGS = ['transport', 'port', 'host', 'socket', 'http-socket'] as const;

/** A transport that `listen` can open. */
export type TransportName = (typeof TRANSPORTS)[number];

/** The options of `app.listen`. What is left out comes from `--transport`, `--port` and `--host`, then from `PERCH_TRANSPORT` and `PERCH_PORT`. */
export interface ListenOptions extends SocketPaths {
  /** Default `['stdio']`. */
  readonly transports?: readonly TransportName[];
  /** The address HTTP binds; default `127.0.0.1`. One that other machines can reach is refused without a token or a verifier. */
  readonly host?: string;
  /** The port of HTTP; default 3000, and 0 takes a free one. */
  readonly port?: number;
  /** The path of MCP over HTTP; default `/mcp`. */
  readonly path?: string;
  /** Sessions of clients up to 2025-11-25 over HTTP. */
  readonly sessions?: SessionOptions;
  /**
   * A token that every request over HTTP must bring (`Authorization: Bearer …`); default `PERCH_AUTH_TOKEN`. Whoever has it is the principal
   * `{ id: 'token', scopes: [] }`, which no `@Scopes()` and no `@Roles()` lets in. Never a flag: other users of a machine can read those.
   */
  readonly authToken?: string;
  /** Says whom a token belongs to, over HTTP; in the place of a `TokenVerifier` that a module provides. */
  readonly verifier?: TokenVerifier;
  /**
   * Whom clients on stdio and on the Unix socket are taken for; default nobody, who has no scopes and no roles. They started this process, or
   * are of its user, so they are not asked.
   */
  readonly localPrincipal?: Principal;
  /** Streams for stdio instead of the process's own, which are then left as they are. */
  readonly stdio?: { readonly input?: Readable; readonly output?: Writable };
  /** False leaves SIGTERM and SIGINT to the program. Default true: they close the application and exit. */
  readonly shutdownHooks?: boolean;
}

/** Listen options with nothing left open. */
export interface ResolvedListenOptions extends SocketPaths {
  readonly transports: readonly TransportName[];
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly sessions: SessionOptions;
  readonly verifier: TokenVerifier | undefined;
  readonly localPrincipal: Principal | undefined;
  readonly stdio: { readonly input?: Readable; readonly output?: Writable };
  readonly shutdownHooks: boolean;
}

/** Where settings come from besides the options. */
export interface SettingSources extends VerifierSources {
  readonly argv: readonly string[];
}

/** Settles every listen option, or throws an `McpSetupError` before anything is opened. */
export async function resolveListenOptions(options: ListenOptions, sources: SettingSources): Promise<ResolvedListenOptions> {
  const { argv, env } = sources;
  const flags = readFlags(argv);
  const transports = options.transports ?? readTransports(flags['transport'] ?? env['PERCH_TRANSPORT'] ?? 'stdio');
  const port = readPort(options.port ?? flags['port'] ?? (env['PERCH_PORT'] || '3000'));
  const host = nonEmpty(options.host) ?? nonEmpty(flags['host']) ?? '127.0.0.1';
  const resolved = {
    transports: [...new Set(transports)],
    port,
    path: options.path ?? '/mcp',
    ...readSocketPaths(options, { flags, env, transports }),
    sessions: options.sessions ?? {},
    localPrincipal: readLocalPrincipal(options),
    stdio: options.stdio ?? {},
    shutdownHooks: options.shutdownHooks ?? true,
  };
  check(resolved);
  if (!resolved.transports.includes('http')) return { ...resolved, host, verifier: undefined };
  const verifier = chooseVerifier(options, sources);
  // The mode of a socket protects it as a loopback address does, and better.
  const isProtected = verifier !== undefined || resolved.httpSocketPath !== undefined;
  return { ...resolved, verifier, host: isProtected ? host : await loopbackAddressOf(host) };
}

function readLocalPrincipal({ localPrincipal }: ListenOptions): Principal | undefined {
  const principal = readPrincipal(localPrincipal);
  if (localPrincipal === undefined || principal !== undefined) return principal;
  throw invalid('The option "localPrincipal" is not a principal', 'Pass { id, scopes }, with roles as a list of strings if it has any.');
}

function readFlags(argv: readonly string[]): Readonly<Record<string, string | undefined>> {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: Object.fromEntries(FLAGS.map((name) => [name, { type: 'string' as const }])),
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

function check({ transports, path, sessions }: Pick<ResolvedListenOptions, 'transports' | 'path' | 'sessions'>): void {
  const unknown = transports.find((name) => !TRANSPORTS.includes(name));
  if (unknown !== undefined || transports.length === 0)
    throw invalid(`"${unknown ?? ''}" is not a transport`, `Use ${TRANSPORTS.join(' or ')}, several separated by commas.`);
  if (!/^\/[\w\-./~]*$/.test(path)) throw invalid(`The path "${path}" is not a path`, 'Use one such as /mcp.');
  if (sessions.retryMs !== undefined && !isLimit(sessions.retryMs))
    throw invalid('sessions.retryMs is not a whole number of milliseconds', 'Leave it out to keep its default.');
}

/**
 * The address to bind, where nobody is asked for a token: whoever can reach the port can call every tool, so another machine must not reach
 * it. A name counts as what it resolves to now, and that is what is bound, whatever it resolves to a moment later.
 */
async function loopbackAddressOf(host: string): Promise<string> {
  const addresses = await lookup(host, { all: true }).catch(() => []);
  const [first] = addresses;
  if (first !== undefined && addresses.every(({ address }) => isLoopbackAddress(address))) return first.address;
  throw invalid(
    `HTTP must not listen on "${host}", which is not a loopback address, without asking for a token`,
    'Leave host out, or set it to 127.0.0.1 or ::1.\nSet authToken or PERCH_AUTH_TOKEN, pass a verifier, or provide a TokenVerifier.',
  );
}
