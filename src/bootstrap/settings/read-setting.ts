import { invalid } from '../choose-verifier';
import type { DoorOptions, SettingSources } from './door-options';
import { readFlags, type Flag } from './read-flags';

/** One thing that can be configured, under every name that it has. */
export interface Setting<T> {
  /** Its names among the options of `listen`. */
  readonly options: readonly (keyof DoorOptions)[];
  readonly flag: Flag;
  /** Perch's own variable, then the aliases of older systems. */
  readonly variables: readonly string[];
  /** For the documentation. */
  readonly default: string;
  /** True where an option or flag that is blank counts as left out; a blank variable always does. */
  readonly isBlankUnset?: true;
  /** Reads what stands under one of the names, or throws an `McpSetupError`. */
  readonly read: (raw: unknown, name: string) => T;
  /** Equal for two values that say the same; by default their text. */
  readonly keyOf?: (value: T) => string;
}

/** What was found under the name that counts. */
export interface Found<T> {
  readonly value: T;
  /** The name, as its author wrote it. */
  readonly name: string;
  /** Lower counts first: 0 options, 1 flags, 2 `PERCH_*`, 3 aliases. */
  readonly level: number;
}

/**
 * What is said about a setting; the first of options, flags, `PERCH_*` and aliases counts. Two names of one setting in the same place that
 * say different things are refused, whatever stands over them: nobody could tell which of them was meant.
 */
export function readSetting<T>(setting: Setting<T>, { options = {}, argv, env = process.env }: SettingSources): Found<T> | undefined {
  const { flag, variables, isBlankUnset = false } = setting;
  const given = [
    ...setting.options.map((name): Named => ({ name, level: 0, raw: options[name], isUnset: isBlankUnset })),
    { name: `--${flag}`, level: 1, raw: readFlags(argv ?? process.argv.slice(2))[flag], isUnset: isBlankUnset },
    ...variables.map((name, index): Named => ({ name, level: index === 0 ? 2 : 3, raw: env[name], isUnset: true })),
  ].filter(isSet);
  refuseConflict(
    setting,
    given.filter(({ level }) => level === 0),
  );
  refuseConflict(
    setting,
    given.filter(({ level }) => level > 1),
  );
  const [first] = given;
  return first === undefined ? undefined : { value: setting.read(first.raw, first.name), name: first.name, level: first.level };
}

interface Named {
  readonly name: string;
  readonly level: number;
  readonly raw: unknown;
  /** Whether blank text counts as nothing. */
  readonly isUnset: boolean;
}

function isSet({ raw, isUnset }: Named): boolean {
  return raw !== undefined && !(isUnset && typeof raw === 'string' && raw.trim() === '');
}

function refuseConflict<T>({ read, keyOf = String }: Setting<T>, [first, ...others]: readonly Named[]): void {
  if (first === undefined) return;
  const key = keyOf(read(first.raw, first.name));
  const other = others.find(({ raw, name }) => keyOf(read(raw, name)) !== key);
  if (other === undefined) return;
  throw invalid(
    `${first.name} and ${other.name} disagree: ${shown(first)} and ${shown(other)}`,
    'They are two names of one setting. Keep one.',
  );
}

function shown({ raw }: Named): string {
  return JSON.stringify(raw);
}
