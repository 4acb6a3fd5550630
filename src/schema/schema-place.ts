import type { Type } from '../contracts/type';
import type { SetupCode } from '../errors/setup-codes';
import type { SetupProblem } from '../errors/setup-error';
import type { Role } from './class-facts';
import type { FieldNotes } from './dto-property';
import type { InputLimits } from './input-limits';

/** Whose schema it is, for the problems. */
export interface SchemaPlace {
  /** For instance `GreetTool` or `tool "greet"`. */
  readonly owner: string;
  readonly role: Role;
}

/** What the conversion needs from other rooms. */
export interface SchemaOptions extends InputLimits {
  /** Reads the `@Field()` options of a class: `fieldsOf` of decorators/metadata. */
  readonly fieldsOf: (dto: Type) => ReadonlyMap<PropertyKey, FieldNotes>;
}

/** Why a source cannot be used; never empty. */
export interface SchemaProblems {
  readonly problems: readonly [SetupProblem, ...SetupProblem[]];
}

/** Collects what is wrong with one source, each thing once. */
export class SchemaReport {
  private readonly found = new Map<string, SetupProblem>();

  constructor(private readonly place: SchemaPlace) {}

  add(code: SetupCode, problem: string, details: { where?: string; fix: string; cause?: unknown }): void {
    const { owner, role } = this.place;
    const where = details.where === undefined ? `${role} of ${owner}` : `${details.where}, ${role} of ${owner}`;
    const entry = { code, problem, where, fix: details.fix };
    this.found.set(problem, details.cause === undefined ? entry : { ...entry, cause: details.cause });
  }

  /** Everything found so far; `undefined` while there is nothing. */
  get result(): SchemaProblems | undefined {
    const [first, ...rest] = this.found.values();
    return first === undefined ? undefined : { problems: [first, ...rest] };
  }
}
