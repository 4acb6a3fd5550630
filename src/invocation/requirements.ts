import type { LoggerService } from '../contracts/logger';
import type { PolicyQuestions } from '../contracts/policy-questions';
import type { PolicyDemand, Requirement } from '../contracts/security';
import { ToolError } from '../errors/tool-error';
import { logUnexpected } from './answer-error';
import { denial } from './denial';

type Kind = keyof PolicyDemand;

const QUESTIONS: Readonly<Record<Kind, (policy: PolicyQuestions, value: string) => boolean>> = {
  fsRead: (policy, path) => policy.allowsFsRead(path),
  fsWrite: (policy, path) => policy.allowsFsWrite(path),
  network: (policy, host) => policy.allowsNetwork(host),
  socket: (policy, path) => policy.allowsSocket(path),
};

/** Asks the policy what a call with this input needs; throws a denial for the first thing it does not allow. */
export type Requirements = (input: unknown) => void;

/** Compiles what `@Requires()` demands. Undefined where nothing is demanded. */
export function compileRequirements(
  demands: readonly PolicyDemand[],
  policy: PolicyQuestions,
  { label, logger }: { readonly label: string; readonly logger: LoggerService },
): Requirements | undefined {
  const all = demands.flatMap(entriesOf);
  if (all.length === 0) return undefined;
  return (input) => {
    for (const [kind, requirement] of all) {
      const values = valuesOf(requirement, input, (error) => void logUnexpected(error, `@Requires() of ${label}`, logger));
      if (values?.every((value) => QUESTIONS[kind](policy, value)) !== true) throw denial(new ToolError('Denied by policy'));
    }
  };
}

/** What is demanded whatever the input is, and the policy denies. */
export function unmetRequirements(demands: readonly PolicyDemand[], policy: PolicyQuestions): readonly string[] {
  return demands.flatMap(entriesOf).flatMap(([kind, requirement]) => {
    if (typeof requirement === 'function') return [];
    return [requirement].flat().flatMap((value) => (QUESTIONS[kind](policy, value) ? [] : [`${kind} ${value}`]));
  });
}

function entriesOf(demand: PolicyDemand): readonly (readonly [Kind, Requirement])[] {
  return Object.entries(demand).filter(([, value]) => value !== undefined) as [Kind, Requirement][];
}

/** Undefined for what names nothing that could be asked about: that is denied. */
function valuesOf(requirement: Requirement, input: unknown, onError: (error: unknown) => void): readonly string[] | undefined {
  try {
    const found: unknown = typeof requirement === 'function' ? requirement(input as never) : requirement;
    const values: readonly unknown[] = [found].flat();
    return values.every((each) => typeof each === 'string') ? values : undefined;
  } catch (error) {
    onError(error);
    return undefined;
  }
}
