import type { LoggerService } from '../contracts/logger';
import { throwIfAny, type SetupProblem } from '../errors/setup-error';
import { isLoopbackAddress } from '../policy/loopback';
import { ASYMMETRIC, hashBytesOf, SYMMETRIC, type JwtAlgorithm } from './jwt-algorithms';

/** A public key as JSON (RFC 7517). */
export type PublicJwk = Readonly<Record<string, unknown>>;

/** The options of {@link JwtVerifier}. Exactly one of `jwksUrl`, `keys` and `secret` says whose signatures are good. */
export interface JwtVerifierOptions {
  /** Who issues the tokens: `iss` must be exactly this. */
  readonly issuer: string;
  /** For whom: `aud` must name this server, or one of these names of it (specification: Token Audience Binding and Validation). */
  readonly audience: string | readonly string[];
  /** Where the issuer publishes its keys: https, or http on a loopback address. No redirect is followed. */
  readonly jwksUrl?: string | URL;
  /** The issuer's public keys. */
  readonly keys?: readonly PublicJwk[];
  /** A secret shared with the issuer, of at least as many bytes as the hash has. */
  readonly secret?: string | Uint8Array;
  /** The signatures that are accepted. Default: the asymmetric ones; with a secret, HS256. `none` is never among them. */
  readonly algorithms?: readonly JwtAlgorithm[];
  /** What the header's `typ` must be, such as `at+jwt` (RFC 9068). Default: not looked at. */
  readonly typ?: string;
  /** Seconds by which the clocks of issuer and server may differ, at most 300. Default 5. */
  readonly clockToleranceS?: number;
  /** The claim that becomes the principal's id. Default `sub`. */
  readonly idClaim?: string;
  /** The claim that holds the scopes, as a list or as words between spaces. Default `scope`. */
  readonly scopesClaim?: string;
  /** Likewise the roles. Default `roles`. */
  readonly rolesClaim?: string;
  /** Milliseconds between two looks for a key that the known ones do not have. Default 30,000. */
  readonly jwksCooldownMs?: number;
  /** Milliseconds for which fetched keys are used. Default 600,000. */
  readonly jwksMaxAgeMs?: number;
  /** Milliseconds one fetch may take. Default 5,000. */
  readonly jwksTimeoutMs?: number;
  /** Milliseconds after a failed fetch in which no other is tried, and every token is refused. Default 1,000. */
  readonly jwksRetryMs?: number;
  /** Is warned when keys cannot be fetched, and told at level `debug` why a token is refused, never what is in it. Default: a warning of the process. */
  readonly logger?: Pick<LoggerService, 'warn'> & Partial<Pick<LoggerService, 'debug'>>;
}

const LONGEST_TOLERANCE_S = 300;
const TIMES = ['jwksCooldownMs', 'jwksMaxAgeMs', 'jwksTimeoutMs', 'jwksRetryMs'] as const;
const NAMES = ['typ', 'idClaim', 'scopesClaim', 'rolesClaim'] as const;

/** The algorithms in force. */
export function algorithmsOf({ algorithms, secret }: JwtVerifierOptions): readonly JwtAlgorithm[] {
  return algorithms ?? (secret === undefined ? ASYMMETRIC : ['HS256']);
}

/** Throws one `McpSetupError` with everything that would let in too many, or nobody. No message repeats a secret. */
export function checkOptions(options: JwtVerifierOptions): void {
  throwIfAny([...problemsOfClaims(options), ...problemsOfKeys(options), ...problemsOfAlgorithms(options), ...problemsOfNumbers(options)]);
}

