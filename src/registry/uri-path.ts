/** Text that stands in the template as it is. */
export interface LiteralPart {
  readonly literal: string;
}

/** A variable: its lead, such as the `/` of `{/id}`, then characters up to one of `stops`. */
export interface VariablePart {
  readonly name: string;
  readonly lead: string;
  readonly stops: string;
  /** A variable with a lead may be missing altogether, and its lead with it. */
  readonly isOptional: boolean;
  /** What stands between the values of a list; undefined for a single value. */
  readonly separator: string | undefined;
}

/** A part of a template up to its query. */
export type PathPart = LiteralPart | VariablePart;

/** The variables that were found, still encoded. */
export type FoundVariables = Map<string, string | readonly string[]>;

/** For each position of the path: whether the rest of the parts can match from there. */
type Reach = Uint8Array;

/**
 * Matches a path against the parts, each variable as long as the rest allows. Works from the end to the front, so that the time grows with
 * the length of the path times the number of parts, whatever the path: a pattern that tries again would take the cube of it.
 */
export function matchPath(parts: readonly PathPart[], path: string): FoundVariables | undefined {
  const [first] = parts;
  if (first !== undefined && 'literal' in first && !path.startsWith(first.literal)) return undefined;
  const reaches: Reach[] = [endOf(path)];
  for (const part of [...parts].reverse()) {
    const [next] = reaches as [Reach, ...Reach[]];
    const reach = 'literal' in part ? beforeLiteral(part, path, next) : beforeVariable(part, path, next);
    if (!reach.includes(1)) return undefined;
    reaches.unshift(reach);
  }
  return reaches[0]?.[0] === 1 ? readVariables(parts, path, reaches) : undefined;
}

function endOf(path: string): Reach {
  const reach = new Uint8Array(path.length + 1);
  reach[path.length] = 1;
  return reach;
}

function beforeLiteral({ literal }: LiteralPart, path: string, next: Reach): Reach {
  const reach = new Uint8Array(path.length + 1);
  for (let at = path.length - literal.length; at >= 0; at -= 1) {
    if (next[at + literal.length] === 1 && path.startsWith(literal, at)) reach[at] = 1;
  }
  return reach;
}

function beforeVariable({ lead, stops, isOptional }: VariablePart, path: string, next: Reach): Reach {
  const inside = new Uint8Array(path.length + 1);
  for (let at = path.length - 1; at >= 0; at -= 1) {
    if ((next[at + 1] === 1 || inside[at + 1] === 1) && !stops.includes(path.charAt(at))) inside[at] = 1;
  }
  if (lead === '') return inside;
  const reach = new Uint8Array(path.length + 1);
  for (let at = path.length; at >= 0; at -= 1) {
    if ((isOptional && next[at] === 1) || (inside[at + lead.length] === 1 && path.startsWith(lead, at))) reach[at] = 1;
  }
  return reach;
}

function readVariables(parts: readonly PathPart[], path: string, reaches: readonly Reach[]): FoundVariables {
  const found: FoundVariables = new Map();
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if ('literal' in part) {
      at += part.literal.length;
      continue;
    }
    const end = endOfVariable(part, { path, at, next: reaches[index + 1] as Reach });
    if (end === undefined) continue;
    const value = path.slice(at + part.lead.length, end);
    found.set(part.name, part.separator === undefined ? value : value.split(part.separator));
    at = end;
  }
  return found;
}

function endOfVariable({ lead, stops }: VariablePart, { path, at, next }: { path: string; at: number; next: Reach }): number | undefined {
  if (!path.startsWith(lead, at)) return undefined;
  let end: number | undefined;
  for (let each = at + lead.length; each < path.length && !stops.includes(path.charAt(each)); each += 1) {
    if (next[each + 1] === 1) end = each + 1;
  }
  return end;
}
