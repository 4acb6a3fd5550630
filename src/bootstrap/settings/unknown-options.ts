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
