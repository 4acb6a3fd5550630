import type { Enhancers, SecurityDecorator } from '../contracts/enhancers';
import type { ExecutionContext, Operation } from '../contracts/execution-context';
import type { LoggerService } from '../contracts/logger';
import type { McpContext } from '../contracts/mcp-context';
import type { PolicyQuestions } from '../contracts/policy-questions';
import type { RequestScope } from '../contracts/provider';
import type { Security } from '../contracts/security';
import { compileRequirements, unmetRequirements, type Requirements } from './requirements';
import { unguardedDecorators } from './tripwire';
import { compileVisibility, type Visibility } from './visibility';

/** Everything that is decided about one operation besides its guards, compiled once. */
export interface Protection {
  readonly visibility: Visibility;
  readonly security: Security;
  /** Security decorators without a guard that decides them: everything is denied. */
  readonly unguarded: readonly SecurityDecorator[];
  readonly requirements: Requirements | undefined;
  /** What guards are told of a list that the entry stands in. */
  readonly describeEntry: (context: McpContext) => ExecutionContext;
}

/** What a protection is compiled from. */
export interface ProtectionSource {
  readonly label: string;
  readonly operation: Operation;
  readonly security: Security;
  readonly enhancers: Enhancers;
  readonly policy: PolicyQuestions;
  readonly describeEntry: Protection['describeEntry'];
}

export function compileProtection(source: ProtectionSource, logger: LoggerService): Protection {
  const { label, operation, security, enhancers, policy, describeEntry } = source;
  // Others have no input of the handler's that a requirement could be worked out from; a static one that is not met hides the entry from them.
  const takesInput = operation === 'call' || operation === 'read' || operation === 'get';
  const unguarded = unguardedDecorators(security, enhancers.guards);
  for (const each of unguarded) logger.error(`${label} carries @${WORDS[each]}() and no guard that decides it; it is denied to everybody.`);
  const isUnmet = unmetRequirements(security.requires, policy).length > 0;
  return {
    visibility: compileVisibility({ guards: enhancers.guards, security, isUnmet }, logger),
    security,
    unguarded,
    requirements: takesInput ? compileRequirements(security.requires, policy, { label, logger }) : undefined,
    describeEntry,
  };
}

/** The decorators by the field that holds what they demand. */
export const WORDS = Object.freeze({ roles: 'Roles', rates: 'RateLimit' });

/** One operation's decision about whether its entry is seen. */
export function isSeen({ visibility, describeEntry }: Protection, context: McpContext, scope: RequestScope | undefined): Promise<boolean> {
  return visibility.admits(describeEntry(context), scope);
}
