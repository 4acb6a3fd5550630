import type { TransportHandle } from '../contracts/transport';
import { SharedToken } from '../policy/shared-token';
import type { ResolvedListenOptions } from './listen-options';

/** What stands between one open transport and those who can reach it, in words for the operator. */
export function protectionOf(handle: TransportHandle, options: ResolvedListenOptions): string {
  if (handle.mode === 'stdio') return `the client that started this process${asWhom(options)}; nobody is asked for a token`;
  if (handle.mode !== 'http') return `only this user can open the socket${asWhom(options)}; nobody is asked for a token`;
  if (handle.socketPath !== undefined) return `only this user can open the socket; ${tokenText(options)}`;
  return options.verifier === undefined ? 'this machine only; nobody is asked for a token' : tokenText(options);
}

function asWhom({ localPrincipal }: ResolvedListenOptions): string {
  return localPrincipal === undefined ? '' : `, as "${localPrincipal.id}"`;
}

function tokenText({ verifier }: ResolvedListenOptions): string {
  if (verifier === undefined) return 'nobody is asked for a token';
  return verifier instanceof SharedToken ? 'asks for the shared token' : `asks for a token, which ${nameOf(verifier)} checks`;
}

function nameOf(verifier: object): string {
  const name = verifier.constructor.name;
  return name === '' || name === 'Object' ? 'a verifier' : name;
}
