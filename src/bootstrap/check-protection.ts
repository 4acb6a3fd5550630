import type { PolicyQuestions } from '../contracts/policy-questions';
import type { LoggerService } from '../contracts/logger';
import type { SetupProblem } from '../errors/setup-error';
import type { CompiledOperation } from '../invocation/compiled-operation';
import type { OperationInvoker } from '../invocation/operation-invoker';
import { WORDS } from '../invocation/protection';
import { unmetRequirements } from '../invocation/requirements';
import type { Catalogues } from '../protocol/catalogues';

/** Every operation that an application serves now. */
export function* servedOperations({ tools, resources, prompts }: Catalogues): Generator<CompiledOperation<unknown>> {
  for (const entry of tools.registry.list()) yield tools.compiled(entry);
  for (const entry of resources.registry.list()) yield resources.compiled(entry).read;
  for (const entry of prompts.registry.list()) yield prompts.compiled(entry).get;
}

/** Entries whose security decorators no guard decides. Global guards can be added until the start, so it is asked then. */
export function unguardedEntries(catalogues: Catalogues, invoker: OperationInvoker): readonly SetupProblem[] {
  return [...servedOperations(catalogues)].flatMap((operation) =>
    invoker.unguarded(operation).map((each): SetupProblem => {
      const word = WORDS[each];
      return {
        code: 'MCP_GUARD_MISSING',
        problem: `${operation.label} carries @${word}(), and none of its guards decides it, so it would protect nothing.`,
        where: whereOf(operation),
        fix: `Add @UseGuards(${GUARDS[each]}), or provide it for everything: { provide: APP_GUARD, useClass: ${GUARDS[each]} }.\nA guard of your own that decides it says so: enforces = ['${each}'], and static enforces where it lives for one operation.`,
      };
    }),
  );
}

const GUARDS = Object.freeze({ roles: 'RolesGuard', rates: 'RateLimitGuard' });

/** What the policy in force can never allow, whatever the input of a call is. */
export function unmetEntries(catalogues: Catalogues, policy: PolicyQuestions): readonly SetupProblem[] {
  return [...servedOperations(catalogues)].flatMap((operation) => {
    const unmet = unmetRequirements(operation.target?.security.requires ?? [], policy);
    if (unmet.length === 0) return [];
    return {
      code: 'MCP_POLICY_UNMET' as const,
      problem: `${operation.label} requires what the policy denies: ${unmet.join(', ')}.`,
      where: whereOf(operation),
      fix: 'Allow it in the policy, or leave the class out of the application.\nWith unmetRequirements: "hide" the entry is hidden and the others are served.',
    };
  });
}

/** Tells the operator of what is hidden. */
export function warnOfUnmet(problems: readonly SetupProblem[], logger: LoggerService): void {
  for (const { problem } of problems) logger.warn(`${problem} It is hidden.`);
}

function whereOf({ target, name }: CompiledOperation<unknown>): string {
  return target === undefined ? name : `${target.class.name}.${String(target.method)}`;
}
