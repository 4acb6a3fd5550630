import type { PolicyDenial, PolicyQuestions } from '../contracts/policy-questions';
import { printable } from '../errors/registry-errors';
import { Policy } from './policy';

let ofProcess: Policy | undefined;

/**
 * The policy of this process's environment, compiled at the first call and kept, so that a later change of the environment changes nothing.
 * Throws an `McpSetupError` for lists that cannot be used. It knows no `policy` option; inside a handler ask the context, which does.
 */
export function getPolicy(): Policy {
  return (ofProcess ??= Policy.fromEnv(process.env));
}

/**
 * For access outside a handler: a denial, or null. Without `access`, both reading and writing must be allowed. Never throws; an environment
 * that cannot be used denies.
 */
export function checkFsAccess(absolutePath: string, access?: 'read' | 'write'): PolicyDenial | null {
  const verb = access === undefined ? 'Access to' : access === 'read' ? 'Reading' : 'Writing';
  return decide(`${verb} ${shown(absolutePath)}`, (policy) => {
    const mayRead = access === 'write' || policy.allowsFsRead(absolutePath);
    return mayRead && (access === 'read' || policy.allowsFsWrite(absolutePath));
  });
}

/** For access outside a handler: a denial, or null. Never throws; an environment that cannot be used denies. */
export function checkNetworkAccess(hostOrUrl: string): PolicyDenial | null {
  return decide(`Connecting to ${shown(hostOrUrl)}`, (policy) => policy.allowsNetwork(hostOrUrl));
}

/** For access outside a handler: a denial, or null. Never throws; an environment that cannot be used denies. */
export function checkSocketAccess(absolutePath: string): PolicyDenial | null {
  return decide(`Connecting to the socket ${shown(absolutePath)}`, (policy) => policy.allowsSocket(absolutePath));
}

function decide(what: string, allows: (policy: PolicyQuestions) => boolean): PolicyDenial | null {
  return isAllowed(allows) ? null : Object.freeze({ denied: true, reason: `${what} is not allowed by the policy` });
}

function isAllowed(allows: (policy: PolicyQuestions) => boolean): boolean {
  try {
    return allows(getPolicy());
  } catch {
    return false;
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${printable(value)}"` : 'what is no string';
}
