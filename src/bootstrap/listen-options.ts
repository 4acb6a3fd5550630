import type { Readable, Writable } from 'node:stream';
import { isLimit } from '../contracts/limits';
import type { Principal } from '../contracts/principal';
import type { TokenVerifier } from '../contracts/token-verifier';
import { throwIfAny } from '../errors/setup-error';
import { readPrincipal } from '../policy/read-principal';
import type { HttpFront } from '../transport/http/http-front';
import { isHealthPath } from '../transport/http/health-route';
import type { SessionOptions } from '../transport/http/session-options';
import { chooseFront, type FrontOptions } from './choose-front';
import { chooseVerifier, invalid, type VerifierSources } from './choose-verifier';
import { loopbackAddressOf } from './settings/bind-auth';
import type { DoorOptions, SettingSources, TransportName } from './settings/door-options';
import { chooseHttpPlace, SOCKET } from './settings/http-place';
import { readSetting } from './settings/read-setting';
import { chooseTransports } from './settings/transports';
import { problemOfOptions, unknownOptions } from './settings/unknown-options';

/** What becomes of a promise of the program that is rejected and that nobody handles. */
export type UnhandledRejections = 'exit' | 'log';

/**
 * The options of `app.listen`. What is left out comes from flags such as `--transport` and `--port`, then from variables such as
 * `PERCH_TRANSPORT` and `PERCH_PORT`; docs/configuration.md has all of them.
 */
export interface ListenOptions extends DoorOptions, FrontOptions {
  /** The path of MCP over HTTP; default `/mcp`. */
  readonly path?: string;
  /** Sessions of clients up to 2025-11-25 over HTTP. False serves them without: handlers cannot ask such clients anything. */
  readonly sessions?: SessionOptions | false;
  /**
   * Whom clients on stdio and on the Unix socket of `uds` are taken for; default nobody, who has no scopes and no roles. They started this
   * process or are of its user, so they are not asked.
   */
  readonly localPrincipal?: Principal;
  /** Streams for stdio instead of the process's own, which are then left as they are. */
  readonly stdio?: { readonly input?: Readable; readonly output?: Writable };
  /**
   * False leaves SIGTERM, SIGINT and uncaught errors to the program. Default true: they close the application, running calls first, and end
   * the process; an uncaught error is logged and ends it with code 1.
   */
  readonly shutdownHooks?: boolean;
  /** `'log'` logs a rejection that nobody handles and goes on. Default `'exit'`: it is an uncaught error. */
  readonly unhandledRejections?: UnhandledRejections;
}

/** Listen options with nothing left open. */
export interface ResolvedListenOptions {
  readonly transports: readonly TransportName[];
  readonly host: string;
  readonly port: number;
  /** The socket of `uds`. */
  readonly socketPath: string | undefined;
  /** The socket that HTTP listens on, in the place of host and port. */
  readonly httpSocketPath: string | undefined;
  readonly path: string;
  readonly sessions: SessionOptions | false;
  readonly front: HttpFront | undefined;
  readonly verifier: TokenVerifier | undefined;
  readonly localPrincipal: Principal | undefined;
  readonly stdio: { readonly input?: Readable; readonly output?: Writable };
  readonly shutdownHooks: boolean;
  readonly unhandledRejections: UnhandledRejections;
}

/** Where settings come from besides the options. */
export interface ListenSources extends VerifierSources {
  readonly argv: readonly string[];
}

const OPTIONS: Readonly<Record<keyof ListenOptions, true>> = Object.freeze({
  transports: true,
  mode: true,
  host: true,
  bindAddress: true,
  port: true,
  socketPath: true,
  httpSocketPath: true,
  path: true,
  authToken: true,
  verifier: true,
  allowedHosts: true,
  allowedOrigins: true,
  trustProxy: true,
  resourceMetadata: true,
  sessions: true,
  localPrincipal: true,
  stdio: true,
  shutdownHooks: true,
  unhandledRejections: true,
});

/** The names of all listen options. */
export const LISTEN_OPTIONS: readonly string[] = Object.freeze(Object.keys(OPTIONS));

