import type { PropertyFacts, RuleFacts } from './class-facts';
import type { Expression } from './constraint-row';
import { CONSTRAINTS } from './constraint-table';
import { SchemaDraft } from './schema-draft';

/** The constraints of one property, sorted by where they apply and by what the schema leaves to do. */
export interface ExpressedRules {
  /** The value itself. */
  readonly whole: SchemaDraft;
  /** One element, when the property holds a list. */
  readonly item: SchemaDraft;
  readonly isList: boolean;
  readonly residual: readonly RuleFacts[];
  /** True when class-validator refuses a missing value. */
  readonly required: boolean;
  /** True when a built-in decorator says which values are accepted. */
  readonly isDescribed: boolean;
  readonly spoken: readonly SpokenRule[];
}

/** A rule with an author's message, and the keywords whose errors the message replaces. */
export interface SpokenRule {
  readonly rule: RuleFacts;
  readonly keywords: ReadonlySet<string>;
}

/** Told what cannot be expressed. */
export type Refuse = (decorator: string, reason: string, fix: string) => void;

/** Expresses every constraint of a property; what cannot be expressed goes to `refuse`. */
export function expressRules({ rules, nested }: PropertyFacts, refuse: Refuse): ExpressedRules {
  const whole = new SchemaDraft();
  const item = new SchemaDraft();
  const residual: RuleFacts[] = [];
  const spoken: SpokenRule[] = [];
  let required = false;
  let isDescribed = false;
  for (const rule of rules) {
    const expression = express(rule, refuse);
    if (expression === undefined) {
      // What was refused needs no second complaint.
      isDescribed = true;
      continue;
    }
    if (expression.absent !== true && rule.builtIn && rule.metadata.validateIf === undefined) required = true;
    if (expression.residual) residual.push(rule);
    if (expression.schema === undefined && expression.refuses === undefined) continue;
    isDescribed = true;
    apply(rule.each ? item : whole, expression);
    spoken.push({ rule, keywords: keywordsOf(rule, expression) });
  }
  const hasEach = rules.some((each) => each.each) || nested === 'each';
  const isList = hasEach || (nested === 'one' && whole.allowedTypes?.join() === 'array');
  if (isList) whole.add({ type: 'array' });
  return { whole, item, isList, residual, required, isDescribed, spoken };
}

function express(rule: RuleFacts, refuse: Refuse): Expression | undefined {
  // A condition decides at call time whether the decorator holds, so the schema may not say it does.
  if (rule.metadata.validateIf !== undefined) return { residual: true };
  if (!rule.builtIn) return expressCustom(rule, refuse);
  try {
    const accepts = (value: unknown): boolean => rule.instances().every((each) => each.validate(value, PROBE_ARGUMENTS) === true);
    return CONSTRAINTS[rule.decorator]?.express(rule.args, (value) => attempt(() => accepts(value)));
  } catch (error) {
    refuse(
      rule.decorator,
      `cannot be expressed: ${(error as Error).message}`,
      'Change its arguments, or use `jsonSchema({...})` for this tool.',
    );
    return undefined;
  }
}

const PROBE_ARGUMENTS = { value: undefined, constraints: [], targetName: '', object: {}, property: '' };

function attempt(ask: () => boolean): boolean {
  try {
    return ask();
  } catch {
    return false;
  }
}

function expressCustom(rule: RuleFacts, refuse: Refuse): Expression | undefined {
  if (rule.isKnown) return { residual: true };
  refuse(rule.decorator, 'is no constraint, so class-validator would check nothing', 'Add @ValidatorConstraint() to its class.');
  return undefined;
}

function apply(draft: SchemaDraft, { schema, refuses }: Expression): void {
  if (schema !== undefined) draft.add(schema);
  if (refuses === 'null') draft.refuseNull();
  if (refuses === 'empty') draft.refuseEmpty();
}

function keywordsOf({ decorator }: RuleFacts, { schema, refuses }: Expression): ReadonlySet<string> {
  const keywords = new Set(Object.keys(schema ?? {}));
  // @Min implies a number, but its message is not about that.
  if (keywords.size > 1 && !keywords.has('format') && decorator !== 'IsInt') keywords.delete('type');
  if (refuses !== undefined) for (const each of ['not', 'minLength', 'type']) keywords.add(each);
  return keywords;
}
