import { describeToken, type InjectionToken } from '../contracts/type';
import { nearNames } from '../errors/near-names';
import { throwIfAny } from '../errors/setup-error';

/** Throws when a test replaces something that is not there: the test would pass or fail for the wrong reason. */
export function refuseUnknownOverrides(unused: readonly unknown[], tokens: readonly InjectionToken[]): void {
  throwIfAny(
    unused.map((key) => ({
      code: 'MCP_OVERRIDE_UNKNOWN' as const,
      problem: `The override of ${describeKey(key)} matches nothing in the application.`,
      where: 'Test.createTestingModule()',
      fix: `Check the token. ${nearNames(describeKey(key), tokens.map(describeToken))}`,
    })),
  );
}

function describeKey(key: unknown): string {
  const isDynamic = typeof key === 'object' && key !== null && 'module' in key;
  return isDynamic ? `the dynamic module of ${describeToken(key.module)}` : describeToken(key);
}
