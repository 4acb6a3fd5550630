import type { Readable, Writable } from 'node:stream';
import type { Principal } from '../contracts/principal';
import type { TransportHandle } from '../contracts/transport';
import { announce } from './announce';
import { resolveListenOptions, type ListenOptions } from './listen-options';
import { loneHandle } from './lone-handle';
import { internalsOf, type McpApplication } from './mcp-application';
import { openTransports } from './open-transports';
import type { TransportName } from './settings/door-options';

/** The options of {@link connectStdio}. */
export interface StdioConnection {
  /** Default: `process.stdin`. */
  readonly input?: Readable;
  /** Default: `process.stdout`, which then carries nothing but the protocol until the handle is closed. */
  readonly output?: Writable;
  /** Whom the client is taken for; default nobody, who has no scopes and no roles. */
  readonly localPrincipal?: Principal;
  /** Called once when the client has gone, its calls are answered and the handle is closed. The process goes on. */
  readonly onGone?: () => void;
}

/** The options of {@link connectStreamableHttp}: those of `app.listen` that are about HTTP. */
export type HttpConnection = Omit<
  ListenOptions,
  'transports' | 'mode' | 'stdio' | 'socketPath' | 'localPrincipal' | 'shutdownHooks' | 'unhandledRejections'
>;

/**
 * Serves an application on stdio or on streams, in a program that runs its own loop. Runs the start hooks if they have not run. Neither
 * signals nor the end of the input end the process; closing the application closes the handle, and the handle can be closed alone.
 */
export function connectStdio(app: McpApplication, { onGone, localPrincipal, ...stdio }: StdioConnection = {}): Promise<TransportHandle> {
  return connectTransport(app, { stdio, ...(localPrincipal === undefined ? {} : { localPrincipal }) }, { name: 'stdio', onGone });
}

/**
 * Serves an application over HTTP in a program that runs its own loop. What is left out comes from where `app.listen` takes it, and the same
 * checks hold: an address that other machines reach needs a token or a verifier. Several may be open at once, each on a port of its own.
 */
export function connectStreamableHttp(app: McpApplication, options: HttpConnection = {}): Promise<TransportHandle> {
  return connectTransport(app, options, { name: 'http' });
}

/** The options of {@link connectUds}. */
export interface SocketConnection {
  /** The path of the socket; default that of `app.listen`. */
  readonly path?: string;
  /** Whom every client is taken for; default nobody, who has no scopes and no roles. */
  readonly localPrincipal?: Principal;
}

/** Serves an application on a Unix socket that only its user can reach, in a program that runs its own loop. The checks of `app.listen` hold. */
export function connectUds(app: McpApplication, { path, localPrincipal }: SocketConnection = {}): Promise<TransportHandle> {
  const said = { ...(path === undefined ? {} : { socketPath: path }), ...(localPrincipal === undefined ? {} : { localPrincipal }) };
  return connectTransport(app, said, { name: 'uds' });
}

const warned = new WeakSet<McpApplication>();

/**
 * @deprecated The HTTP+SSE transport of 2024-11-05 is not served; this is {@link connectStreamableHttp} under its old name, and says so once.
 */
export async function connectSse(app: McpApplication, options: HttpConnection = {}): Promise<TransportHandle> {
  if (!warned.has(app))
    internalsOf(app).parts.logger.warn('connectSse() is an old name of connectStreamableHttp(); it serves Streamable HTTP.');
  warned.add(app);
  return connectStreamableHttp(app, options);
}

interface Wanted {
  readonly name: TransportName;
  readonly onGone?: (() => void) | undefined;
}

async function connectTransport(app: McpApplication, options: ListenOptions, { name, onGone }: Wanted): Promise<TransportHandle> {
  const { parts, doors } = internalsOf(app);
  const sources = { ...parts, argv: process.argv.slice(2), env: process.env };
  const resolved = await resolveListenOptions({ ...options, transports: [name] }, sources);
  await app.init();
  const door = {};
  const opening: { handle?: TransportHandle } = {};
  const clientGone = async (): Promise<void> => {
    await opening.handle?.close().catch((error: unknown) => parts.logger.debug(`${name} did not close: ${String(error)}`));
    onGone?.();
  };
  const isReady = async (): Promise<boolean> => (await app.health()).status === 'up';
  const [opened] = await openTransports(parts.endpoint.atDoor(door), { ...resolved, isReady }, () => void clientGone());
  const handle = loneHandle(opened as TransportHandle, doors, { door, graceMs: parts.limits.graceMs });
  opening.handle = handle;
  await doors.keep([handle]);
  // It may have been closed while the door was opened.
  await app.init();
  announce(parts, { handles: [handle], options: resolved, env: process.env });
  return handle;
}
