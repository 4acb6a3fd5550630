import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Principal } from '../contracts/principal';
import type { TransportHandle } from '../contracts/transport';
import type { McpEndpoint } from '../protocol/mcp-endpoint';
import { LineTransport } from './line-transport';
import { guardStdout } from './stdout-guard';

/** What stdio is opened with. */
export interface StdioOptions {
  /** Default: `process.stdin`. */
  readonly input?: Readable | undefined;
  /** Default: `process.stdout`, which then carries nothing but the protocol until the handle is closed. */
  readonly output?: Writable | undefined;
  /** Whom the client is taken for; default nobody, who has no scopes and no roles. */
  readonly principal?: Principal | undefined;
  /** Called once when the client has gone. The transport itself goes on answering what has come in. */
  readonly onGone: () => void;
}

/** Serves MCP on a pair of streams, both eras: the first message decides (specification: stdio transport). */
export function openStdio(endpoint: McpEndpoint, { input = process.stdin, output, principal, onGone }: StdioOptions): TransportHandle {
  const guarded = output === undefined ? guardStdout() : undefined;
  const { limits, logger, acceptsBatches } = endpoint;
  const at = { transport: 'stdio', principal } as const;
  const admitListen = (message: Record<string, unknown>): Promise<Record<string, unknown>> => endpoint.admitListen(message, at);
  const real = guarded?.output ?? output ?? process.stdout;
  const transport = new LineTransport({ input, output: real, limits, logger, acceptsBatches, admitListen, onGone });
  const served = serveStdio(({ era }) => endpoint.createServer({ era, ...at, isLongLived: true }), {
    transport,
    onerror: (error) => logger.debug(`stdio: ${error.message}`),
  });
  return {
    mode: 'stdio',
    stopAccepting: () => transport.stopAccepting(),
    whenAnswered: () => transport.whenAnswered(),
    close: async () => {
      await served.close();
      guarded?.restore();
    },
  };
}
