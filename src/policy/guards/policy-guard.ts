import type { CanActivate } from '../../contracts/enhancers';
import type { ExecutionContext } from '../../contracts/execution-context';

/**
 * Serves an entry only where the operator has a policy in force. Without one every question is answered yes, which is right on a developer's
 * machine and wrong for a tool that must never run unconfined. Elsewhere the entry is hidden. What `@Requires()` names is decided without it.
 */
export class PolicyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToMcp().context.enforced;
  }

  canList(context: ExecutionContext): boolean {
    return this.canActivate(context);
  }
}
