import type { CanActivate, SecurityDecorator } from '../../contracts/enhancers';
import type { ExecutionContext } from '../../contracts/execution-context';

/**
 * Decides `@Roles()`: admits a caller whose principal has one role of each list that is demanded, and hides the entry from everybody else.
 * A caller nobody verified has no roles. Entries without `@Roles()` are admitted, so it can stand under `APP_GUARD`.
 */
export class RolesGuard implements CanActivate {
  readonly enforces: readonly SecurityDecorator[] = ['roles'];

  canActivate(context: ExecutionContext): boolean {
    const { security, context: call } = context.switchToMcp();
    const held = new Set(call.principal?.roles);
    return security.roles.every((roles) => roles.some((role) => held.has(role)));
  }

  canList(context: ExecutionContext): boolean {
    return this.canActivate(context);
  }
}
