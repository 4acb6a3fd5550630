import type { Principal } from '../contracts/principal';
import type { TokenVerifier } from '../contracts/token-verifier';
import { isShortToken, readBearerToken } from './bearer-token';
import { readPrincipal } from './read-principal';

/** As whom a request may go on, or why it may not. */
export type Admission = { readonly principal: Principal } | Refusal;

/** Why a request may not go on. */
export interface Refusal {
  /** In the framework's words, for the audit. */
  readonly refused:
    'no token' | 'not one bearer token' | 'token not accepted' | 'verifier gave the token as id' | 'verifier threw' | 'verifier timed out';
  /** What the verifier threw, without the token, for the operator's log. */
  readonly detail?: string;
}

/** Says who asks, from the `Authorization` headers of a request alone. Closed when in doubt, and never rejects. */
export class BearerGate {
  constructor(
    private readonly verifier: TokenVerifier,
    private readonly limitMs: number,
  ) {}

  async admit(authorization: readonly string[]): Promise<Admission> {
    if (authorization.length === 0) return { refused: 'no token' };
    const token = readBearerToken(authorization);
    if (token === undefined) return { refused: 'not one bearer token' };
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<Admission>((resolve) => {
      timer = setTimeout(() => resolve({ refused: 'verifier timed out' }), this.limitMs);
    });
    try {
      return await Promise.race([this.#ask(token), limit]);
    } catch (error) {
      return { refused: 'verifier threw', detail: textOf(error).replaceAll(token, '[token]') };
    } finally {
      clearTimeout(timer);
    }
  }

  async #ask(token: string): Promise<Admission> {
    const principal = readPrincipal(await this.verifier.verify(token));
    if (principal === undefined) return { refused: 'token not accepted' };
    // An id goes into the audit and may be shown; a verifier that hands the token back as one would spread it.
    if (!isShortToken(token) && principal.id.includes(token)) return { refused: 'verifier gave the token as id' };
    return { principal };
  }
}

function textOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'something that cannot be shown';
  }
}
