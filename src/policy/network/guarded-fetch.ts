import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { AccessError } from '../../errors/access-error';
import type { Policy } from '../policy';
import { withDeadline } from './deadline';
import { exchange, hostOf, portOf, type Answer, type Hop } from './exchange';
import { nextHop } from './next-hop';

/** The questions of a policy that a guarded fetch asks. */
export type NetworkPolicy = Pick<Policy, 'allowsNetwork' | 'allowsAddress'>;

/** Bounds and means of every fetch. */
export interface GuardedFetchOptions {
  /** Bytes of an answer's body. Default 10 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds for everything, from the first lookup to the last byte. Default 30,000. */
  readonly timeoutMs?: number;
  /** Redirects that are followed. Default 5. */
  readonly maxRedirects?: number;
  /** Resolves a name to all its addresses; default: the operating system. Every address must be allowed. */
  readonly lookup?: (host: string) => Promise<readonly LookupAddress[]>;
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string;
}

/** What a caller may say about one request. The body is read whole before it is sent. */
export type GuardedFetchInit = Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>;

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:']);

/** Headers that make the connection what it is, or lead past the name that was decided. */
const NOT_FOR_CALLERS = /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/;

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * `fetch` under a policy, for http and https. The name is resolved once, every address is decided, and the connection goes to one of those;
 * each redirect is decided again. Answers are read whole and are not decompressed. Rejects with an `AccessError`, with the reason of the
 * caller's signal, or, for a request that is malformed, with a `TypeError`.
 */
export class GuardedFetch {
  readonly #policy: NetworkPolicy;
  readonly #options: Required<Omit<GuardedFetchOptions, 'ca'>> & Pick<GuardedFetchOptions, 'ca'>;

  constructor(policy: NetworkPolicy, options: GuardedFetchOptions = {}) {
    this.#policy = policy;
    this.#options = { maxBytes: 10 * 1024 * 1024, timeoutMs: 30_000, maxRedirects: 5, lookup: lookupAll, ...options };
  }

  /** As the global `fetch`, without its options for cookies, caches and modes. */
  async fetch(input: string | URL, init: GuardedFetchInit = {}): Promise<Response> {
    const { signal, ...rest } = init;
    const hop = await toHop(input, rest);
    const timeoutMs = this.#options.timeoutMs;
    return withDeadline({ timeoutMs, signal: signal ?? undefined }, async (bounded) => {
      try {
        return await this.#follow(hop, bounded);
      } catch (error) {
        bounded.throwIfAborted();
        throw error instanceof AccessError ? error : new AccessError('failed', { cause: error });
      }
    });
  }

  async #follow(first: Hop, signal: AbortSignal): Promise<Response> {
    const { maxBytes, ca, maxRedirects } = this.#options;
    let hop = first;
    for (let redirects = 0; ; redirects++) {
      const addresses = await this.#admit(hop.url);
      signal.throwIfAborted();
      const answer = await exchange(hop, { addresses, signal, maxBytes, ca });
      const next = nextHop(hop, answer);
      if (next === undefined) return toResponse(answer, { url: hop.url, redirected: redirects > 0 });
      if (redirects === maxRedirects) throw new AccessError('failed');
      hop = next;
    }
  }

  /** The addresses that this URL may be fetched from. One that is not allowed refuses them all: the next answer may hold only that one. */
  async #admit(url: URL): Promise<readonly LookupAddress[]> {
    if (!SCHEMES.has(url.protocol) || !this.#policy.allowsNetwork(url.href)) throw new AccessError('denied');
    const host = hostOf(url);
    const family = isIP(host);
    const addresses = family === 0 ? await this.#options.lookup(host) : [{ address: host, family }];
    if (addresses.length === 0) throw new AccessError('failed');
    if (addresses.every(({ address }) => this.#policy.allowsAddress(address, portOf(url)))) return addresses;
    throw new AccessError('denied');
  }
}

function lookupAll(host: string): Promise<readonly LookupAddress[]> {
  return lookup(host, { all: true });
}

/** Lets the standard's own `Request` read what the caller gave. */
async function toHop(input: string | URL, init: GuardedFetchInit): Promise<Hop> {
  const text = String(input);
  // `Request` knows no relative URL, and would name this one in its error.
  if (!URL.canParse(text)) throw new AccessError('denied');
  const url = new URL(text);
  if (!SCHEMES.has(url.protocol) || url.username !== '' || url.password !== '') throw new AccessError('denied');
  const request = new Request(url, init);
  const headers = new Headers(request.headers);
  for (const name of headers.keys()) if (NOT_FOR_CALLERS.test(name)) throw new TypeError(`The header "${name}" is not the caller's to set`);
  if (!headers.has('accept')) headers.set('accept', '*/*');
  headers.set('accept-encoding', 'identity');
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  return { url, method: request.method, headers, body };
}

function toResponse(answer: Answer, facts: { readonly url: URL; readonly redirected: boolean }): Response {
  const { status, statusText, headers } = answer;
  const body = WITHOUT_BODY.has(status) ? null : answer.body;
  const response = new Response(body, { status, statusText, headers });
  Object.defineProperties(response, { url: { value: facts.url.href }, redirected: { value: facts.redirected } });
  return response;
}
