import { lstatSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { joinSegments, segmentsOf } from './absolute-path';

/**
 * Where an access to this absolute path would really land: the real path of its deepest existing ancestor, and the missing names after it.
 * Undefined when that cannot be told: a link that leads nowhere or in a circle, a directory that may not be searched, a way back over a
 * name that is missing.
 */
export function realPathOf(absolutePath: string): string | undefined {
  try {
    return resolve(absolutePath);
  } catch {
    return undefined;
  }
}

function resolve(absolutePath: string): string | undefined {
  const segments = segmentsOf(absolutePath);
  const whole = joinSegments(absolutePath, segments);
  const real = realOrNothing(whole);
  if (real !== undefined) return real;
  // A link is there wherever it leads; one that leads nowhere has no real path, and writing to it would write to that place.
  const missingAt = segments.findIndex(
    (_segment, index) => entryAt(joinSegments(absolutePath, segments.slice(0, index + 1))) === undefined,
  );
  const missing = missingAt === -1 ? [] : segments.slice(missingAt);
  if (missing.includes('..')) return undefined;
  const existing = segments.slice(0, segments.length - missing.length);
  return path.join(realpathSync.native(joinSegments(absolutePath, existing)), ...missing);
}

function realOrNothing(place: string): string | undefined {
  try {
    return realpathSync.native(place);
  } catch {
    return undefined;
  }
}

/** What lies at a place itself, links not followed; undefined when nothing can lie there. Throws when that cannot be told. */
export function entryAt(place: string): Stats | undefined {
  try {
    return lstatSync(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
