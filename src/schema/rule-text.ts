import { printable } from '../errors/registry-errors';
import type { RuleFacts } from './class-facts';
import type { ConstraintArguments, ConstraintInstance } from './class-library';
import { cleanText, pathText, type Path } from './problem-text';

/** A constraint that refused a value. */
export interface RefusedRule {
  readonly rule: RuleFacts;
  readonly instance: ConstraintInstance;
  readonly args: ConstraintArguments;
  readonly path: Path;
}

/**
 * The author's message, or class-validator's own, with its tokens replaced. `$property` becomes the whole path; a message that does not
 * name it is put behind it, so that a model always learns where.
 */
export function ruleText({ rule, instance, args, path }: RefusedRule): string {
  const { message } = rule.metadata;
  const where = pathText(path);
  if (message === undefined && rule.builtIn && rule.decorator === 'IsDate')
    return `${where} must be a date-time such as 2024-05-31T12:00:00Z`;
  const text = typeof message === 'function' ? message(args) : (message ?? instance.defaultMessage?.(args) ?? '');
  if (text === '') return `${where} is not valid (${rule.decorator})`;
  const filled = replaceTokens(text, args, where);
  return cleanText(filled.includes(where) ? filled : `${where}: ${filled}`);
}

function replaceTokens(text: string, args: ConstraintArguments, where: string): string {
  let result = text;
  (args.constraints ?? []).forEach((each, index) => {
    result = result.replace(new RegExp(`\\$constraint${index + 1}(?!\\d)`, 'g'), () => constraintText(each));
  });
  if (['string', 'number', 'boolean'].includes(typeof args.value))
    result = result.replaceAll('$value', () => printable(String(args.value)));
  return result.replaceAll('$property', () => where).replaceAll('$target', () => args.targetName);
}

function constraintText(constraint: unknown): string {
  if (Array.isArray(constraint)) return constraint.join(', ');
  return typeof constraint === 'symbol' ? (constraint.description ?? '') : String(constraint);
}
