import { brand } from './brand';
import type { SetupCode } from './setup-codes';

/** One thing that keeps an application from starting. */
export interface SetupProblem {
  readonly code: SetupCode;
  /** What is wrong, with the offending names. */
  readonly problem: string;
  /** The class, parameter, property or module where it stands. */
  readonly where: string;
  /** What to do about it; several ways are separated by line breaks. */
  readonly fix: string;
  /** The error behind it, for the log. Never sent to a client. */
  readonly cause?: unknown;
}

/** Everything that keeps an application from starting, found before any transport opens. Thrown by `McpFactory.create`. */
export class McpSetupError extends Error {
  /** The code of the first problem. */
  readonly code: SetupCode;

  /** What is wrong, one by one. Not enumerable: the message says it all, and would be printed twice. */
  declare readonly problems: readonly [SetupProblem, ...SetupProblem[]];

  constructor(problems: readonly [SetupProblem, ...SetupProblem[]]) {
    const { cause } = problems.find((each) => each.cause !== undefined) ?? {};
    super(problems.map(describeProblem).join('\n\n'), cause === undefined ? undefined : { cause });
    this.name = 'McpSetupError';
    this.code = problems[0].code;
    Object.defineProperty(this, 'problems', { value: problems });
  }
}
brand(McpSetupError);

/** Throws all problems together; returns when there are none. */
export function throwIfAny(problems: readonly SetupProblem[]): void {
  const [first, ...rest] = problems;
  if (first !== undefined) throw new McpSetupError([first, ...rest]);
}

function describeProblem(each: SetupProblem): string {
  const fixes = each.fix.split('\n');
  const solutions = fixes.map((line) => `- ${line}`).join('\n');
  return `${each.code}: ${each.problem}\n  at ${each.where}\n\nPotential solutions:\n${solutions}`;
}
