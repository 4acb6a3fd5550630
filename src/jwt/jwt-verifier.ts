import type * as Jose from 'jose';
import type { OnModuleInit } from '../contracts/lifecycle';
import type { Principal } from '../contracts/principal';
import { TokenVerifier } from '../contracts/token-verifier';
import { loadPeer } from '../errors/load-peer';
import { KeysUnavailable } from './fetch-keys';
import { algorithmsOf, checkOptions, type JwtVerifierOptions } from './jwt-options';
import { keySource, type KeySource } from './key-source';
import { principalOfClaims, type JwtClaims } from './principal-of-claims';

/** How many keys are tried for a token that names none of several. */
const MOST_TRIES = 8;

const DEFAULT_TOLERANCE_S = 5;

/** What verification runs with, once jose is there. */
interface Loaded {
  readonly jose: typeof Jose;
  readonly keys: KeySource;
}

/**
 * Accepts JSON Web Tokens of one issuer for one audience, by jose, an optional peer. A token is good that is signed with a key of the issuer and
 * an accepted algorithm, names both, has an `exp` that has not passed and no `nbf` that has not come, and says who it is for.
 *
 * Pass one to `listen({ verifier })`, or provide one under `TokenVerifier`. The constructor throws an `McpSetupError` for options that would let
 * in too many or nobody. No token, and nothing that stands in one, is part of an error or of a log line.
 */
export class JwtVerifier extends TokenVerifier implements OnModuleInit {
  readonly #options: JwtVerifierOptions;
  #loading: Promise<Loaded> | undefined;

  constructor(options: JwtVerifierOptions) {
    super();
    checkOptions(options);
    this.#options = Object.freeze({ ...options });
  }

  /** Loads jose. Rejects with an `McpSetupError` that names the command which installs it. */
  async onModuleInit(): Promise<void> {
    await this.#load();
  }

  /** Undefined for a token that is not good. Rejects while there are no keys to check it with. */
  async verify(token: string): Promise<Principal | undefined> {
    const { jose, keys } = await this.#load();
    try {
      const principal = this.principalOf(await this.#claimsIn(token, { jose, keys }));
      if (principal === undefined) this.#options.logger?.debug?.('A token was refused: its claims do not say whose it is');
      return principal;
    } catch (error) {
      if (error instanceof KeysUnavailable) throw error;
      this.#options.logger?.debug?.(`A token was refused: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Says whom the claims of a good token belong to; undefined refuses it. To be overridden for issuers that say it elsewhere. */
  protected principalOf(claims: JwtClaims): Principal | undefined {
    return principalOfClaims(claims, this.#options);
  }

  async #claimsIn(token: string, { jose, keys }: Loaded): Promise<JwtClaims> {
    const checks = this.#checks();
    try {
      return (await jose.jwtVerify(token, keys, checks)).payload;
    } catch (error) {
      if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
      return await firstGood(jose, token, { candidates: error, checks });
    }
  }

  #checks(): Jose.JWTVerifyOptions {
    const { issuer, audience, typ, clockToleranceS = DEFAULT_TOLERANCE_S, idClaim = 'sub' } = this.#options;
    return {
      issuer,
      audience: typeof audience === 'string' ? audience : [...audience],
      algorithms: [...algorithmsOf(this.#options)],
      clockTolerance: clockToleranceS,
      requiredClaims: ['exp', idClaim],
      ...(typ === undefined ? {} : { typ }),
    };
  }

  #load(): Promise<Loaded> {
    this.#loading ??= loadPeer('jose', 'perch-mcp/jwt', () => import('jose')).then((jose) => ({
      jose,
      keys: keySource(jose, this.#options),
    }));
    return this.#loading;
  }
}

/** The same with jose loaded already, so that a missing one stops the boot: `{ provide: TokenVerifier, useFactory: () => jwtVerifier({…}) }`. */
export async function jwtVerifier(options: JwtVerifierOptions): Promise<JwtVerifier> {
  const verifier = new JwtVerifier(options);
  await verifier.onModuleInit();
  return verifier;
}

interface Candidates {
  readonly candidates: AsyncIterable<Jose.CryptoKey>;
  readonly checks: Jose.JWTVerifyOptions;
}

/** A token may leave out which of several keys it is signed with (RFC 7515, 4.1.4). */
async function firstGood(jose: typeof Jose, token: string, { candidates, checks }: Candidates): Promise<JwtClaims> {
  let tries = 0;
  for await (const key of candidates) {
    try {
      return (await jose.jwtVerify(token, key, checks)).payload;
    } catch (error) {
      if (!(error instanceof jose.errors.JWSSignatureVerificationFailed) || (tries += 1) >= MOST_TRIES) throw error;
    }
  }
  throw new jose.errors.JWSSignatureVerificationFailed();
}

/** The code of the check that failed, and the claim it is about; never a value. */
function reasonOf(error: unknown): string {
  const { code, claim } = error as { readonly code?: unknown; readonly claim?: unknown };
  return [code, claim].filter((each) => typeof each === 'string').join(' ') || 'not a token';
}
