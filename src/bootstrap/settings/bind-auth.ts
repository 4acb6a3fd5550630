import { lookup } from 'node:dns/promises';
import { isLoopbackAddress } from '../../policy/loopback';
import { chooseVerifier, invalid } from '../choose-verifier';
import { SILENT } from '../silent-logger';
import type { SettingSources } from './door-options';
import { chooseHttpPlace } from './http-place';
import { resolveTransports } from './transports';

/** The address that HTTP binds with these sources; default `127.0.0.1`. Throws an `McpSetupError` for two names of it that disagree. */
export function resolveBindHost(sources: SettingSources = {}): string {
  return chooseHttpPlace(sources).host;
}

/**
 * True for what only this machine can reach: `localhost`, 127.0.0.0/8 and ::1, in brackets or not. Any other name is none, since it can
 * resolve to anything; nor is an IPv4 address in the form of IPv6.
 */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'));
}

/**
 * Throws an `McpSetupError` where HTTP would listen on an address that other machines can reach and ask nobody for a token. An `authToken`,
 * `PERCH_AUTH_TOKEN` or a `verifier` counts, and a Unix socket is reached by its owner only. `listen` calls the same check, with what a
 * name resolves to.
 */
export function validateBindAuth(sources: SettingSources = {}): void {
  if (!resolveTransports(sources).includes('http')) return;
  const { options = {}, env = process.env } = sources;
  const { host, httpSocketPath } = chooseHttpPlace(sources);
  const verifier = chooseVerifier(options, { env, verifier: undefined, logger: SILENT });
  if (httpSocketPath === undefined && verifier === undefined) mustBeLoopback(host, [host]);
}

/**
 * The address to bind, where nobody is asked for a token: whoever can reach the port can call every tool, so another machine must not reach
 * it. A name counts as what it resolves to now, and that is what is bound, whatever it resolves to a moment later.
 */
export async function loopbackAddressOf(host: string): Promise<string> {
  const found = await lookup(host, { all: true }).catch(() => []);
  const addresses = found.map(({ address }) => address);
  return mustBeLoopback(host, addresses);
}

function mustBeLoopback(host: string, addresses: readonly string[]): string {
  const [first] = addresses;
  if (first !== undefined && addresses.every(isLoopback)) return first;
  throw invalid(
    `HTTP must not listen on "${host}", which is not a loopback address, without asking for a token`,
    'Leave host out, or set it to 127.0.0.1 or ::1.\nSet authToken or PERCH_AUTH_TOKEN, pass a verifier, or provide a TokenVerifier.',
  );
}
