import type { ServerIdentity } from '../contracts/identity';
import { DEFAULT_LIMITS, isLimit, LONGEST_MS, type Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import type { SetupProblem } from '../errors/setup-error';

/** The options of `McpFactory.create`. */
export interface McpApplicationOptions extends ServerIdentity {
  /** Default: stderr, from level `log` on. `false` is silent. What a logger lacks or throws loses its line and nothing else. */
  readonly logger?: (Pick<LoggerService, 'log' | 'error' | 'warn'> & Partial<LoggerService>) | false;
  /** At least 32 bytes that seal what travels through the client between two rounds of questions. Default: `PERCH_STATE_KEY`, else a key of this process. */
  readonly stateKey?: string;
  /** Bounds to change; each has a default. */
  readonly limits?: Partial<Limits>;
}

/** The identity alone, as clients are told it. */
export function identityOf({ logger: _logger, limits: _limits, stateKey: _stateKey, ...identity }: McpApplicationOptions): ServerIdentity {
  return Object.freeze(identity);
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
  const texts = (['name', 'version'] as const).filter((key) => typeof options[key] !== 'string' || options[key].trim() === '');
  const limits = Object.entries(limitsOf(options)).filter(([, value]) => !isLimit(value));
  const unknown = Object.keys(options.limits ?? {}).filter((key) => !Object.hasOwn(DEFAULT_LIMITS, key));
  const key = stateKeyOf(options);
  const isShort = key !== undefined && Buffer.byteLength(key) < 32;
  return [
    ...(isShort
      ? [
          invalid(
            'The state key has fewer than 32 bytes',
            'Set stateKey or PERCH_STATE_KEY to 32 random bytes or more, the same in every process of the service.',
          ),
        ]
      : []),
    ...texts.map((key) =>
      invalid(`"${key}" must be a string that is not empty`, `Pass ${key} in McpFactory.create(AppModule, { name, version }).`),
    ),
    ...unknown.map((key) => invalid(`There is no limit "${key}"`, `Use one of ${Object.keys(DEFAULT_LIMITS).join(', ')}.`)),
    ...limits.map(([key]) =>
      invalid(`The limit "${key}" must be a whole number from 1 to ${String(LONGEST_MS)}`, 'Leave it out to keep its default.'),
    ),
  ];
}

function invalid(problem: string, fix: string): SetupProblem {
  return { code: 'MCP_OPTION_INVALID', problem, where: 'the options of McpFactory.create', fix };
}
