import type { TransportHandle } from '../contracts/transport';
import { McpSetupError } from '../errors/setup-error';
import type { McpEndpoint } from '../protocol/mcp-endpoint';
import type { AskReady } from '../transport/http/health-route';
import { openHttp } from '../transport/http/http';
import { openStdio } from '../transport/stdio';
import { giveStdoutBack } from '../transport/stdout-guard';
import { openUds } from '../transport/uds/uds';
import type { ResolvedListenOptions } from './listen-options';
import type { TransportName } from './settings/door-options';

/** What the transports are opened with. */
export interface OpeningOptions extends ResolvedListenOptions {
  readonly isReady: AskReady;
}

/** Gives stdout back to a program whose transports are all known, and none of which speaks there. */
export function giveStdoutBackUnless({ transports, stdio }: Pick<ResolvedListenOptions, 'transports' | 'stdio'>): void {
  if (!transports.includes('stdio') || stdio.output !== undefined) giveStdoutBack();
}

/** Opens every transport, or none: when one fails, those before it are closed and an `McpSetupError` says which and why. */
export async function openTransports(endpoint: McpEndpoint, options: OpeningOptions, onGone: () => void): Promise<TransportHandle[]> {
  const handles: TransportHandle[] = [];
  for (const name of inOpeningOrder(options.transports)) {
    try {
      handles.push(await open(name, endpoint, { options, onGone }));
    } catch (error) {
      await Promise.allSettled(handles.map((handle) => handle.close()));
      throw cannotOpen(name, options, error);
    }
  }
  return handles;
}

/** stdio last: once it is open a client may already be talking, and an address that is taken must be found before. */
function inOpeningOrder(transports: readonly TransportName[]): readonly TransportName[] {
  return [...transports].sort((a, b) => Number(a === 'stdio') - Number(b === 'stdio'));
}

async function open(
  name: TransportName,
  endpoint: McpEndpoint,
  { options, onGone }: { options: OpeningOptions; onGone: () => void },
): Promise<TransportHandle> {
  if (name === 'uds') return openUds(endpoint, { path: options.socketPath ?? '', principal: options.localPrincipal });
  if (name === 'http') return openHttp(endpoint, { ...options, socketPath: options.httpSocketPath });
  return openStdio(endpoint, { ...options.stdio, principal: options.localPrincipal, onGone });
}

function cannotOpen(name: TransportName, options: ResolvedListenOptions, cause: unknown): McpSetupError {
  if (cause instanceof McpSetupError) return cause;
  const place = placeOf(name, options);
  const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
  const fix =
    reason === 'EADDRINUSE'
      ? 'Stop the program that listens there, or set another port, such as with --port or PERCH_PORT.'
      : 'Check that this process may use the address.';
  return new McpSetupError([
    {
      code: 'MCP_TRANSPORT_FAILED',
      problem: `The transport ${name} cannot be opened on ${place}: ${reason}`,
      where: 'app.listen',
      fix,
      cause,
    },
  ]);
}

function placeOf(name: TransportName, { host, port, socketPath, httpSocketPath }: ResolvedListenOptions): string {
  if (name === 'http') return httpSocketPath ?? `${host}:${String(port)}`;
  return name === 'uds' ? (socketPath ?? name) : name;
}
