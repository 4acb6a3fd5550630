import type { Principal } from './principal';

/**
 * Says whom a bearer token belongs to. Provide one under this token, or pass one as `listen({ verifier })`, and HTTP serves nobody without a
 * token that it accepts. Asked at every request, before its body is read and before anything is made for it; cache inside it if that costs.
 *
 * Only a principal admits, with an id and a list of scopes. Whatever else comes back, a throw, a rejection, or no answer within
 * `limits.verifyMs`, is answered 401. It is one object for the whole application, so it cannot live in request scope.
 */
export abstract class TokenVerifier {
  /** Nothing of the token may stand in what it returns: the id goes into the audit. */
  abstract verify(token: string): Principal | null | undefined | Promise<Principal | null | undefined>;
}
