import { describeToken, type Type } from '../contracts/type';
import type { CompleterDeclaration, HandlerDeclaration } from '../decorators/metadata';
import type { SetupProblem } from '../errors/setup-error';

/** A class with handlers, and its module. */
export interface CompletingClass {
  readonly type: Type;
  readonly moduleName: string;
  readonly declarations: readonly HandlerDeclaration[];
}

/** Completers of a class that has nothing to complete, or of an argument that another one of them completes. */
export function problemsOfCompleters({ type, moduleName, declarations }: CompletingClass): readonly SetupProblem[] {
  const completers = declarations.filter((each) => each.kind === 'completer');
  const hasSubject = declarations.some(({ kind }) => kind === 'prompt' || kind === 'resource');
  return completers.flatMap((each, index) => {
    const first = completers.findIndex(({ options }) => options.argument === each.options.argument);
    if (!hasSubject) return [problem({ type, moduleName }, each, `${describeToken(type)} has no prompt and no resource template`)];
    if (first < index) return [problem({ type, moduleName }, each, `${String(completers[first]?.method)}() completes it already`)];
    return [];
  });
}

/** A completer of an argument that no prompt and no template of its class has. */
export function uselessCompleter(
  type: Type,
  moduleName: string,
  { argument, method }: { readonly argument: string; readonly method: PropertyKey },
): SetupProblem {
  const reason = `no prompt and no template of ${describeToken(type)} has an argument of that name`;
  return problem({ type, moduleName }, { method, options: { argument } }, reason);
}

function problem(
  { type, moduleName }: Pick<CompletingClass, 'type' | 'moduleName'>,
  { method, options }: Pick<CompleterDeclaration, 'method' | 'options'>,
  reason: string,
): SetupProblem {
  return {
    code: 'MCP_COMPLETE_ARGUMENT',
    problem: `${describeToken(type)}.${String(method)} completes the argument "${options.argument}", but ${reason}.`,
    where: `@Complete() on ${describeToken(type)}.${String(method)} in ${moduleName}`,
    fix: 'Name an argument of a prompt, or a variable of a template, that stands in the same class; complete each with one method.',
  };
}
