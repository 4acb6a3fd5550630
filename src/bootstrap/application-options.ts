import type { ServerIdentity } from '../contracts/identity';
import { DEFAULT_LIMITS, isLimit, LONGEST_MS, type Limits } from '../contracts/limits';
import { nearNames } from '../errors/near-names';
import type { SetupProblem } from '../errors/setup-error';
import { Policy } from '../policy/policy';
import { problemOfLogger, type LoggerOption } from './application-logger';
import { problemOfOptions, unknownOptions } from './settings/unknown-options';

/** The options of `McpFactory.create`. */
export interface McpApplicationOptions extends ServerIdentity {
  /** Default: stderr, from level `log` on. `false` is silent. What a logger lacks or throws loses its line and nothing else. */
  readonly logger?: LoggerOption;
  /** At least 32 bytes that seal what travels through the client between two rounds of questions. Default: `PERCH_STATE_KEY`, else a key of this process. */
  readonly stateKey?: string;
  /** Bounds to change; each has a default. */
  readonly limits?: Partial<Limits>;
  /** What this process may touch. Where the environment has a policy too, both must allow. Default: the environment's, else everything. */
  readonly policy?: Policy;
  /** What becomes of an entry whose `@Requires()` names what the policy denies: hidden from everybody, the default, or a refused boot. */
  readonly unmetRequirements?: 'hide' | 'refuse';
  /**
   * `'accept'` answers JSON-RPC batches of every revision on streams and in legacy HTTP sessions. Default: only of those that have them, up to
   * 2025-03-26; elsewhere a batch is one -32600.
   */
  readonly batch?: 'accept';
  /** What the audit records besides refusals and failures. `'all'` stands for `{ successes: true }`. */
  readonly audit?: 'all' | AuditOptions;
}

/** What the audit holds. */
export interface AuditOptions {
  /** Operations that went well too. Default false, and true where an `AuditSink` is provided. */
  readonly successes?: boolean;
  /** What was sent, in every record. Default false: arguments can hold anything. */
  readonly arguments?: boolean;
}

const OWN_OPTIONS: ReadonlySet<string> = new Set<Exclude<keyof McpApplicationOptions, keyof ServerIdentity>>([
  'logger',
  'limits',
  'stateKey',
  'policy',
  'unmetRequirements',
  'audit',
  'batch',
]);

const IDENTITY: Readonly<Record<keyof ServerIdentity, true>> = Object.freeze({
  name: true,
  version: true,
  title: true,
  description: true,
  websiteUrl: true,
  icons: true,
  instructions: true,
});

/** The names of all options of `McpFactory.create`. */
export const APPLICATION_OPTIONS: readonly string[] = Object.freeze([...Object.keys(IDENTITY), ...OWN_OPTIONS]);

/** The identity alone, as clients are told it. */
export function identityOf(options: McpApplicationOptions): ServerIdentity {
  const entries = Object.entries(options).filter(([key]) => Object.hasOwn(IDENTITY, key));
  return Object.freeze(Object.fromEntries(entries) as unknown as ServerIdentity);
}

/** What both the option and the environment allow. Throws an `McpSetupError` for an environment that cannot be used. */
export function policyOf({ policy = Policy.unenforced }: McpApplicationOptions, env: NodeJS.ProcessEnv): Policy {
  return Policy.both(policy, Policy.fromEnv(env));
}

/** The audit options, with `'all'` written out. */
export function auditOf({ audit = {} }: McpApplicationOptions): AuditOptions {
  return audit === 'all' ? { successes: true } : audit;
}

/** The limits in force: the defaults with the options over them. */
export function limitsOf({ limits }: McpApplicationOptions): Limits {
  return Object.freeze({ ...DEFAULT_LIMITS, ...limits });
}

/** The key that seals state, from the options or the environment; undefined leaves it to the process. */
export function stateKeyOf({ stateKey }: McpApplicationOptions): string | undefined {
  return stateKey ?? (process.env['PERCH_STATE_KEY'] || undefined);
}

/** What is wrong with the options. */
export function problemsOfOptions(options: McpApplicationOptions): SetupProblem[] {
  const notAnObject = problemOfOptions(options, 'McpFactory.create');
  if (notAnObject !== undefined) return [notAnObject];
  const texts = (['name', 'version'] as const).filter((key) => typeof options[key] !== 'string' || options[key].trim() === '');
  const limits = Object.entries(limitsOf(options)).filter(([, value]) => !isLimit(value));
  const unknown = Object.keys(options.limits ?? {}).filter((key) => !Object.hasOwn(DEFAULT_LIMITS, key));
  const key = stateKeyOf(options);
  const isShort = key !== undefined && Buffer.byteLength(key) < 32;
  return [
    ...unknownOptions(options, APPLICATION_OPTIONS, 'the options of McpFactory.create'),
    ...(isShort
      ? [
          invalid(
            'The state key has fewer than 32 bytes',
            'Set stateKey or PERCH_STATE_KEY to 32 random bytes or more, the same in every process of the service.',
          ),
        ]
      : []),
    ...problemsOfSecurity(options),
    ...[options.logger === undefined ? undefined : problemOfLogger(options.logger)].filter((problem) => problem !== undefined),
    ...texts.map((key) =>
      invalid(`"${key}" must be a string that is not empty`, `Pass ${key} in McpFactory.create(AppModule, { name, version }).`),
    ),
    ...unknown.map((key) => invalid(`There is no limit "${key}"`, `Check the name. ${nearNames(key, Object.keys(DEFAULT_LIMITS))}`)),
    ...limits.map(([key]) =>
      invalid(`The limit "${key}" must be a whole number from 1 to ${String(LONGEST_MS)}`, 'Leave it out to keep its default.'),
    ),
  ];
}

/** Plain JavaScript, or a cast, can pass anything; a policy that is none would protect nothing. */
function problemsOfSecurity({ policy, unmetRequirements, audit, batch }: McpApplicationOptions): SetupProblem[] {
  const checks: readonly (readonly [boolean, string, string])[] = [
    [
      policy === undefined || policy instanceof Policy,
      'The option "policy" is not a policy',
      'Make one with Policy.define({...}) or Policy.fromEnv(env).',
    ],
    [
      unmetRequirements === undefined || ['hide', 'refuse'].includes(unmetRequirements),
      'The option "unmetRequirements" is neither "hide" nor "refuse"',
      'Leave it out to hide.',
    ],
    [
      audit === undefined || audit === 'all' || (typeof (audit as unknown) === 'object' && (audit as unknown) !== null),
      'The option "audit" is neither "all" nor an object',
      'Pass "all", or { successes, arguments }.',
    ],
    [
      batch === undefined || (batch as unknown) === 'accept',
      'The option "batch" is not "accept"',
      'Leave it out to answer batches only where the revision has them.',
    ],
  ];
  return checks.flatMap(([isValid, problem, fix]) => (isValid ? [] : [invalid(problem, fix)]));
}

function invalid(problem: string, fix: string): SetupProblem {
  return { code: 'MCP_OPTION_INVALID', problem, where: 'the options of McpFactory.create', fix };
}
