import { Injectable, McpTool, Scopes, type ListenOptions, type Principal } from 'perch-mcp';
import { resolveListenOptions } from '../../src/bootstrap/listen-options';
import { closeApps, createApp, RecordingLogger } from '../support/app';
import { ask, INITIALIZE, JSON_HEADERS, modern } from '../support/wire';

@Injectable()
class Tools {
  @Scopes('docs:write')
  @McpTool({ name: 'write', description: 'Writes' })
  write(): string {
    return 'written';
  }
}

afterEach(closeApps);

const verifier = {
  verify: (token: string): Principal | undefined => (token === 'good' ? { id: 'ada', scopes: ['docs:read'] } : undefined),
};
const SERVERS = ['https://auth.example', 'https://login.example/tenant/'];
const metadata = { authorizationServers: SERVERS };
const ROOT = '/.well-known/oauth-protected-resource';

async function serve(options: ListenOptions): Promise<string> {
  const app = await createApp([Tools]);
  await app.listen({ transports: ['http'], port: 0, shutdownHooks: false, verifier, ...options });
  return app.handles[0]?.url ?? '';
}

const WRITE = modern('tools/call', { name: 'write' });
const asAda = { ...WRITE, headers: { ...WRITE.headers, authorization: 'Bearer good' } };

test('who has no token reads where to get one, at both places, and nobody else does [http.metadata]', async () => {
  const url = await serve({
    resourceMetadata: {
      ...metadata,
      scopesSupported: ['docs:read', 'docs:write'],
      resourceName: 'Documents',
      resourceDocumentation: 'https://docs.example/mcp',
    },
  });
  for (const path of [ROOT, `${ROOT}/mcp`]) {
    const answer = await ask(url, { method: 'GET', path });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(answer.text)).toEqual({
      resource: url,
      authorization_servers: SERVERS,
      scopes_supported: ['docs:read', 'docs:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Documents',
      resource_documentation: 'https://docs.example/mcp',
    });
    expect((await ask(url, { method: 'GET', path, headers: { host: 'evil.example' } })).status).toBe(403);
    const foreign = await ask(url, { method: 'GET', path, headers: { origin: 'https://evil.example' } });
    expect([foreign.status, foreign.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    const posted = await ask(url, { path, headers: JSON_HEADERS, body: '{}' });
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    const head = await ask(url, { method: 'HEAD', path });
    expect([head.status, head.text]).toEqual([200, '']);
  }
  for (const path of [`${ROOT}/other`, `${ROOT}/`, '/.well-known/oauth-authorization-server'])
    expect((await ask(url, { method: 'GET', path })).status).toBe(401);
});

test('the challenges of 401 and 403 lead there, in both eras [http.metadata]', async () => {
  const url = await serve({ resourceMetadata: { ...metadata, scopesSupported: ['docs:read', 'docs:write'] } });
  const at = `resource_metadata="${url.replace('/mcp', `${ROOT}/mcp`)}"`;
  const scope = 'scope="docs:read docs:write"';
  expect((await ask(url, WRITE)).headers['www-authenticate']).toBe(`Bearer ${at}, ${scope}`);
  const wrong = await ask(url, { ...WRITE, headers: { ...WRITE.headers, authorization: 'Bearer bad' } });
  expect(wrong.headers['www-authenticate']).toBe(`Bearer error="invalid_token", ${at}, ${scope}`);
  const denied = await ask(url, asAda);
  expect(denied.status).toBe(403);
  expect(denied.headers['www-authenticate']).toMatch(/^Bearer error="insufficient_scope".*scope="docs:write"/);
  expect(denied.headers['www-authenticate']).toContain(at);
  const authorization = 'Bearer good';
  const begun = await ask(url, { headers: { ...JSON_HEADERS, authorization }, body: JSON.stringify(INITIALIZE) });
  const legacy = await ask(url, {
    headers: { ...JSON_HEADERS, authorization, 'mcp-session-id': String(begun.headers['mcp-session-id']) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write' } }),
  });
  expect([legacy.status, legacy.headers['www-authenticate']]).toEqual([403, expect.stringContaining(at)]);
});

test('the resource is the address that a client used, and the scheme that a trusted proxy says', async () => {
  const url = await serve({ resourceMetadata: metadata, allowedHosts: ['mcp.example'], trustProxy: true });
  const resourceOf = async (headers: Record<string, string>): Promise<unknown> =>
    (JSON.parse((await ask(url, { method: 'GET', path: ROOT, headers })).text) as { resource: unknown }).resource;
  expect(await resourceOf({ host: 'MCP.example' })).toBe('http://mcp.example/mcp');
  const proxied = { host: 'inner:1', 'x-forwarded-host': 'mcp.example', 'x-forwarded-proto': 'http, https' };
  expect(await resourceOf(proxied)).toBe('https://mcp.example/mcp');
  expect(await resourceOf({ host: 'mcp.example', 'x-forwarded-proto': 'javascript' })).toBe('http://mcp.example/mcp');
  const challenged = await ask(url, { ...WRITE, headers: { ...WRITE.headers, ...proxied } });
  expect(challenged.headers['www-authenticate']).toBe(`Bearer resource_metadata="https://mcp.example${ROOT}/mcp"`);
});

test('D4: without trustProxy the scheme is not taken from a header', async () => {
  const url = await serve({ resourceMetadata: metadata, allowedHosts: ['mcp.example'] });
  const headers = { host: 'mcp.example', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' };
  const answer = await ask(url, { method: 'GET', path: ROOT, headers });
  expect(JSON.parse(answer.text)).toMatchObject({ resource: 'http://mcp.example/mcp' });
});

test('a resource that is named is told to everybody, and found under its own path too', async () => {
  const resource = 'https://public.example/tools/mcp';
  const url = await serve({ resourceMetadata: { ...metadata, resource }, allowedHosts: '*' });
  for (const path of [ROOT, `${ROOT}/mcp`, `${ROOT}/tools/mcp`])
    expect(JSON.parse((await ask(url, { method: 'GET', path, headers: { host: 'any.example' } })).text)).toMatchObject({ resource });
  expect((await ask(url, { ...WRITE, headers: { ...WRITE.headers, host: 'any.example' } })).headers['www-authenticate']).toBe(
    `Bearer resource_metadata="https://public.example${ROOT}/tools/mcp"`,
  );
});

const resolve = (options: ListenOptions): Promise<unknown> =>
  resolveListenOptions({ transports: ['http'], ...options }, { argv: [], env: {}, verifier: undefined, logger: new RecordingLogger() });

test('without a verifier, or where the address cannot be known, it refuses to start', async () => {
  const invalid = (text: string) => ({ code: 'MCP_OPTION_INVALID', message: expect.stringContaining(text) as string });
  await expect(resolve({ resourceMetadata: metadata })).rejects.toMatchObject(invalid('no verifier'));
  await expect(resolve({ resourceMetadata: metadata, authToken: 'a'.repeat(32) })).rejects.toMatchObject(invalid('no verifier'));
  await expect(resolve({ resourceMetadata: metadata, verifier, allowedHosts: '*' })).rejects.toMatchObject(invalid('cannot be known'));
  await expect(resolve({ resourceMetadata: metadata, verifier, host: '0.0.0.0' })).rejects.toMatchObject(invalid('names it is reached'));
  await expect(resolve({ resourceMetadata: metadata, verifier, host: '0.0.0.0', allowedHosts: ['mcp.example'] })).resolves.toBeDefined();
});

test.each<[string, object]>([
  ['no servers', { authorizationServers: [] }],
  ['servers that are no list', { authorizationServers: 'https://auth.example' }],
  ['a server without https', { authorizationServers: ['https://auth.example', 'http://auth.example'] }],
  ['a server with a query', { authorizationServers: ['https://auth.example?x=1'] }],
  ['a server that is no address', { authorizationServers: ['auth.example'] }],
  ['a resource that is no address', { ...metadata, resource: '/mcp' }],
  ['a resource with a fragment', { ...metadata, resource: 'https://mcp.example/mcp#x' }],
  ['scopes that are none', { ...metadata, scopesSupported: ['a b'] }],
  ['a scope that would break the challenge', { ...metadata, scopesSupported: ['a"'] }],
  ['a page that is no address', { ...metadata, resourceDocumentation: 'docs' }],
  ['a name that is no text', { ...metadata, resourceName: 7 }],
])('%s in resourceMetadata refuses to start', async (_what, resourceMetadata) => {
  await expect(resolve({ resourceMetadata: resourceMetadata as never, verifier })).rejects.toMatchObject({
    code: 'MCP_OPTION_INVALID',
    message: expect.stringContaining('resourceMetadata.') as string,
  });
});
