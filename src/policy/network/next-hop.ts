import { AccessError } from '../../errors/access-error';
import type { Answer, Hop } from './exchange';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The headers that another origin may see; whatever else a caller set could be a credential. */
const FOR_OTHER_ORIGINS: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent']);

const OF_A_BODY: ReadonlySet<string> = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

/**
 * The request that a redirect asks for, after the rules of the Fetch standard; undefined when the answer is none. Stricter in two ways:
 * another origin gets none of the caller's headers beyond the harmless ones, and no body.
 */
export function nextHop(hop: Hop, { status, headers }: Answer): Hop | undefined {
  const location = headers.get('location');
  if (!REDIRECTS.has(status) || location === null) return undefined;
  if (!URL.canParse(location, hop.url.href)) throw new AccessError('failed');
  const url = new URL(location, hop.url);
  const isSameOrigin = url.origin === hop.url.origin;
  const method = methodAfter(status, hop.method);
  const keepsBody = method === hop.method && hop.body !== undefined;
  if (keepsBody && !isSameOrigin) throw new AccessError('denied');
  const kept = [...hop.headers].filter(([name]) => (isSameOrigin || FOR_OTHER_ORIGINS.has(name)) && (keepsBody || !OF_A_BODY.has(name)));
  return { url, method, headers: new Headers(kept), body: keepsBody ? hop.body : undefined };
}

function methodAfter(status: number, method: string): string {
  if (status === 303) return method === 'HEAD' ? method : 'GET';
  return status < 303 && method === 'POST' ? 'GET' : method;
}
