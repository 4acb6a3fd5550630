import { describeToken, type InjectionToken } from '../contracts/type';
import { throwIfAny } from '../errors/setup-error';

const NEAREST = 3;

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

function nearNames(name: string, names: readonly string[]): string {
  const near = names
    .map((each) => ({ each, distance: editDistance(name.toLowerCase(), each.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAREST);
  return near.length === 0 ? 'The application provides nothing.' : `The nearest there are: ${near.map(({ each }) => each).join(', ')}.`;
}

/** How many single characters differ between two names (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (character === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