/** Settles every listen option, or throws an `McpSetupError` before anything is opened. */
export async function resolveListenOptions(options: ListenOptions, sources: ListenSources): Promise<ResolvedListenOptions> {
  const notAnObject = problemOfOptions(options, 'app.listen');
  throwIfAny(notAnObject === undefined ? unknownOptions(options, LISTEN_OPTIONS, 'app.listen') : [notAnObject]);
  throwIfAny(unknownOptions(options.stdio ?? {}, ['input', 'output'], 'the streams for stdio'));
  const said: SettingSources = { options, argv: sources.argv, env: sources.env };
  const resolved = {
    transports: transportsOf(said, sources),
    path: options.path ?? '/mcp',
    sessions: options.sessions ?? {},
    localPrincipal: readLocalPrincipal(options),
    stdio: options.stdio ?? {},
    shutdownHooks: options.shutdownHooks ?? true,
    unhandledRejections: options.unhandledRejections ?? 'exit',
    socketPath: readSetting(SOCKET, said)?.value,
    ...chooseHttpPlace(said),
  };
  check(resolved);
  if (!resolved.transports.includes('http')) return { ...resolved, verifier: undefined, front: undefined };
  const verifier = chooseVerifier(options, sources);
  const isOnAddress = resolved.httpSocketPath === undefined;
  const host = isOnAddress && verifier === undefined ? await loopbackAddressOf(resolved.host) : resolved.host;
  const front = await chooseFront(options, { host: isOnAddress ? host : undefined, verifier, env: sources.env });
  return { ...resolved, verifier, host, front };
}

function transportsOf(said: SettingSources, { logger }: ListenSources): readonly TransportName[] {
  const { names, saysSse } = chooseTransports(said);
  if (saysSse) logger.warn('The transport "sse" is an old name of "http", which is what is opened. Say "http".');
  return names;
}

function readLocalPrincipal({ localPrincipal }: ListenOptions): Principal | undefined {
  const principal = readPrincipal(localPrincipal);
  if (localPrincipal === undefined || principal !== undefined) return principal;
  throw invalid('The option "localPrincipal" is not a principal', 'Pass { id, scopes }, with roles as a list of strings if it has any.');
}

type Checked = Pick<
  ResolvedListenOptions,
  'transports' | 'path' | 'sessions' | 'socketPath' | 'httpSocketPath' | 'shutdownHooks' | 'unhandledRejections'
>;

function check({ transports, path, sessions, socketPath, httpSocketPath, shutdownHooks, unhandledRejections }: Checked): void {
  if (!/^\/[\w\-./~]*$/.test(path)) throw invalid(`The path "${path}" is not a path`, 'Use one such as /mcp.');
  if (isHealthPath(path)) throw invalid(`The path "${path}" is one of the health paths`, 'Use another one, such as /mcp.');
  if (sessions !== false && (typeof sessions !== 'object' || sessions === null))
    throw invalid('The option "sessions" is neither false nor an object', 'Leave it out to keep sessions of the legacy era.');
  if (sessions !== false && sessions.retryMs !== undefined && !isLimit(sessions.retryMs))
    throw invalid('sessions.retryMs is not a whole number of milliseconds', 'Leave it out to keep its default.');
  if (transports.includes('uds') && socketPath === undefined)
    throw invalid('The transport "uds" has no path to listen on', 'Set socketPath, --socket or PERCH_SOCKET to the path of a Unix socket.');
  if (httpSocketPath !== undefined && transports.includes('uds') && transports.includes('http') && httpSocketPath === socketPath)
    throw invalid(`"uds" and "http" are to listen on one path, "${httpSocketPath}"`, 'Give socketPath and httpSocketPath different paths.');
  if (typeof (shutdownHooks as unknown) !== 'boolean')
    throw invalid('The option "shutdownHooks" is neither true nor false', 'Leave it out for true.');
  if (!['exit', 'log'].includes(unhandledRejections))
    throw invalid('The option "unhandledRejections" is neither "exit" nor "log"', 'Leave it out to exit.');
}
