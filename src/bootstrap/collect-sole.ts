import type { Container } from '../container/container';
import { NotBuiltError } from '../container/provider-errors';
import type { LoggerService } from '../contracts/logger';
import type { ProviderReference } from '../contracts/provider';
import { describeToken, isClass, type InjectionToken } from '../contracts/type';
import type { SetupProblem } from '../errors/setup-error';

/** What an application has one of, at most. */
export interface Sole {
  readonly token: InjectionToken;
  /** As it is called in messages: 'audit sink'. */
  readonly word: string;
}

/** What was found, and what is wrong with it. */
export interface Collected {
  readonly instance?: unknown;
  readonly problems: readonly SetupProblem[];
}

/** The one instance that modules provide, once everything is built; the first of several, which is said in the log. */
export function collectSole(container: Container, { token, word }: Sole, logger: LoggerService): Collected {
  const references = referencesOf(container, token);
  const scoped = references.find((each) => !isSingleton(each));
  if (scoped !== undefined) return { problems: [notSole(scoped.name, { token, word })] };
  const [first, ...others] = new Set(references.map((each) => each.get()));
  if (others.length > 0) logger.warn(`There is more than one ${word}; the one that is used is ${references[0]?.name ?? ''}.`);
  return { instance: first, problems: [] };
}

/** What stands under the token; where that is a class and nothing does, classes that extend it, so that nobody who wrote one waits in vain. */
export function referencesOf(container: Container, token: InjectionToken): readonly ProviderReference[] {
  const provided = container.references(token);
  if (provided.length > 0 || !isClass(token)) return provided;
  const classes = container.tokens.filter((each) => isClass(each) && each.prototype instanceof token);
  return [...new Set(classes)].flatMap((each) => container.references(each));
}

/** A transient provider has no instance to get. */
export function isSingleton(reference: ProviderReference): boolean {
  if (reference.isRequestScoped) return false;
  try {
    reference.get();
    return true;
  } catch (error) {
    if (error instanceof NotBuiltError) return false;
    throw error;
  }
}

function notSole(name: string, { token, word }: Sole): SetupProblem {
  return {
    code: 'MCP_SINGLETON_REQUIRED',
    problem: `The ${word} ${name} is not a singleton, and the application asks one object for it, in and outside of operations.`,
    where: describeToken(token),
    fix: 'Make it, and what it is built from, singletons.',
  };
}
