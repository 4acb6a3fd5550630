import path from 'node:path';
import { isAbsolutePath, isWithin, joinSegments, segmentsOf } from './absolute-path';
import type { PathPattern } from './path-pattern';
import { entryAt, realPathOf } from './real-path';

/** What lies here is no data: it is the machine itself. `/` does not list it; an entry that starts inside does. */
const SPECIAL_ROOTS: readonly string[] = ['/dev', '/proc', '/sys'];

/** Ways back in one path; a program needs none, and each costs a look at the disk. */
const MOST_WAYS_BACK = 32;

/** A compiled list of paths. */
export interface PathLists {
  readonly allow: readonly PathPattern[];
  readonly deny: readonly PathPattern[];
  /** What may lie at an allowed path: files and directories, or (for a list of sockets) anything. */
  readonly kinds: 'files' | 'any';
}

/** Decides paths by where they really lead. Deny beats allow; what is not listed is refused. */
export class PathRules {
  readonly #lists: PathLists;

  constructor(lists: PathLists) {
    this.#lists = lists;
  }

  /** Asks the disk, and never throws. */
  allows(asked: unknown): boolean {
    if (this.#lists.allow.length === 0 || !isAbsolutePath(asked)) return false;
    try {
      const places = placesOn(asked);
      return places.length <= MOST_WAYS_BACK + 2 && places.every((place) => this.#allowsPlace(place));
    } catch {
      return false;
    }
  }

  /** Decides a path that is known to be real, by its letters alone. */
  allowsReal(real: string): boolean {
    const { allow, deny } = this.#lists;
    return allow.some((pattern) => pattern.matches(real) && isOnPurpose(pattern, real)) && !deny.some((pattern) => pattern.covers(real));
  }

  #allowsPlace(place: string): boolean {
    const written = path.normalize(place);
    if (this.#lists.deny.some((pattern) => pattern.covers(written)) || !this.#isOnPurpose(written)) return false;
    const real = realPathOf(place);
    return real !== undefined && this.allowsReal(real) && (this.#lists.kinds === 'any' || this.#isFileOrNamed(real));
  }

  /** A way through `/proc` can lead into the files of another container, whose paths look like ours. */
  #isOnPurpose(written: string): boolean {
    return !isSpecial(written) || this.#lists.allow.some((pattern) => isOnPurpose(pattern, written));
  }

  /** A device, a pipe or a socket is meant only by an entry that names it. */
  #isFileOrNamed(real: string): boolean {
    const stats = entryAt(real);
    if (stats === undefined || stats.isFile() || stats.isDirectory()) return true;
    return isSpecial(real) || this.#lists.allow.some((pattern) => pattern.isTree && pattern.base === real);
  }
}

/**
 * The path itself, and where it goes on its way. Each `..` leaves a directory: if that one were not decided too, the answer would tell
 * whether it exists. What programs make of the path that remove `..` by its letters is decided as well.
 */
function placesOn(asked: string): string[] {
  const segments = segmentsOf(asked);
  const left = segments.flatMap((segment, index) => (segment === '..' ? [joinSegments(asked, segments.slice(0, index))] : []));
  return left.length === 0 ? [asked] : [...left, path.normalize(asked), asked];
}

function isSpecial(real: string): boolean {
  return SPECIAL_ROOTS.some((root) => isWithin(real, root));
}

function isOnPurpose(pattern: PathPattern, real: string): boolean {
  const special = SPECIAL_ROOTS.find((root) => isWithin(real, root));
  return special === undefined || isWithin(pattern.base, special);
}
