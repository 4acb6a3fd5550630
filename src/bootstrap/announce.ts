import { DEFAULT_LIMITS, type Limits } from '../contracts/limits';
import type { LoggerService } from '../contracts/logger';
import type { TransportHandle } from '../contracts/transport';
import type { Policy } from '../policy/policy';
import { listsNotInForce, type Environment } from '../policy/policy-environment';
import type { Catalogues } from '../protocol/catalogues';
import type { ResolvedListenOptions } from './listen-options';
import { protectionOf } from './protection-of';

/** How many tools the log names at the start. */
const NAMED = 10;

const OWN_KEY =
  'Open questions are sealed with a key of this process. Set PERCH_STATE_KEY if other processes, or this one after a restart, are to go on with them.';
const NO_TOOLS = 'There are no tools. A class with @McpTool is served when a module has it in its providers.';

/** What is told of a started application. */
export interface Announced {
  readonly logger: LoggerService;
  readonly limits: Limits;
  readonly policy: Policy;
  readonly catalogues: Catalogues;
  readonly hasStateKey: boolean;
}

/** How it was started. */
export interface Started {
  readonly handles: readonly TransportHandle[];
  readonly options: ResolvedListenOptions;
  readonly env: Environment;
}

/** Tells the operator, once, where an application serves what, what protects it, and what was changed. Never a token or a key. */
export function announce({ logger, limits, policy, catalogues, hasStateKey }: Announced, { handles, options, env }: Started): void {
  for (const handle of handles) logger.log(`Serving MCP on ${placeOf(handle)} (${protectionOf(handle, options)})`);
  const isOnHttp = handles.some(({ mode }) => mode === 'http');
  if (isOnHttp) logger.log(sessionsText(options, limits));
  logger.log(policyText(policy));
  const idle = listsNotInForce(env);
  if (idle.length > 0) logger.warn(`${idle.join(', ')} ${idle.length > 1 ? 'do' : 'does'} nothing without PERCH_PERM_ENFORCE.`);
  const changed = changedLimits(limits);
  if (changed.length > 0) logger.log(`Limits changed: ${changed.join(', ')}`);
  if (!hasStateKey && isOnHttp) logger.log(OWN_KEY);
  const names = catalogues.tools.registry.list().map(({ name }) => name);
  if (names.length > 0) logger.log(`Tools: ${shortened(names)}`);
  else logger.warn(NO_TOOLS);
}

function placeOf({ mode, url, socketPath }: TransportHandle): string {
  return url ?? (socketPath === undefined ? mode : `${mode} at ${socketPath}`);
}

function sessionsText({ sessions }: ResolvedListenOptions, limits: Limits): string {
  if (sessions === false) return 'Older clients are served without sessions, so they cannot be asked anything';
  const minutes = String(Math.round(limits.sessionIdleMs / 6_000) / 10);
  const replay = sessions.replay === true ? 'what was sent can be sent again' : 'nothing is sent again';
  return `Sessions of older clients: at most ${String(limits.sessions)}, each until it is unused for ${minutes} min; ${replay}`;
}

function policyText({ enforced, sizes }: Policy): string {
  if (!enforced) return 'No policy is in force, so handlers may touch everything; PERCH_PERM_ENFORCE switches one on.';
  const lists = sizes.map((each) =>
    Object.entries(each)
      .map(([list, size]) => `${list} ${String(size)}`)
      .join(', '),
  );
  return `A policy is in force, entries: ${lists.join('; and ')}`;
}

function changedLimits(limits: Limits): string[] {
  const names = Object.keys(DEFAULT_LIMITS) as (keyof Limits)[];
  return names.filter((name) => limits[name] !== DEFAULT_LIMITS[name]).map((name) => `${name} ${String(limits[name])}`);
}

function shortened(names: readonly string[]): string {
  return `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? `, and ${String(names.length - NAMED)} more` : ''}`;
}
