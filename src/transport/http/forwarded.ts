import type { IncomingMessage } from 'node:http';

/** How clients reached the server. */
export interface Reached {
  readonly host: string | undefined;
  readonly scheme: 'http' | 'https';
}

/**
 * The host and scheme of a request. With a trusted proxy they are what it says of the connection it took; the last value is its own, and
 * what stands before it may come from anyone. Without one, no header says anything of another connection.
 */
export function reachedBy(request: IncomingMessage, trustsProxy: boolean): Reached {
  const { host = [] } = request.headersDistinct;
  if (!trustsProxy) return { host: host[0], scheme: 'http' };
  return {
    host: lastOf(request, 'x-forwarded-host') ?? host[0],
    scheme: lastOf(request, 'x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http',
  };
}

function lastOf(request: IncomingMessage, name: string): string | undefined {
  return request.headersDistinct[name]?.at(-1)?.split(',').at(-1)?.trim();
}
