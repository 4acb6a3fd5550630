import type { LoggerService } from '../contracts/logger';
import type { TokenVerifier } from '../contracts/token-verifier';
import { McpSetupError } from '../errors/setup-error';
import { isBearerToken, isShortToken } from '../policy/bearer-token';
import { SharedToken } from '../policy/shared-token';

/** Where it is said who checks tokens, besides the options. */
export interface VerifierSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The one that a module provides. */
  readonly verifier: TokenVerifier | undefined;
  readonly logger: LoggerService;
}

/** The options that say who checks tokens. */
export interface VerifierOptions {
  readonly authToken?: string;
  readonly verifier?: TokenVerifier;
}

/**
 * Who checks the tokens of requests over HTTP; undefined when nobody is asked for one. Throws an `McpSetupError` for a token that is none,
 * and for a token besides a verifier: who may enter must have one answer. No message repeats a token.
 */
export function chooseVerifier(
  { authToken, verifier }: VerifierOptions,
  { env, verifier: provided, logger }: VerifierSources,
): TokenVerifier | undefined {
  if (verifier !== undefined && !isVerifier(verifier))
    throw invalid(
      'The option "verifier" has no method verify',
      'Pass an object with verify(token), such as one that extends TokenVerifier.',
    );
  const chosen = verifier ?? provided;
  const [name, token] = authToken === undefined ? ['PERCH_AUTH_TOKEN', env['PERCH_AUTH_TOKEN']] : ['authToken', authToken];
  if (token === undefined) return chosen;
  if (!isBearerToken(token))
    throw invalid(
      `${name} is not a token`,
      'Set it to 16 or more letters, digits and -._~+/ as from `openssl rand -hex 32`, or leave it out: an empty one protects nothing.',
    );
  if (chosen !== undefined)
    throw invalid(`${name} is set, and there is a token verifier`, 'Keep one of the two: the verifier can accept such a token itself.');
  if (isShortToken(token)) logger.warn(`${name} has only ${String(token.length)} characters, so it can be guessed.`);
  return new SharedToken(token);
}

/** True for what can check tokens. */
export function isVerifier(value: unknown): value is TokenVerifier {
  return typeof (value as Partial<TokenVerifier> | null | undefined)?.verify === 'function';
}

/** A listen option, flag or variable that cannot be used. */
export function invalid(problem: string, fix: string): McpSetupError {
  return new McpSetupError([{ code: 'MCP_OPTION_INVALID', problem, where: 'app.listen, its flags or its environment', fix }]);
}
