// The code of docs/http.md. http-page.test.ts runs it.
import type { ListenOptions, TokenVerifier } from 'perch-mcp';

export const local: ListenOptions =
  // #region local
  { transports: ['http'], port: 3000 };
// #endregion local

export const named: ListenOptions =
  // #region named
  { transports: ['http'], host: '0.0.0.0', allowedHosts: ['mcp.example', 'mcp.internal:8080'], authToken: process.env['MCP_TOKEN'] ?? '' };
// #endregion named

export const pages: ListenOptions =
  // #region pages
  { transports: ['http'], allowedOrigins: ['https://app.example', 'http://dev.example:5173'] };
// #endregion pages

export function behindProxy(verifier: TokenVerifier): ListenOptions {
  return (
    // #region proxy
    { transports: ['http'], host: '10.0.0.5', allowedHosts: ['mcp.example'], trustProxy: true, verifier }
    // #endregion proxy
  );
}

export function withMetadata(verifier: TokenVerifier): ListenOptions {
  return (
    // #region metadata
    {
      transports: ['http'],
      verifier,
      resourceMetadata: {
        authorizationServers: ['https://auth.example'],
        scopesSupported: ['docs:read', 'docs:write'],
      },
    }
    // #endregion metadata
  );
}

export const stateless: ListenOptions =
  // #region stateless
  { transports: ['http'], sessions: false };
// #endregion stateless
