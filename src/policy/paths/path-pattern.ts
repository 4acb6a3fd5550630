import { isAbsolutePath, joinSegments, segmentsOf } from './absolute-path';
import { realPathOf } from './real-path';

type SegmentTest = '**' | ((name: string) => boolean);

/** How names are compared: as they are, or with letter case and composition folded away. */
export type Fold = (text: string) => string;

/** One entry of a path list, compiled. */
export interface PathPattern {
  /** The real path of the part before the first `*`, as it was when the pattern was compiled. */
  readonly base: string;
  /** True for an entry without `*`, which stands for a path and everything below it. */
  readonly isTree: boolean;
  /** Takes a normalised path. */
  matches(place: string): boolean;
  /** True also for what lies below a match, and for the path as it was written; this is how an entry that denies is read. */
  covers(place: string): boolean;
}

const AS_IS: Fold = (text) => text;

/** Compiles an entry without its `!`, or says in one sentence what is wrong with it. */
export function compilePathPattern(entry: string, fold: Fold = AS_IS): PathPattern | string {
  const text = entry === '*' || entry === '**' ? rootOf() : entry;
  const segments = segmentsOf(text);
  const wildAt = segments.findIndex((segment) => segment.includes('*'));
  const fixed = wildAt === -1 ? segments : segments.slice(0, wildAt);
  const wild = wildAt === -1 ? [] : segments.slice(wildAt);
  const written = joinSegments(text, fixed);
  if (!isAbsolutePath(written)) return 'is not an absolute path';
  if (text.split(/[\\/]/).some((segment) => segment === '..' || segment === '.')) return 'contains "." or ".."';
  if (wild.some((segment) => segment.includes('**') && segment !== '**')) return 'has "**" beside other characters';
  const base = realPathOf(written);
  if (base === undefined) return 'leads through a link or a directory that cannot be followed';
  const tests = wild.map((segment) => toTest(fold(segment)));
  const isTree = tests.length === 0;
  const roots = [base, written].map((root) => segmentsOf(fold(root))) as [string[], string[]];
  const isUnder = (place: string, root: readonly string[], below: boolean): boolean => {
    const names = segmentsOf(fold(place));
    return root.every((name, index) => names[index] === name) && (isTree || run(tests, names.slice(root.length), below));
  };
  return Object.freeze({
    base,
    isTree,
    matches: (place: string) => isUnder(place, roots[0], false),
    covers: (place: string) => roots.some((root) => isUnder(place, root, true)),
  });
}

function rootOf(): string {
  return process.platform === 'win32' ? 'C:\\' : '/';
}

/** Each part is looked for behind the one before, so that no name makes it slow. */
function toTest(segment: string): SegmentTest {
  if (segment === '**') return segment;
  const [first = '', ...parts] = segment.split('*');
  const last = parts.pop();
  if (last === undefined) return (name) => name === segment;
  return (name) => {
    const end = name.length - last.length;
    if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    let from = first.length;
    for (const part of parts) {
      const found = name.indexOf(part, from);
      if (found === -1 || found + part.length > end) return false;
      from = found + part.length;
    }
    return true;
  };
}

/** Follows all ways through the tests at once, so that no path makes it slow. */
function run(tests: readonly SegmentTest[], names: readonly string[], below: boolean): boolean {
  let states = reach(tests, [0]);
  for (const name of names) {
    if (below && states.has(tests.length)) return true;
    const next = [...states].flatMap((state) => {
      const test = tests[state];
      if (test === '**') return [state];
      return test?.(name) === true ? [state + 1] : [];
    });
    states = reach(tests, next);
  }
  return states.has(tests.length);
}

/** `**` stands for any number of names, none included. */
function reach(tests: readonly SegmentTest[], states: readonly number[]): Set<number> {
  const all = new Set<number>();
  for (const start of states) {
    for (let state = start; ; state++) {
      all.add(state);
      if (tests[state] !== '**') break;
    }
  }
  return all;
}
