import { resolveListenOptions, type ListenOptions, type ResolvedListenOptions } from '../../src/bootstrap/listen-options';
import { RecordingLogger } from '../support/app';
import { behindProxy, local, named, pages, stateless, withMetadata } from './http-page';

const verifier = { verify: () => undefined };

const resolve = (options: ListenOptions): Promise<ResolvedListenOptions> =>
  resolveListenOptions(options, { argv: [], env: {}, verifier: undefined, logger: new RecordingLogger() });

test('the options of docs/http.md do what it says of them', async () => {
  expect(await resolve(local)).toMatchObject({ host: '127.0.0.1', front: { hosts: ['localhost', '127.0.0.1', '[::1]'], origins: [] } });
  expect(await resolve({ ...named, authToken: 'a'.repeat(32) })).toMatchObject({ front: { hosts: ['mcp.example', 'mcp.internal:8080'] } });
  await expect(resolve(named)).rejects.toMatchObject({ code: 'MCP_OPTION_INVALID' });
  expect(await resolve(pages)).toMatchObject({ front: { origins: ['https://app.example', 'http://dev.example:5173'] } });
  expect(await resolve(behindProxy(verifier))).toMatchObject({ front: { trustProxy: true } });
  expect(await resolve(withMetadata(verifier))).toMatchObject({
    front: { resourceMetadata: { authorizationServers: ['https://auth.example'] } },
  });
  expect(await resolve(stateless)).toMatchObject({ sessions: false });
});
