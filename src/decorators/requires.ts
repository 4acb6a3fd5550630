import type { PolicyDemand, Requirement } from '../contracts/security';
import { demand } from './demand';

/** What a call with this input needs of the policy: paths for files and sockets, hosts or URLs for the network. */
export interface RequiresOptions<I = never> extends PolicyDemand {
  readonly fsRead?: string | readonly string[] | ((input: I) => string | readonly string[]);
  readonly fsWrite?: string | readonly string[] | ((input: I) => string | readonly string[]);
  readonly network?: string | readonly string[] | ((input: I) => string | readonly string[]);
  readonly socket?: string | readonly string[] | ((input: I) => string | readonly string[]);
}

const KINDS: ReadonlySet<string> = new Set(['fsRead', 'fsWrite', 'network', 'socket']);

/**
 * Lets the handler run only where the operator's policy allows what it is about to touch. A function is given the checked input of the
 * call; a string is known at boot, where an entry that the policy cannot allow is hidden or stops the boot. The check is made before the
 * handler; `GuardedFs` and `GuardedFetch` make it at the access itself.
 *
 * Throws a `TypeError` at decoration for a requirement it does not know.
 */
export function Requires<I = never>(requirements: RequiresOptions<I>): ClassDecorator & MethodDecorator {
  const entries = Object.entries(requirements) as readonly (readonly [string, Requirement | undefined])[];
  const wrong = entries.find(([kind, value]) => !KINDS.has(kind) || !isRequirement(value));
  if (wrong !== undefined || entries.length === 0) {
    throw new TypeError(
      `@Requires() takes fsRead, fsWrite, network and socket, each a string, a list of strings or a function of the input.`,
    );
  }
  return demand('@Requires()', { requires: [Object.freeze({ ...requirements })] });
}

function isRequirement(value: Requirement | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((each) => typeof each === 'string');
  return typeof value === 'string' || typeof value === 'function';
}
