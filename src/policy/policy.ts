import type { PolicyQuestions } from '../contracts/policy-questions';
import { throwIfAny, type SetupProblem } from '../errors/setup-error';
import { compilePolicy, type CompiledPolicy } from './compile-policy';
import { findUnknownNames, isEnforced, readList, type Environment } from './policy-environment';
import { LIST_NAMES, policyProblem, type ListName, type NamedList, type PolicyLists } from './policy-lists';

/**
 * What the operator lets this process touch. Compiled when it is made and frozen: neither the environment nor a handler changes it later.
 * A path is decided by the real path of its deepest existing ancestor, a host by the URL parser and the bytes of an address. Deny beats
 * allow, and what is not listed is refused.
 */
export class Policy implements PolicyQuestions {
  /** Every question is answered yes. */
  static readonly unenforced: Policy = new Policy([]);

  /** Throws an `McpSetupError` that names every entry it cannot use. */
  static define(lists: PolicyLists): Policy {
    const problems: SetupProblem[] = [];
    const named = readOptions(lists, problems);
    const compiled = compilePolicy(named, problems);
    throwIfAny(problems);
    return new Policy([compiled]);
  }

  /**
   * Reads `PERCH_PERM_ENFORCE`, `PERCH_PERM_FS_READ`, `PERCH_PERM_FS_WRITE`, `PERCH_PERM_NETWORK` and `PERCH_PERM_SOCKET`, and the
   * `SOX_PERM_*` names as aliases. Without `…_ENFORCE` it is {@link Policy.unenforced}. Throws an `McpSetupError` for a list that cannot be
   * used, for two names that disagree, and for a `PERCH_PERM_*` name that does not exist.
   */
  static fromEnv(env: Environment): Policy {
    const problems = findUnknownNames(env);
    const rules = isEnforced(env) ? [compilePolicy(readEnvironment(env, problems), problems)] : [];
    throwIfAny(problems);
    return new Policy(rules);
  }

  /** The policy that allows what both allow. */
  static both(first: Policy, second: Policy): Policy {
    return new Policy([...first.#rules, ...second.#rules]);
  }

  readonly enforced: boolean;
  readonly #rules: readonly CompiledPolicy[];

  /** Made by the functions above; a class whose constructor is private could not be injected by its type. */
  constructor(rules: readonly CompiledPolicy[]) {
    this.#rules = rules;
    this.enforced = rules.length > 0;
    Object.freeze(this);
  }

  /** How many entries the lists of each policy have that is in force here, for a summary; the entries themselves are not told. */
  get sizes(): readonly Readonly<Record<ListName, number>>[] {
    return this.#rules.map(({ sizes }) => sizes);
  }

  allowsFsRead(absolutePath: string): boolean {
    return this.#rules.every((rules) => rules.fsRead.allows(absolutePath));
  }

  allowsFsWrite(absolutePath: string): boolean {
    return this.#rules.every((rules) => rules.fsWrite.allows(absolutePath));
  }

  allowsNetwork(hostOrUrl: string): boolean {
    return this.#rules.every((rules) => rules.network.allows(hostOrUrl));
  }

  allowsSocket(absolutePath: string): boolean {
    return this.#rules.every((rules) => rules.socket.allows(absolutePath));
  }

  /** For guarded ports: decides a path that is known to be real, by its letters, without asking the disk. */
  allowsRealPath(list: 'fsRead' | 'fsWrite', realPath: string): boolean {
    return this.#rules.every((rules) => rules[list].allowsReal(realPath));
  }

  /** For guarded ports: decides an address that an allowed host resolved to. */
  allowsAddress(address: string, port: number): boolean {
    return this.#rules.every((rules) => rules.network.allowsAddress(address, port));
  }
}
Object.freeze(Policy.prototype);
Object.freeze(Policy);

function readOptions(lists: unknown, problems: SetupProblem[]): Readonly<Record<ListName, NamedList>> {
  const where = 'Policy.define';
  const isRecord = typeof lists === 'object' && lists !== null && !Array.isArray(lists);
  if (!isRecord) problems.push(policyProblem('The policy is not an object of lists', { where, fix: `Pass { ${LIST_NAMES.join(', ')} }.` }));
  const given = new Map<string, unknown>(isRecord ? Object.entries(lists) : []);
  for (const key of given.keys()) {
    if (LIST_NAMES.some((name) => name === key)) continue;
    problems.push(policyProblem(`There is no list "${key}"`, { where, fix: `Use ${LIST_NAMES.join(', ')}.` }));
  }
  return toRecord((name) => {
    const entries = given.get(name);
    const place = `${where}({ ${name} })`;
    if (entries === undefined) return { where: place, entries: [] };
    if (Array.isArray(entries)) return { where: place, entries };
    problems.push(policyProblem(`"${name}" is not an array`, { where: place, fix: `Pass an array of strings, or leave ${name} out.` }));
    return { where: place, entries: [] };
  });
}

function readEnvironment(env: Environment, problems: SetupProblem[]): Readonly<Record<ListName, NamedList>> {
  return toRecord((name) => readList(env, name, problems));
}

function toRecord(read: (name: ListName) => NamedList): Readonly<Record<ListName, NamedList>> {
  return { fsRead: read('fsRead'), fsWrite: read('fsWrite'), network: read('network'), socket: read('socket') };
}
