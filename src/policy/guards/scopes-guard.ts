import type { CanActivate } from '../../contracts/enhancers';
import type { ExecutionContext } from '../../contracts/execution-context';

/**
 * Hides what `@Scopes()` demands scopes for from callers without them, as if every one of them said `{ hide: true }`. The scopes themselves are
 * decided without it, before every guard; a caller who is to be told which scopes to ask for must be allowed to see the entry.
 */
export class ScopesGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { security, context: call } = context.switchToMcp();
    const held = new Set(call.principal?.scopes);
    return security.scopes.every(({ scopes }) => scopes.every((scope) => held.has(scope)));
  }

  canList(context: ExecutionContext): boolean {
    return this.canActivate(context);
  }
}
