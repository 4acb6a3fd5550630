import type { LookupAddress } from 'node:dns';
import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { AccessError } from '../../errors/access-error';

/** One request to one place. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
}

/** How one request is sent. */
export interface ExchangeOptions {
  /** The only addresses a connection is made to. */
  readonly addresses: readonly LookupAddress[];
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly ca: string | undefined;
}

/** The whole answer to one request. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Sends one request over a connection of its own to an address that was decided, under the name of the URL, and reads the whole answer. */
export async function exchange(hop: Hop, options: ExchangeOptions): Promise<Answer> {
  const response = await send(hop, options);
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: headersOf(response),
    body: await readBody(response, options.maxBytes),
  };
}

function send(hop: Hop, options: ExchangeOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (hop.url.protocol === 'https:' ? requestHttps : requestHttp)(requestOptions(hop, options), resolve);
    request.on('error', reject);
    // Without a listener of its own an upgraded socket would be left to itself.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new AccessError('failed'));
    });
    request.end(hop.body);
  });
}

function requestOptions({ url, method, headers }: Hop, { addresses, signal, ca }: ExchangeOptions): RequestOptions & { ca?: string } {
  return {
    protocol: url.protocol,
    hostname: hostOf(url),
    port: portOf(url),
    path: url.pathname + url.search,
    method,
    headers: Object.fromEntries(headers),
    lookup: pinnedTo(addresses),
    // A connection kept for later could have been made to an address that was decided for another request, or through a proxy.
    agent: false,
    signal,
    ...(ca === undefined ? {} : { ca }),
  };
}

/** The name of a URL, or its address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The port that a connection for this URL is made to. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function pinnedTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  // Leaving the loop early destroys the response, and its connection with it.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > maxBytes) throw new AccessError('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, total);
}
