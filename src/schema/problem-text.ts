import { printable } from '../errors/registry-errors';

/** A place inside a value: property names and array indexes, from the root. */
export type Path = ReadonlyArray<string | number>;

const MAX_PROBLEMS = 10;
const MAX_PATH = 160;
const MAX_TEXT = 320;

/** `address.city` or `tags[2]`; names that a caller chose are escaped and cut. */
export function pathText(path: Path): string {
  let text = '';
  for (const each of path) {
    if (typeof each === 'number') text += `[${each}]`;
    else text += text === '' ? printable(each) : `.${printable(each)}`;
    if (text.length > MAX_PATH) return `${text.slice(0, MAX_PATH)}…`;
  }
  return text;
}

/** One problem: where and what. `root` stands for the empty path. */
export function problemText(path: Path, what: string, root: string): string {
  return `${path.length === 0 ? root : pathText(path)} ${what}`;
}

/** Escapes control and formatting characters in a text that may repeat what a caller sent. */
export function cleanText(text: string): string {
  return cut(text).replace(/[\p{C}\u2028\u2029]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** At most ten different texts of at most 320 characters: whatever was sent, the answer stays under 4 kB. */
export function boundProblems(texts: Iterable<string>): readonly string[] {
  const kept = new Set<string>();
  for (const text of texts) {
    if (kept.size === MAX_PROBLEMS) break;
    kept.add(cut(text));
  }
  return [...kept];
}

/** Values of the author's schema as a list, cut when it gets long. */
export function listText(values: readonly unknown[]): string {
  return cut(values.map((each) => JSON.stringify(each)).join(', '), MAX_PATH);
}

function cut(text: string, length: number = MAX_TEXT): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