function problemsOfClaims(options: JwtVerifierOptions): SetupProblem[] {
  const { issuer, audience } = options;
  const names = typeof audience === 'string' ? [audience] : audience;
  const isNamed = Array.isArray(names) && names.length > 0 && names.every(isText);
  return [
    ...(isText(issuer)
      ? []
      : [problem('"issuer" must be a string that is not empty', 'Set it to the iss of the tokens, character by character.')]),
    ...(isNamed
      ? []
      : [
          problem(
            '"audience" must be a string, or a list of them',
            'Set it to the address of this server; a token for another must not be good here.',
          ),
        ]),
    ...NAMES.filter((name) => options[name] !== undefined && !isText(options[name])).map((name) =>
      problem(`"${name}" must be a string that is not empty`, 'Leave it out to keep its default.'),
    ),
  ];
}

function problemsOfKeys({ jwksUrl, keys, secret }: JwtVerifierOptions): SetupProblem[] {
  const given = Object.entries({ jwksUrl, keys, secret }).filter(([, value]) => value !== undefined);
  if (given.length !== 1) {
    const names = given.map(([name]) => `"${name}"`).join(' and ') || 'none';
    return [
      problem(`Exactly one of "jwksUrl", "keys" and "secret" must be set, and ${names} is`, 'Keep the one that the issuer signs with.'),
    ];
  }
  if (jwksUrl !== undefined && !isSafeUrl(jwksUrl))
    return [
      problem(
        '"jwksUrl" must be an https address without credentials; http only on a loopback address',
        'Whoever can change the keys on their way can sign tokens.',
      ),
    ];
  const isPublic = keys === undefined || (Array.isArray(keys) && keys.length > 0 && keys.every(isPublicKey));
  return isPublic ? [] : [problem('"keys" must be a list of public keys', 'Pass JWKs without "d" and "k"; a shared secret is "secret".')];
}

function problemsOfAlgorithms(options: JwtVerifierOptions): SetupProblem[] {
  const { secret, algorithms } = options;
  const allowed: readonly string[] = secret === undefined ? ASYMMETRIC : SYMMETRIC;
  if (
    algorithms !== undefined &&
    (!Array.isArray(algorithms) || algorithms.length === 0 || !algorithms.every((each: unknown) => allowed.includes(each as string)))
  )
    return [
      problem(`"algorithms" must be some of ${allowed.join(', ')}`, 'HS… needs a secret, and a secret needs HS…; "none" is no signature.'),
    ];
  if (secret === undefined) return [];
  const longest = Math.max(...algorithmsOf(options).map(hashBytesOf));
  const bytes = typeof secret === 'string' ? Buffer.byteLength(secret) : secret instanceof Uint8Array ? secret.length : 0;
  return bytes >= longest
    ? []
    : [problem(`"secret" must have at least ${String(longest)} bytes`, 'Make one with `openssl rand -base64 48`.')];
}

function problemsOfNumbers(options: JwtVerifierOptions): SetupProblem[] {
  const { clockToleranceS = 0 } = options;
  const isTolerance = Number.isFinite(clockToleranceS) && clockToleranceS >= 0 && clockToleranceS <= LONGEST_TOLERANCE_S;
  const wrong = TIMES.filter((name) => options[name] !== undefined && !(Number.isSafeInteger(options[name]) && (options[name] ?? 0) >= 0));
  return [
    ...(isTolerance ? [] : [problem(`"clockToleranceS" must be from 0 to ${String(LONGEST_TOLERANCE_S)} seconds`, 'Leave it out for 5.')]),
    ...wrong.map((name) => problem(`"${name}" must be a whole number of milliseconds`, 'Leave it out to keep its default.')),
  ];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isSafeUrl(address: string | URL): boolean {
  if (!URL.canParse(String(address))) return false;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return url.protocol === 'https:' || (url.protocol === 'http:' && (host === 'localhost' || isLoopbackAddress(host)));
}

function isPublicKey(key: unknown): boolean {
  return typeof key === 'object' && key !== null && 'kty' in key && key.kty !== 'oct' && !('d' in key) && !('k' in key);
}

function problem(text: string, fix: string): SetupProblem {
  return { code: 'MCP_OPTION_INVALID', problem: text, where: 'the options of JwtVerifier', fix };
}
