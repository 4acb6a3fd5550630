import type { CanActivate } from '../contracts/enhancers';
import type { ExecutionContext } from '../contracts/execution-context';
import type { LoggerService } from '../contracts/logger';
import type { Principal } from '../contracts/principal';
import type { ProviderReference, RequestScope } from '../contracts/provider';
import type { ScopeDemand, Security } from '../contracts/security';
import { McpError } from '../errors/mcp-error';
import { ToolError } from '../errors/tool-error';
import { logUnexpected } from './answer-error';

/** Whether the caller of an operation may know of its entry. */
export interface Visibility {
  /** False when everybody sees the entry, so that nobody has to be asked. */
  readonly dependsOnCaller: boolean;
  /** Takes what guards are told of a list. Never rejects. */
  readonly admits: (execution: ExecutionContext, scope: RequestScope | undefined) => Promise<boolean>;
}

const EVERYBODY: Visibility = { dependsOnCaller: false, admits: () => Promise.resolve(true) };
const NOBODY: Visibility = { dependsOnCaller: true, admits: () => Promise.resolve(false) };

/** What hides an entry. */
export interface Hiders {
  readonly guards: readonly ProviderReference[];
  readonly security: Security;
  /** True when the operator's policy can never allow what the entry needs. */
  readonly isUnmet: boolean;
}

/** Compiles what decides whether an entry is seen: hiding scopes, and the guards that decide without arguments. */
export function compileVisibility({ guards, security, isUnmet }: Hiders, logger: LoggerService): Visibility {
  if (isUnmet) return NOBODY;
  const scopes = security.scopes.filter(({ hide }) => hide);
  const deciding = guards.filter(mayDecide);
  if (scopes.length === 0 && deciding.length === 0) return EVERYBODY;
  return {
    dependsOnCaller: true,
    async admits(execution, scope) {
      if (!hasScopes(scopes, execution.switchToMcp().context.principal)) return false;
      for (const guard of deciding) if (!(await lets(guard, execution, { scope, logger }))) return false;
      return true;
    },
  };
}

/** True when the caller has all the scopes that are demanded. */
export function hasScopes(demands: readonly ScopeDemand[], principal: Principal | undefined): boolean {
  if (demands.length === 0) return true;
  const held = new Set(principal?.scopes);
  return demands.every(({ scopes }) => scopes.every((scope) => held.has(scope)));
}

/** A guard that lives for one operation may get its `canList` when it is built, so each instance is asked. */
function mayDecide(guard: ProviderReference): boolean {
  return guard.isRequestScoped || hasCanList(guard.get());
}

function hasCanList(guard: unknown): guard is Required<Pick<CanActivate, 'canList'>> {
  return typeof (guard as { canList?: unknown } | null | undefined)?.canList === 'function';
}

/** Closed when in doubt: only `true` shows the entry. */
async function lets(
  guard: ProviderReference,
  execution: ExecutionContext,
  { scope, logger }: { readonly scope: RequestScope | undefined; readonly logger: LoggerService },
): Promise<boolean> {
  try {
    const instance: unknown = await guard.get(guard.isRequestScoped ? scope : undefined);
    return !hasCanList(instance) || (await instance.canList(execution)) === true;
  } catch (error) {
    if (!(error instanceof ToolError || error instanceof McpError)) logUnexpected(error, `Guard ${guard.name}`, logger);
    return false;
  }
}
