import type { IncomingMessage } from 'node:http';

/** The path as it was sent, without the query. It is compared and never resolved, so no spelling of another path passes for ours. */
export function pathOf(request: IncomingMessage): string {
  const [path = ''] = (request.url ?? '').split('?', 1);
  return path;
}
