import type { Container } from '../container/container';
import { TokenVerifier } from '../contracts/token-verifier';
import type { SetupProblem } from '../errors/setup-error';
import { isVerifier } from './choose-verifier';
import { isSingleton, referencesOf } from './collect-sole';

/** The verifier that modules provide, if any, once everything is built. Whatever leaves in doubt who checks tokens is a problem. */
export function collectVerifier(container: Container): {
  readonly verifier: TokenVerifier | undefined;
  readonly problems: readonly SetupProblem[];
} {
  const references = referencesOf(container, TokenVerifier);
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

function refused(problem: string, fix: string): { readonly verifier: undefined; readonly problems: readonly SetupProblem[] } {
  return { verifier: undefined, problems: [{ code: 'MCP_VERIFIER_INVALID', problem, where: 'TokenVerifier', fix }] };
}
