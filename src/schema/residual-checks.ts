import { isThenable, type Type } from '../contracts/type';
import type { Condition, RuleFacts } from './class-facts';
import type { ConstraintArguments } from './class-library';
import { problemText, type Path } from './problem-text';
import { ruleText } from './rule-text';

/** What is left to check on one property of an instance once the schema has accepted the value. */
export interface FieldCheck {
  /** The name in JSON, for the texts. */
  readonly key: string;
  readonly property: string;
  /** `@IsOptional`: a missing value and null need no check. */
  readonly optional: boolean;
  readonly conditions: readonly Condition[];
  readonly rules: readonly RuleFacts[];
  /** True when the value holds instances with checks of their own. */
  readonly nested: boolean;
  /** True for `@ValidateNested` under `@ValidateIf`: while the conditions hold, the value must be there. */
  readonly nestedRequired: boolean;
}

/** The checks of every class that an input leads to. */
export type ChecksByClass = ReadonlyMap<Type, readonly FieldCheck[]>;

type Outcome = string | undefined | Promise<string | undefined>;

/** Runs the checks on an instance and on every instance inside it; a promise only when a constraint gives one. */
export function runChecks(checks: ChecksByClass, root: object): string[] | Promise<string[]> {
  const outcomes: Outcome[] = [];
  visit({ checks, outcomes }, root, []);
  if (outcomes.some(isThenable)) return Promise.all(outcomes.map(async (each) => each)).then(withoutGaps);
  return withoutGaps(outcomes as (string | undefined)[]);
}

interface Visit {
  readonly checks: ChecksByClass;
  readonly outcomes: Outcome[];
}

function withoutGaps(outcomes: readonly (string | undefined)[]): string[] {
  return outcomes.filter((each) => each !== undefined);
}

function visit(run: Visit, value: unknown, path: Path): void {
  if (Array.isArray(value)) {
    value.forEach((each, index) => visit(run, each, [...path, index]));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const check of run.checks.get(value.constructor as Type) ?? []) checkField(run, value, { check, path: [...path, check.key] });
}

function checkField(run: Visit, owner: object, { check, path }: { check: FieldCheck; path: Path }): void {
  const value = (owner as Record<string, unknown>)[check.property];
  const isMissing = value === undefined || value === null;
  if (check.optional && isMissing) return;
  // class-validator asks every condition, also after one has said no.
  if (!check.conditions.map((condition) => condition(owner, value)).every(Boolean)) return;
  if (check.nestedRequired && isMissing) run.outcomes.push(problemText(path, 'is required', ''));
  for (const rule of check.rules) {
    const { validateIf } = rule.metadata;
    if (validateIf === undefined || validateIf(owner, value)) run.outcomes.push(...outcomesOf(rule, argumentsOf(rule, owner, value), path));
  }
  if (check.nested) visit(run, value, path);
}

function argumentsOf(rule: RuleFacts, object: object, value: unknown): ConstraintArguments {
  const property = String(rule.metadata.propertyName);
  // class-validator hands on `undefined` when a decorator takes no arguments.
  return { value, constraints: rule.metadata.constraints as unknown[], targetName: object.constructor.name, object, property };
}

function outcomesOf(rule: RuleFacts, args: ConstraintArguments, path: Path): readonly Outcome[] {
  return rule.instances().map((instance) => {
    const text = (): string => ruleText({ rule, instance, args, path });
    const ask = (value: unknown): unknown => accepts(rule, () => instance.validate(value, args));
    const verdict = rule.each && Array.isArray(args.value) ? all(args.value.map(ask)) : ask(args.value);
    if (!isThenable(verdict)) return verdict ? undefined : text();
    const outcome = Promise.resolve(verdict).then((accepted) => (accepted ? undefined : text()));
    outcome.catch(() => undefined);
    return outcome;
  });
}

function accepts(rule: RuleFacts, validate: () => unknown): unknown {
  try {
    const verdict = validate();
    // A later constraint may throw before anyone waits for this one, and an unhandled rejection would end the process.
    if (isThenable(verdict)) verdict.then(undefined, () => undefined);
    return verdict;
  } catch (error) {
    // Some of class-validator's own checks throw on odd values instead of refusing them: @IsNumber({ maxDecimalPlaces }) on 1e-7.
    if (rule.builtIn) return false;
    throw error;
  }
}

function all(verdicts: readonly unknown[]): unknown {
  if (!verdicts.some(isThenable)) return verdicts.every(Boolean);
  const together = Promise.all(verdicts).then((each) => each.every(Boolean));
  together.catch(() => undefined);
  return together;
}
