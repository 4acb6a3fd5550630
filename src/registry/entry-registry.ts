import { DuplicateRegistrationError, type RegisteredKind } from '../errors/registry-errors';
import { McpSetupError, type SetupProblem } from '../errors/setup-error';
import { problemOfFields } from './entry-fields';
import { withoutNamesakes } from './made-fields';

/** What an application gives its registry. */
export interface RegistryOptions<Entry, Request = Entry> {
  /** Runs an entry. Default: its own function, with nothing before or after it. */
  readonly dispatch?: (request: Request, input: unknown) => Promise<unknown>;
  /** Says with which class, and which of its enhancers, a definition is served. What it throws comes out of `register`. */
  readonly serve?: (definition: object, entry: Entry) => Partial<Entry>;
  /** Checks an entry before it is kept; what it throws comes out of `register`. */
  readonly admit?: (entry: Entry) => void;
}

/** What one kind of registry knows of its entries. */
export interface EntryRules<Entry> {
  readonly kind: RegisteredKind;
  /** The functions of a definition; they keep their `this`. */
  readonly functions: readonly (keyof Entry)[];
  readonly keyOf: (entry: Entry) => string;
  /** Equal for entries that answer the same requests; default the key. */
  readonly identityOf?: (entry: Entry) => string;
  readonly problemOf: (entry: Entry) => SetupProblem | undefined;
}

/** Entries by key, in the order of registration, and listeners who hear of every change. */
export abstract class EntryRegistry<Definition extends object, Entry extends object> {
  readonly #entries = new Map<string, Entry>();
  readonly #identities = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #rules: EntryRules<Entry>;
  readonly #options: Pick<RegistryOptions<Entry>, 'serve' | 'admit'>;

  constructor(rules: EntryRules<Entry>, options: Pick<RegistryOptions<Entry>, 'serve' | 'admit'>) {
    this.#rules = rules;
    this.#options = options;
  }

  /**
   * Adds an entry, and tells connected clients. Throws `DuplicateRegistrationError` when its key is taken, and `McpSetupError` for a
   * definition that cannot be served; then nothing has changed.
   */
  register(definition: Definition | Entry): Entry {
    const read = this.#read(definition);
    const key = this.#rules.keyOf(read);
    const problem = this.#rules.problemOf(read) ?? problemOfFields(read, this.#rules.kind, key);
    if (problem !== undefined) throw new McpSetupError([problem]);
    const identity = this.#identityOf(read);
    if (this.#identities.has(identity)) throw new DuplicateRegistrationError(this.#rules.kind, key);
    const { serve, admit } = this.#options;
    // What has been served before, or belongs to a provider, says so itself.
    const entry = Object.freeze('target' in read || serve === undefined ? read : { ...read, ...serve(definition, read) });
    admit?.(entry);
    this.#entries.set(key, entry);
    this.#identities.add(identity);
    this.#changed();
    return entry;
  }

  /** Removes an entry; false when there is none under that key. What runs finishes. */
  unregister(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#entries.delete(key);
    this.#identities.delete(this.#identityOf(entry));
    this.#changed();
    return true;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Every entry, in the order of registration. */
  list(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** Calls `listener` after every change; the result stops that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #identityOf(entry: Entry): string {
    return (this.#rules.identityOf ?? this.#rules.keyOf)(entry);
  }

  /** A definition may be an instance whose functions stand on its class. */
  #read(definition: Definition | Entry): Entry {
    const own = definition as Entry;
    const functions = this.#rules.functions.filter((name) => typeof own[name] === 'function');
    const bound = functions.map((name) => [name, (own[name] as (...args: unknown[]) => unknown).bind(definition)] as const);
    return { ...withoutNamesakes(own), ...Object.fromEntries(bound) };
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The function of an entry that stands alone; one that a provider owns has none. */
export function ownFunction<F>(found: F | undefined, entry: string, call: string): F {
  if (found === undefined) throw new TypeError(`${entry} belongs to an application; call it through ${call}.`);
  return found;
}
