import type { SetupProblem } from '../errors/setup-error';
import type { EngineModuleOptions } from './engine-module';

type Check = readonly [keyof EngineModuleOptions, string, (value: unknown) => boolean];

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isFilter = (value: unknown): boolean =>
  isFunction(value) || (Array.isArray(value) && value.every((each) => typeof each === 'string'));

const CHECKS: readonly Check[] = [
  ['context', 'an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  ['engines', 'a list of engines', Array.isArray],
  ['include', 'a list of ids or a function', isFilter],
  ['exclude', 'a list of ids or a function', isFilter],
  ['toolName', 'a function', isFunction],
  ['exposeErrors', 'true or false', (value) => typeof value === 'boolean'],
];

/** What is wrong with the options; a misspelt one would otherwise expose what it should hide. */
export function problemsOfEngineOptions(options: unknown): readonly SetupProblem[] {
  if (typeof options !== 'object' || options === null)
    return [problem('Its options are no object.', 'Return an object from useFactory().')];
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return given.flatMap(([name, value]) => {
    const check = CHECKS.find(([option]) => option === name);
    if (check === undefined) return problem(`There is no option "${name}".`, `Use ${CHECKS.map(([option]) => option).join(', ')}.`);
    const [, expected, isValid] = check;
    return isValid(value) ? [] : problem(`The option "${name}" is not ${expected}.`, `Give ${expected}.`);
  });
}

function problem(text: string, fix: string): SetupProblem {
  return { code: 'MCP_OPTION_INVALID', problem: text, where: 'EngineModule.forRoot()', fix };
}
