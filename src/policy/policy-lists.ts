import type { SetupProblem } from '../errors/setup-error';

/** What `Policy.define` takes. A list that is left out allows nothing; an entry that begins with `!` denies, and deny beats allow. */
export interface PolicyLists {
  /**
   * Absolute paths, each with everything below it. With `*` (any part of one name) or `**` (any number of names), exactly the paths that
   * match. `*` alone is every path. `/dev`, `/proc` and `/sys` are listed only by entries that start inside them.
   */
  readonly fsRead?: readonly string[];
  /** As `fsRead`. Permission to write is none to read. */
  readonly fsWrite?: readonly string[];
  /**
   * `host`, `*.host` (below it), an address, a range such as `10.0.0.0/8`, or `*` (all that is public), each with `:port` or for every port.
   * IPv6 stands in brackets before a port. What is not public (loopback, private, link-local, metadata) is opened only by an address.
   */
  readonly network?: readonly string[];
  /** Paths of Unix sockets, as `fsRead`. */
  readonly socket?: readonly string[];
}

/** The name of one list. */
export type ListName = keyof PolicyLists;

/** The names of all lists, in the order in which they are read. */
export const LIST_NAMES = Object.freeze(['fsRead', 'fsWrite', 'network', 'socket'] as const satisfies readonly ListName[]);

/** One list and the name under which its author knows it. */
export interface NamedList {
  readonly where: string;
  readonly entries: readonly unknown[];
}

/** A problem of a list, a name or a value that keeps the application from starting. */
export function policyProblem(problem: string, { where, fix }: Pick<SetupProblem, 'where' | 'fix'>): SetupProblem {
  return { code: 'MCP_POLICY_INVALID', problem, where, fix };
}
