import { addressBytes, isPublic } from './address';
import type { NetworkPattern } from './network-pattern';
import { readTarget, type NetworkTarget } from './network-target';

/** A compiled list of hosts. */
export interface NetworkLists {
  readonly allow: readonly NetworkPattern[];
  readonly deny: readonly NetworkPattern[];
}

/** Decides hosts by the name the URL parser sees and by the bytes of an address. Deny beats allow; what is not listed is refused. */
export class NetworkRules {
  readonly #lists: NetworkLists;

  constructor(lists: NetworkLists) {
    this.#lists = lists;
  }

  /** Resolves no name, and never throws. */
  allows(asked: unknown): boolean {
    const target = readTarget(asked);
    return target !== undefined && !this.#denies(target) && this.#lists.allow.some((each) => isPort(each, target) && each.matches(target));
  }

  /** Decides an address that an allowed name resolved to. One that is not public must be listed as an address. */
  allowsAddress(text: string, port: number): boolean {
    const address = addressBytes(text);
    if (address === undefined) return false;
    const target = { host: text, address, port };
    if (this.#denies(target)) return false;
    return isPublic(address) || this.#lists.allow.some((each) => each.isAddress && isPort(each, target) && each.matches(target));
  }

  /** A question without a port may mean the port that is denied. */
  #denies(target: NetworkTarget): boolean {
    return this.#lists.deny.some((each) => (target.port === undefined || isPort(each, target)) && each.covers(target));
  }
}

function isPort(pattern: NetworkPattern, target: NetworkTarget): boolean {
  return pattern.port === undefined || pattern.port === target.port;
}
