import type { CanActivate, SecurityDecorator } from '../contracts/enhancers';
import type { ProviderReference } from '../contracts/provider';
import type { Security } from '../contracts/security';

const DECORATORS: readonly SecurityDecorator[] = ['roles', 'rates'];

/** The security decorators of an entry that none of its guards decides. Where there is one, the entry is not served. */
export function unguardedDecorators(security: Security, guards: readonly ProviderReference[]): readonly SecurityDecorator[] {
  const demanded = DECORATORS.filter((each) => security[each].length > 0);
  return demanded.filter((each) => !guards.some((guard) => enforcedBy(guard).includes(each)));
}

/** What a guard says it decides: on the instance, or on its class where the instance lives for one operation only. */
function enforcedBy(guard: ProviderReference): readonly SecurityDecorator[] {
  const holders: readonly unknown[] = guard.isRequestScoped ? [guard.type?.prototype, guard.type] : [guard.get(), guard.type];
  return holders.flatMap((holder) => (holder as CanActivate | undefined)?.enforces ?? []);
}
