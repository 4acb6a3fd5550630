import { printable } from '../errors/registry-errors';
import type { SetupProblem } from '../errors/setup-error';
import { compileNetworkPattern, type NetworkPattern } from './network/network-pattern';
import { NetworkRules } from './network/network-rules';
import { compilePathPattern, type Fold, type PathPattern } from './paths/path-pattern';
import { PathRules } from './paths/path-rules';
import { policyProblem, type ListName, type NamedList } from './policy-lists';

/** The lists of one policy, compiled. */
export interface CompiledPolicy {
  /** How many entries each list has. */
  readonly sizes: Readonly<Record<ListName, number>>;
  readonly fsRead: PathRules;
  readonly fsWrite: PathRules;
  readonly network: NetworkRules;
  readonly socket: PathRules;
}

/** How the entries of one kind of list are read. Each of the two functions gives a pattern, or says what is wrong. */
interface EntryKind<P> {
  readonly allow: (text: string) => P | string;
  readonly deny: (text: string) => P | string;
  readonly fix: string;
}

const foldsCase = process.platform === 'darwin' || process.platform === 'win32';

// Where the disk takes two spellings for one name, a file that is denied must not become another one by its spelling.
const denyFold: Fold | undefined = foldsCase ? (text) => text.normalize('NFC').toLowerCase() : undefined;

const PATHS: EntryKind<PathPattern> = Object.freeze({
  allow: (text: string) => compilePathPattern(text),
  deny: (text: string) => compilePathPattern(text, denyFold),
  fix: 'Write an absolute path such as /srv/data, or a pattern such as /srv/*/public/**; put ! before it to deny.',
});

const HOSTS: EntryKind<NetworkPattern> = Object.freeze({
  allow: compileNetworkPattern,
  deny: compileNetworkPattern,
  fix: 'Write a host, host:port, *.host, an address, or a range such as 10.0.0.0/8; put ! before it to deny.',
});

/** Compiles every list. What is wrong with an entry is added to `problems`; the rules are then not to be used. */
export function compilePolicy(lists: Readonly<Record<ListName, NamedList>>, problems: SetupProblem[]): CompiledPolicy {
  return Object.freeze({
    sizes: Object.freeze(sizesOf(lists)),
    fsRead: new PathRules({ ...compileList(lists.fsRead, PATHS, problems), kinds: 'files' }),
    fsWrite: new PathRules({ ...compileList(lists.fsWrite, PATHS, problems), kinds: 'files' }),
    network: new NetworkRules(compileList(lists.network, HOSTS, problems)),
    socket: new PathRules({ ...compileList(lists.socket, PATHS, problems), kinds: 'any' }),
  });
}

function sizesOf({ fsRead, fsWrite, network, socket }: Readonly<Record<ListName, NamedList>>): Record<ListName, number> {
  return { fsRead: fsRead.entries.length, fsWrite: fsWrite.entries.length, network: network.entries.length, socket: socket.entries.length };
}

function compileList<P>({ where, entries }: NamedList, kind: EntryKind<P>, problems: SetupProblem[]): { allow: P[]; deny: P[] } {
  const patterns: { allow: P[]; deny: P[] } = { allow: [], deny: [] };
  for (const [index, entry] of entries.entries()) {
    const denies = typeof entry === 'string' && entry.startsWith('!');
    const pattern = compileEntry(entry, denies ? kind.deny : kind.allow);
    if (typeof pattern !== 'string') patterns[denies ? 'deny' : 'allow'].push(pattern);
    else problems.push(policyProblem(`${shown(entry)} ${pattern}`, { where: `${where}, index [${index}]`, fix: kind.fix }));
  }
  return patterns;
}

function compileEntry<P>(entry: unknown, compile: (text: string) => P | string): P | string {
  if (typeof entry !== 'string') return 'is not a string';
  const text = entry.replace(/^!/, '');
  if (text.trim() === '') return 'is empty';
  return /[\p{Cc}\p{Surrogate}]/u.test(text) ? 'contains a control character' : compile(text);
}

function shown(entry: unknown): string {
  return typeof entry === 'string' ? `"${printable(entry)}"` : `An entry of type ${entry === null ? 'null' : typeof entry}`;
}
