import type { SetupProblem } from '../errors/setup-error';

interface Place {
  readonly name: string;
  readonly where: string;
}

/** There is one instance of an indicator, and it is asked outside of any operation. */
export function scopedIndicator({ name, where }: Place): SetupProblem {
  return {
    code: 'MCP_SINGLETON_REQUIRED',
    problem: `The health indicator ${name} is not a singleton, and it is asked outside of any operation.`,
    where,
    fix: 'Leave its scope at Scope.DEFAULT, and that of what it is built from.',
  };
}

/** There is nothing to ask. */
export function noCheck({ name, where }: Place): SetupProblem {
  return {
    code: 'MCP_HEALTH_INVALID',
    problem: `The health indicator ${name} has nothing to ask: there is no method check().`,
    where,
    fix: 'Add the method: check() { … }. A property that holds a function does not count.',
  };
}
