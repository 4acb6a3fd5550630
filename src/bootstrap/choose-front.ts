import { lookup } from 'node:dns/promises';
import type { ResourceMetadataOptions } from '../contracts/resource-metadata';
import type { TokenVerifier } from '../contracts/token-verifier';
import { isHostName, isOrigin, LOOPBACK_NAMES, type AllowedHosts } from '../policy/host-gate';
import { isLoopbackAddress } from '../policy/loopback';
import { SharedToken } from '../policy/shared-token';
import type { HttpFront } from '../transport/http/http-front';
import { problemOfMetadata } from '../transport/http/resource-metadata';
import { invalid } from './choose-verifier';

/** The options that say for whom an HTTP server answers, and what it tells whom. */
export interface FrontOptions {
  /**
   * The host names under which HTTP is reached, each with or without a port. On a loopback address localhost, 127.0.0.1 and [::1] are served
   * besides; any other address needs this list. `'*'` serves every name, and needs a token or a verifier. Default `PERCH_ALLOWED_HOSTS`,
   * separated by commas.
   */
  readonly allowedHosts?: readonly string[] | '*';
  /** The origins of the web pages that may call and read answers, such as `https://app.example`. Default none. */
  readonly allowedOrigins?: readonly string[];
  /** Believes `X-Forwarded-Host` and `X-Forwarded-Proto`. Only for a server that nobody reaches but through a proxy that sets them. */
  readonly trustProxy?: boolean;
  /** Tells clients where they get a token (RFC 9728). Needs a verifier. */
  readonly resourceMetadata?: ResourceMetadataOptions;
}

/** What the front depends on besides its own options. */
export interface FrontFacts {
  /** The address that is bound; undefined for a Unix socket, which no browser reaches. */
  readonly host: string | undefined;
  readonly verifier: TokenVerifier | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Settles for whom HTTP answers, or throws an `McpSetupError` before anything is opened. */
export async function chooseFront(options: FrontOptions, facts: FrontFacts): Promise<HttpFront> {
  const { trustProxy = false, resourceMetadata } = options;
  const origins = options.allowedOrigins ?? [];
  if (!isList(origins)) throw invalid('The option "allowedOrigins" is not a list', 'Pass a list of origins.');
  const foreign = origins.find((each) => !isOrigin(each));
  if (foreign !== undefined)
    throw invalid(
      `${quoted(foreign)} in allowedOrigins is not an origin`,
      'Write each as browsers send it: https://app.example, in lower case, without a path and without the port that its scheme has anyway.',
    );
  if (typeof trustProxy !== 'boolean') throw invalid('The option "trustProxy" is neither true nor false', 'Leave it out for false.');
  const hosts = await chooseHosts(options.allowedHosts ?? listedIn(facts.env['PERCH_ALLOWED_HOSTS']), facts);
  if (resourceMetadata !== undefined) checkMetadata(resourceMetadata, hosts, facts);
  return { hosts, origins, trustProxy, resourceMetadata };
}

/** Whoever may move the server to another address by the environment can name it there too. */
function listedIn(text = ''): AllowedHosts | undefined {
  const names = text.split(',').map((name) => name.trim());
  if (text.trim() === '') return undefined;
  return names.join() === '*' ? '*' : names;
}

async function chooseHosts(allowed: AllowedHosts | undefined, { host, verifier }: FrontFacts): Promise<AllowedHosts> {
  if (allowed === '*') {
    if (verifier !== undefined) return '*';
    throw invalid(
      'HTTP must not serve every host name without asking for a token, since any web page could then reach it',
      "List the names in allowedHosts instead of '*'.\nSet authToken or PERCH_AUTH_TOKEN, pass a verifier, or provide a TokenVerifier.",
    );
  }
  const listed = allowed ?? [];
  if (!isList(listed)) throw invalid('The option "allowedHosts" is not a list', "Pass a list of host names, or '*'.");
  const wrong = listed.find((each) => !isHostName(each));
  if (wrong !== undefined)
    throw invalid(
      `${quoted(wrong)} in allowedHosts is not a host name`,
      'Write each as clients send it: mcp.example, mcp.example:8443 or [2001:db8::1]; without a scheme, a path, or a dot at the end.',
    );
  if (host === undefined || (await isLoopbackHost(host))) return [...LOOPBACK_NAMES, ...listed];
  if (listed.length > 0) return listed;
  throw invalid(
    `HTTP listens on "${host}", which is not a loopback address, and it is not said under which names it is reached`,
    "List the names in allowedHosts or PERCH_ALLOWED_HOSTS, such as allowedHosts: ['mcp.example'].\nWith allowedHosts: '*' every name is served.",
  );
}

/** A name counts as what it resolves to. */
async function isLoopbackHost(host: string): Promise<boolean> {
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => isLoopbackAddress(address));
}

function checkMetadata(metadata: ResourceMetadataOptions, hosts: AllowedHosts, { verifier }: FrontFacts): void {
  // No authorization server issues the one token that all callers share.
  if (verifier === undefined || verifier instanceof SharedToken)
    throw invalid(
      'The option "resourceMetadata" tells clients where they get a token, and there is no verifier that would accept one',
      'Pass a verifier, provide a TokenVerifier, or leave resourceMetadata out.',
    );
  if (typeof metadata !== 'object' || (metadata as unknown) === null)
    throw invalid('The option "resourceMetadata" is not an object', 'Pass { authorizationServers }.');
  const problem = problemOfMetadata(metadata);
  if (problem !== undefined) throw invalid(`resourceMetadata.${problem}`, 'Write addresses in full, such as https://auth.example.');
  if (hosts === '*' && metadata.resource === undefined)
    throw invalid(
      'The address of MCP cannot be known, since every host name is served, and resourceMetadata has to name it',
      'Set resourceMetadata.resource to it, or list the names in allowedHosts.',
    );
}

/** What comes from plain JavaScript can be anything. */
function isList(value: readonly string[]): boolean {
  return Array.isArray(value);
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : `A value of type ${typeof value}`;
}
