import { nearNames } from '../../errors/near-names';
import type { SetupProblem } from '../../errors/setup-error';

/** A problem for each option that there is none of, with the names it may have been meant for. An option that is undefined was left out. */
export function unknownOptions(options: object, known: readonly string[], where: string): SetupProblem[] {
  const unknown = Object.entries(options).filter(([name, value]) => value !== undefined && !known.includes(name));
  return unknown.map(([name]) => ({
    code: 'MCP_OPTION_INVALID',
    problem: `There is no option "${name}"`,
    where,
    fix: `Check the name. ${nearNames(name, known)}`,
  }));
}

/** The problem of options that are no object, from plain JavaScript. */
export function problemOfOptions(options: unknown, where: string): SetupProblem | undefined {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return undefined;
  return { code: 'MCP_OPTION_INVALID', problem: 'The options are not an object', where, fix: 'Pass them by name in one object.' };
}
