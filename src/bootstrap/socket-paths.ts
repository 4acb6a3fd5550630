import { invalid } from './choose-verifier';

/** The listen options that name Unix sockets. */
export interface SocketPaths {
  /** The socket of the transport `uds`; default `--socket`, then `PERCH_SOCKET`. Its directory is created if only that is missing. */
  readonly socketPath?: string;
  /** A Unix socket for HTTP in the place of host and port; default `--http-socket`, then `PERCH_HTTP_SOCKET`. Only this user can reach it. */
  readonly httpSocketPath?: string;
}

/** Where the paths may come from. */
export interface SocketPathSources {
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly transports: readonly string[];
}

/** The sockets to listen on. Throws an `McpSetupError` when `uds` is to be opened and nothing says where. */
export function readSocketPaths(options: SocketPaths, { flags, env, transports }: SocketPathSources): SocketPaths {
  const socketPath = firstOf(options.socketPath, flags['socket'], env['PERCH_SOCKET']);
  const httpSocketPath = firstOf(options.httpSocketPath, flags['http-socket'], env['PERCH_HTTP_SOCKET']);
  if (transports.includes('uds') && socketPath === undefined)
    throw invalid('The transport uds has no path', 'Set socketPath, --socket or PERCH_SOCKET to one such as /run/app/mcp.sock.');
  return { ...(socketPath !== undefined && { socketPath }), ...(httpSocketPath !== undefined && { httpSocketPath }) };
}

/** Empty text is as good as none, as in a shell. */
function firstOf(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text.trim() !== '');
}
