import { isIPv6 } from 'node:net';
import { addressBytes, type AddressBytes } from './address';

/** Where a connection would go. */
export interface NetworkTarget {
  /** The name in the form of the URL parser: lower case, punycode, without the dot at its end. For an address, its text. */
  readonly host: string;
  /** The bytes, when the host is an address. */
  readonly address: AddressBytes | undefined;
  /** Undefined when the question named none. */
  readonly port: number | undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = Object.freeze({ 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 });
const LONGEST_TARGET = 16_384;
const LAST_PORT = 65_535;

// Characters that parsers disagree about, and those that the URL parser drops without a word.
const AMBIGUOUS = /[\0-\x20\x7f\\\p{Surrogate}]/u;
const URL_TEXT = /^([a-z][a-z0-9+.-]*:)\/\/([^/?#]+)/i;
const HAS_EMPTY_LABEL = /^\.|\.\.|\.$/;
const HOST_TEXT = /^(\[[^\]]*\]|[^:[\]/?#@]+)(?::(\d{1,5}))?$/;

/** Reads what `allowsNetwork` is asked: a URL that connects to a host, `host:port`, or a host. Undefined for everything else. */
export function readTarget(asked: unknown): NetworkTarget | undefined {
  if (typeof asked !== 'string' || asked.length > LONGEST_TARGET || AMBIGUOUS.test(asked)) return undefined;
  return asked.includes('://') ? readUrl(asked) : readHost(asked);
}

/** The host as the URL parser writes it; undefined when there is none. */
export function canonicalHost(host: string): string | undefined {
  const url = /[/?#@\\]/.test(host) ? undefined : parsed(`http://${host}/`);
  return url === undefined ? undefined : hostOf(url);
}

function readUrl(asked: string): NetworkTarget | undefined {
  const [, scheme = '', authority = ''] = URL_TEXT.exec(asked) ?? [];
  const usual = DEFAULT_PORTS[scheme.toLowerCase()];
  // Whoever puts a user before the host wants it to be taken for the host.
  if (usual === undefined || authority.includes('@')) return undefined;
  const url = parsed(asked);
  return url === undefined ? undefined : toTarget(hostOf(url), url.port === '' ? usual : Number(url.port));
}

function readHost(asked: string): NetworkTarget | undefined {
  const [, host = '', port] = HOST_TEXT.exec(isIPv6(asked) ? `[${asked}]` : asked) ?? [];
  return host === '' ? undefined : toTarget(canonicalHost(host), port === undefined ? undefined : Number(port));
}

function toTarget(host: string | undefined, port: number | undefined): NetworkTarget | undefined {
  if (host === undefined || (port !== undefined && (port < 1 || port > LAST_PORT))) return undefined;
  return { host, address: addressBytes(host), port };
}

function hostOf({ hostname }: URL): string | undefined {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
  return host === '' || HAS_EMPTY_LABEL.test(host) ? undefined : host;
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
