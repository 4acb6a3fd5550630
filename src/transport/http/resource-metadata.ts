import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  buildOAuthProtectedResourceMetadata,
  getOAuthProtectedResourceMetadataUrl,
  type AuthMetadataOptions,
} from '@modelcontextprotocol/server';
import type { ResourceMetadataOptions } from '../../contracts/resource-metadata';
import { refuse } from './answers';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

// RFC 6749, 3.3.
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Tells clients where they get a token (RFC 9728; specification: Authorization Server Discovery). */
export class ResourceMetadata {
  readonly #paths: ReadonlySet<string>;

  constructor(
    private readonly options: ResourceMetadataOptions,
    path: string,
  ) {
    const own = options.resource === undefined ? [] : [new URL(urlFor(options.resource)).pathname];
    this.#paths = new Set([WELL_KNOWN, new URL(urlFor(`http://localhost${path}`)).pathname, ...own]);
  }

  /** True for a path at which a client looks for the document. */
  isAt(path: string): boolean {
    return this.#paths.has(path);
  }

  /** The parameters of a 401 challenge, after its scheme and error. `publicUrl` is the address of MCP that the request was sent to. */
  challenge(publicUrl: string | undefined): readonly string[] {
    const { scopesSupported = [] } = this.options;
    const url = this.urlOf(publicUrl);
    return [
      ...(url === undefined ? [] : [`resource_metadata="${url}"`]),
      ...(scopesSupported.length === 0 ? [] : [`scope="${scopesSupported.join(' ')}"`]),
    ];
  }

  /** Where the document about the resource is. */
  urlOf(publicUrl: string | undefined): string | undefined {
    const { resource = publicUrl } = this.options;
    return resource === undefined ? undefined : urlFor(resource);
  }

  serve(request: IncomingMessage, response: ServerResponse, publicUrl = ''): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return refuse(response, 405, 'Method not allowed');
    }
    const body = JSON.stringify(documentOf(this.options, publicUrl));
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}

function urlFor(resource: string): string {
  return getOAuthProtectedResourceMetadataUrl(new URL(resource));
}

function documentOf(options: ResourceMetadataOptions, publicUrl: string): object {
  const { authorizationServers, resource = publicUrl } = options;
  return {
    ...buildOAuthProtectedResourceMetadata(forServer(options, authorizationServers[0] ?? '', resource)),
    // The SDK's document names one server and writes addresses anew; clients compare them with what they were given.
    resource,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ['header'],
  };
}

function forServer(options: ResourceMetadataOptions, issuer: string, resource: string): AuthMetadataOptions {
  const { scopesSupported, resourceName, resourceDocumentation } = options;
  return {
    // Of the authorization server's own metadata the SDK reads the issuer alone here.
    oauthMetadata: { issuer } as AuthMetadataOptions['oauthMetadata'],
    resourceServerUrl: new URL(resource),
    ...(scopesSupported === undefined ? {} : { scopesSupported: [...scopesSupported] }),
    ...(resourceName === undefined ? {} : { resourceName }),
    ...(resourceDocumentation === undefined ? {} : { serviceDocumentationUrl: new URL(resourceDocumentation) }),
  };
}

/** What is wrong with the options, or undefined. Every issuer is held against what the SDK asks of one: https, or this machine. */
export function problemOfMetadata(options: ResourceMetadataOptions): string | undefined {
  const { authorizationServers, resource, scopesSupported = [], resourceName, resourceDocumentation } = options;
  if (!Array.isArray(authorizationServers) || authorizationServers.length === 0) return 'authorizationServers names no server';
  if (resource !== undefined && (!isWebAddress(resource) || new URL(resource).hash !== ''))
    return `resource ${shown(resource)} is no web address`;
  if (resourceDocumentation !== undefined && !isWebAddress(resourceDocumentation)) return 'resourceDocumentation is no web address';
  if (resourceName !== undefined && typeof resourceName !== 'string') return 'resourceName is no text';
  if (!Array.isArray(scopesSupported) || !scopesSupported.every((each) => typeof each === 'string' && SCOPE.test(each)))
    return 'scopesSupported is no list of scopes';
  for (const issuer of authorizationServers as readonly unknown[]) {
    if (!isWebAddress(issuer)) return `authorizationServers: ${shown(issuer)} is no web address`;
    try {
      buildOAuthProtectedResourceMetadata(forServer({ authorizationServers: [] }, issuer, resource ?? 'http://localhost'));
    } catch (error) {
      return `authorizationServers: ${shown(issuer)}: ${(error as Error).message}`;
    }
  }
  return undefined;
}

function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : typeof value;
}
