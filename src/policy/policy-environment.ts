import path from 'node:path';
import type { SetupProblem } from '../errors/setup-error';
import { policyProblem, type ListName, type NamedList } from './policy-lists';

/** The environment of a process, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIXES = ['PERCH_PERM_', 'SOX_PERM_'] as const;

const VARIABLES: Readonly<Record<ListName, string>> = Object.freeze({
  fsRead: 'FS_READ',
  fsWrite: 'FS_WRITE',
  network: 'NETWORK',
  socket: 'SOCKET',
});

const KNOWN: ReadonlySet<string> = new Set(['ENFORCE', ...Object.values(VARIABLES)]);

/** True when `…_PERM_ENFORCE` is there. Its value does not matter: empty, `0` and `false` enforce as well. */
export function isEnforced(env: Environment): boolean {
  return PREFIXES.some((prefix) => env[`${prefix}ENFORCE`] !== undefined);
}

/** The variables with a list that nobody asks, since nothing is enforced. */
export function listsNotInForce(env: Environment): readonly string[] {
  if (isEnforced(env)) return [];
  return PREFIXES.flatMap((prefix) => Object.values(VARIABLES).map((name) => prefix + name)).filter((name) => env[name] !== undefined);
}

/** Names that mean nothing. A misspelt one would leave the process without the policy its operator believes in. */
export function findUnknownNames(env: Environment): SetupProblem[] {
  // The names first: reading a variable of the process is the dear part.
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith(PREFIXES[0]) && !KNOWN.has(name.slice(PREFIXES[0].length)) && env[name] !== undefined,
  );
  if (unknown.length === 0) return [];
  const fix = `Use ${[...KNOWN].map((name) => PREFIXES[0] + name).join(', ')}.`;
  return unknown.map((name) => policyProblem(`There is no variable "${name}"`, { where: 'the environment', fix }));
}

/** Reads one list. Two names of it that disagree are a problem; unset and empty both allow nothing. */
export function readList(env: Environment, list: ListName, problems: SetupProblem[]): NamedList {
  const [first, second] = PREFIXES.map((prefix) => prefix + VARIABLES[list]) as [string, string];
  const name = env[first] === undefined ? second : first;
  const entries = splitList(env[name] ?? '', list);
  if (env[second] !== undefined && !isSameList(entries, splitList(env[second], list))) {
    const where = `the environment, ${first} and ${second}`;
    problems.push({ code: 'MCP_POLICY_CONFLICT', problem: `${first} and ${second} disagree`, where, fix: 'Unset one of the two.' });
  }
  return { where: `the environment, ${name}`, entries };
}

/** A JSON array, or text between the platform's path delimiters (network: commas). What is neither fails when its entries are compiled. */
function splitList(text: string, list: ListName): readonly unknown[] {
  if (text.trim() === '') return [];
  const json = text.trimStart().startsWith('[') ? parsed(text) : undefined;
  if (Array.isArray(json)) return json;
  return list === 'network' ? text.split(',').map((entry) => entry.trim()) : text.split(path.delimiter);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSameList(first: readonly unknown[], second: readonly unknown[]): boolean {
  return JSON.stringify(first.map(String).sort()) === JSON.stringify(second.map(String).sort());
}
