/** A set of keys is some kilobytes; what is more is none. */
const MOST_BYTES = 256 * 1024;

/** How keys are fetched. */
export interface FetchKeysOptions {
  /** How long nothing is fetched after a failure, in milliseconds. */
  readonly retryMs: number;
  /** Told of each failure, in our own words. */
  readonly onFailure: (text: string) => void;
}

/** What a verifier throws while it has no keys: nobody can be let in, and it is no fault of the token. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/**
 * A `fetch` for key sets: follows no redirect, reads no more than a bounded body, and asks a server that failed only once in a while, however
 * many tokens come in meanwhile.
 */
export function createKeyFetch({ retryMs, onFailure }: FetchKeysOptions) {
  let failedAt = Number.NEGATIVE_INFINITY;
  return async (url: string, init: RequestInit): Promise<Response> => {
    if (performance.now() - failedAt < retryMs) throw new KeysUnavailable('The keys could not be fetched a moment ago');
    try {
      return await fetchBounded(url, init);
    } catch (error) {
      failedAt = performance.now();
      const text = `The keys at ${url} cannot be fetched: ${reasonOf(error)}`;
      onFailure(text);
      throw new KeysUnavailable(text, { cause: error });
    }
  };
}

async function fetchBounded(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`answered ${String(response.status)}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`answered more than ${String(MOST_BYTES)} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (!isKeySet(text)) throw new Error('answered no key set');
  return new Response(text, { headers: { 'Content-Type': 'application/json' } });
}

/** A proxy's page with status 200 is a failure like any other. */
function isKeySet(text: string): boolean {
  try {
    const value = JSON.parse(text) as { readonly keys?: unknown } | null;
    return Array.isArray(value?.keys) && value.keys.every((key) => typeof key === 'object' && key !== null && !Array.isArray(key));
  } catch {
    return false;
  }
}

/** `fetch` says no more than that it failed; the reason is below. */
function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: NodeJS.ErrnoException };
  return name === 'TimeoutError' ? 'timed out' : (cause?.code ?? message);
}
