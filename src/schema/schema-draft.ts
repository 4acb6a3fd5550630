/** Keywords of one schema object while it is put together. */
export type Fragment = Readonly<Record<string, unknown>>;

const HIGHEST = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const LOWEST = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);
/** Keywords that refuse null also beside a `type` that allows it. */
const NULL_BLIND = ['not', 'allOf', '$ref', 'anyOf'];

/** Puts the decorators of one value together: all of them hold at once. */
export class SchemaDraft {
  private readonly keywords: Record<string, unknown> = {};
  private readonly others: Fragment[] = [];
  private types: readonly string[] | undefined;
  private refusesNull = false;
  private refusesEmpty = false;
  /** True when nothing can satisfy all decorators; complete once the schema is finished. */
  impossible = false;

  /** The JSON types that are left; `undefined` when nothing limits them. */
  get allowedTypes(): readonly string[] | undefined {
    return this.types;
  }

  add(fragment: Fragment): void {
    for (const [keyword, value] of Object.entries(fragment)) {
      if (keyword === 'type') this.narrow([value].flat() as string[]);
      else if (keyword === 'allOf') this.others.push(...(value as Fragment[]));
      else this.merge(keyword, value);
    }
  }

  /** Refuses null where the type does not already. */
  refuseNull(): void {
    this.refusesNull = true;
  }

  /** Refuses null and the empty string. */
  refuseEmpty(): void {
    this.refusesNull = this.refusesEmpty = true;
  }

  /** The finished schema; with `nullable`, null is accepted beside it. */
  finish(nullable: boolean): Record<string, unknown> {
    this.applyRefusals();
    const schema: Record<string, unknown> = {};
    if (this.types !== undefined) schema.type = this.types.length === 1 ? this.types[0] : this.types;
    Object.assign(schema, this.keywords);
    if (this.others.length > 0) schema.allOf = this.others;
    return nullable ? allowNull(schema) : schema;
  }

  private applyRefusals(): void {
    if (this.refusesNull && this.types?.includes('null')) this.narrow(this.types.filter((each) => each !== 'null'));
    if (this.refusesEmpty && this.types?.join() === 'string') return this.merge('minLength', 1);
    if (this.refusesEmpty && (this.types === undefined || this.types.includes('string'))) return this.merge('not', { enum: ['', null] });
    if (this.refusesNull && this.types === undefined) this.merge('not', { type: 'null' });
  }

  private narrow(types: readonly string[]): void {
    if (this.types === undefined) {
      this.types = types;
      return;
    }
    const both = this.types.flatMap((mine) => types.flatMap((theirs) => commonType(mine, theirs)));
    this.types = [...new Set(both)];
    if (both.length === 0) this.impossible = true;
  }

  private merge(keyword: string, value: unknown): void {
    const current = this.keywords[keyword];
    if (current === undefined || JSON.stringify(current) === JSON.stringify(value)) this.keywords[keyword] = value;
    else if (HIGHEST.has(keyword)) this.keywords[keyword] = Math.max(current as number, value as number);
    else if (LOWEST.has(keyword)) this.keywords[keyword] = Math.min(current as number, value as number);
    else if (keyword === 'enum') this.intersect(current as unknown[], value as unknown[]);
    else this.others.push({ [keyword]: value });
  }

  private intersect(mine: readonly unknown[], theirs: readonly unknown[]): void {
    const both = mine.filter((each) => theirs.includes(each));
    this.keywords.enum = both;
    if (both.length === 0) this.impossible = true;
  }
}

function commonType(mine: string, theirs: string): string[] {
  if (mine === theirs) return [mine];
  const pair = `${mine} ${theirs}`;
  return pair === 'number integer' || pair === 'integer number' ? ['integer'] : [];
}

function allowNull(schema: Record<string, unknown>): Record<string, unknown> {
  if (NULL_BLIND.some((keyword) => keyword in schema)) return { anyOf: [schema, { type: 'null' }] };
  const { const: only, ...rest } = schema;
  if (rest.type !== undefined) rest.type = [...new Set([rest.type, 'null'].flat())];
  if (Array.isArray(rest.oneOf)) rest.oneOf = [...(rest.oneOf as unknown[]), { type: 'null' }];
  if (Array.isArray(rest.enum)) rest.enum = [...new Set([...(rest.enum as unknown[]), null])];
  if ('const' in schema) rest.enum = [only, null];
  return rest;
}
