import type { Container } from '../container/container';
import { NotBuiltError } from '../container/provider-errors';
import type { ProviderReference } from '../contracts/provider';
import { TokenVerifier } from '../contracts/token-verifier';
import { isClass } from '../contracts/type';
import type { SetupProblem } from '../errors/setup-error';
import { isVerifier } from './choose-verifier';

/** The verifier that modules provide, if any, once everything is built. Whatever leaves in doubt who checks tokens is a problem. */
export function collectVerifier(container: Container): {
  readonly verifier: TokenVerifier | undefined;
  readonly problems: readonly SetupProblem[];
} {
  const references = referencesIn(container);
  const scoped = references.find((each) => !isSingleton(each));
  if (scoped !== undefined)
    return refused(
      `The token verifier ${scoped.name} is not a singleton, and tokens are checked before there is an operation that it could belong to.`,
      'Make it, and what it is built from, singletons.',
    );
  const [first, ...others] = new Set(references.map((each) => each.get()));
  if (others.length > 0)
    return refused(
      `There is more than one token verifier: ${references.map(({ name }) => name).join(', ')}.`,
      'Provide one under TokenVerifier, which may ask the others.',
    );
  if (references.length === 0) return { verifier: undefined, problems: [] };
  if (isVerifier(first)) return { verifier: first, problems: [] };
  return refused(`${references[0]?.name ?? ''} has no method verify.`, 'Provide a class that extends TokenVerifier.');
}

/** What stands under the token; without that, classes that extend it, so that nobody who wrote one is served without it. */
function referencesIn(container: Container): readonly ProviderReference[] {
  const provided = container.references(TokenVerifier);
  if (provided.length > 0) return provided;
  const classes = container.tokens.filter((token) => isClass(token) && token.prototype instanceof TokenVerifier);
  return [...new Set(classes)].flatMap((token) => container.references(token));
}

/** A transient provider has no instance to get. */
function isSingleton(reference: ProviderReference): boolean {
  if (reference.isRequestScoped) return false;
  try {
    reference.get();
    return true;
  } catch (error) {
    if (error instanceof NotBuiltError) return false;
    throw error;
  }
}

function refused(problem: string, fix: string): { readonly verifier: undefined; readonly problems: readonly SetupProblem[] } {
  return { verifier: undefined, problems: [{ code: 'MCP_VERIFIER_INVALID', problem, where: 'TokenVerifier', fix }] };
}
