import { bearerMiddleware, type Middleware } from '../transport/http/auth-middleware';
import { chooseVerifier, invalid, type VerifierOptions } from './choose-verifier';
import { internalsOf, type McpApplication } from './mcp-application';

/**
 * The bearer check of `app.listen`, for a server of the program's own: `(request, response, next)`. A request without a token that the
 * application's verifier, `authToken` or `PERCH_AUTH_TOKEN` accepts is answered 401 with a challenge, audited, and goes no further. Of any
 * other, `request.auth` says whose it is (`clientId`, `scopes`, and the principal in `extra.principal`), never the token, and `next` is called.
 *
 * Host and Origin are left to the program. Throws an `McpSetupError` where nothing says which tokens are good.
 */
export function authMiddleware(app: McpApplication, options: VerifierOptions = {}): Middleware {
  const { parts } = internalsOf(app);
  const verifier = chooseVerifier(options, { ...parts, env: process.env });
  if (verifier !== undefined) return bearerMiddleware(parts.endpoint, verifier);
  throw invalid(
    'authMiddleware() has nobody to ask about tokens, so it would let in nobody or everybody',
    'Set authToken or PERCH_AUTH_TOKEN, pass a verifier, or provide a TokenVerifier.',
  );
}
