import type { FoundVariables } from './uri-path';

/** What a template says of the query: in any order, and beside anything else. */
export interface QueryPattern {
  /** Pairs that must be there as they are. */
  readonly fixed: readonly (readonly [name: string, value: string])[];
  /** Variables by the name of their parameter. */
  readonly variables: readonly QueryVariable[];
}

/** A variable in the query. */
export interface QueryVariable {
  readonly parameter: string;
  readonly name: string;
  /** Those of `{?…}` and `{&…}` may be missing; one after a name of its own, as in `?q={term}`, may not. */
  readonly isOptional: boolean;
  /** Takes every value of a repeated parameter. */
  readonly isList: boolean;
}

/** Matches the query of a URI, without its `?`. */
export function matchQuery({ fixed, variables }: QueryPattern, query: string): FoundVariables | undefined {
  const values = valuesIn(query);
  if (!fixed.every(([name, value]) => values.get(name)?.includes(value))) return undefined;
  if (!variables.every(({ parameter, isOptional }) => isOptional || values.has(parameter))) return undefined;
  const found: FoundVariables = new Map();
  for (const { parameter, name, isList } of variables) {
    const [first, ...more] = values.get(parameter) ?? [];
    if (first !== undefined) found.set(name, isList ? [first, ...more] : first);
  }
  return found;
}

function valuesIn(query: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    const end = pair.indexOf('=');
    const name = end === -1 ? pair : pair.slice(0, end);
    const value = end === -1 ? '' : pair.slice(end + 1);
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}
