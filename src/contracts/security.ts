/** What one `@Scopes()` demands. */
export interface ScopeDemand {
  /** All of them. */
  readonly scopes: readonly string[];
  /** Whether a caller without them is not told that the entry exists. */
  readonly hide: boolean;
}

/** What one `@RateLimit()` allows. */
export interface RateDemand {
  /** Operations of one caller. */
  readonly points: number;
  /** In this many milliseconds. */
  readonly durationMs: number;
}

/** A path, a host or several of them, known now or from the checked input of a call. */
export type Requirement = string | readonly string[] | ((input: never) => string | readonly string[]);

/** What one `@Requires()` demands of the policy. */
export interface PolicyDemand {
  readonly fsRead?: Requirement;
  readonly fsWrite?: Requirement;
  readonly network?: Requirement;
  readonly socket?: Requirement;
}

/** What the decorators of a class, of its parents and of one method demand. All of it counts: an override adds and never removes. */
export interface Security {
  readonly scopes: readonly ScopeDemand[];
  /** One role out of each list. */
  readonly roles: readonly (readonly string[])[];
  readonly rates: readonly RateDemand[];
  readonly requires: readonly PolicyDemand[];
}

/** Guards are handed the lists themselves, so that none can shorten them for the next. */
function frozen(security: Security): Security {
  for (const list of Object.values(security)) Object.freeze(list);
  return Object.freeze(security);
}

/** Demands nothing. */
export const NO_SECURITY: Security = frozen({ scopes: [], roles: [], rates: [], requires: [] });

/** The demands of several places, together. */
export function mergeSecurity(parts: readonly (Partial<Security> | undefined)[]): Security {
  const present = parts.filter((each): each is Partial<Security> => each !== undefined);
  if (present.length === 0) return NO_SECURITY;
  return frozen({
    scopes: present.flatMap(({ scopes = [] }) => scopes),
    roles: present.flatMap(({ roles = [] }) => roles),
    rates: present.flatMap(({ rates = [] }) => rates),
    requires: present.flatMap(({ requires = [] }) => requires),
  });
}
