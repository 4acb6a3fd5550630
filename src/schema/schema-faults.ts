import { isJson, isPlainObject } from './json';
import { ReferenceIndex, type SchemaNode } from './schema-references';

type Kind =
  | 'schema'
  | 'schemas'
  | 'map'
  | 'text'
  | 'texts'
  | 'pattern'
  | 'number'
  | 'positive'
  | 'size'
  | 'flag'
  | 'list'
  | 'type'
  | 'textsMap'
  | 'never';

/** What each keyword of JSON Schema 2020-12 must hold, and of the older ones that AJV still reads. Other keywords say nothing. */
const KEYWORDS: Readonly<Record<string, Kind>> = {
  ...ofKind('schema', 'additionalProperties items contains propertyNames not if then else unevaluatedItems unevaluatedProperties'),
  ...ofKind('schemas', 'allOf anyOf oneOf prefixItems'),
  ...ofKind('map', 'properties patternProperties $defs definitions dependentSchemas'),
  ...ofKind('text', '$id $schema $anchor $dynamicAnchor $comment title description format $ref $dynamicRef'),
  ...ofKind('number', 'minimum maximum exclusiveMinimum exclusiveMaximum'),
  ...ofKind('size', 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'),
  ...ofKind('flag', 'uniqueItems'),
  ...ofKind('never', '$async $recursiveRef $recursiveAnchor id'),
  multipleOf: 'positive',
  pattern: 'pattern',
  required: 'texts',
  dependentRequired: 'textsMap',
  enum: 'list',
  type: 'type',
};

const TYPES = new Set<unknown>(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const MAX_DEPTH = 200;

function ofKind(kind: Kind, keywords: string): Record<string, Kind> {
  return Object.fromEntries(keywords.split(' ').map((each) => [each, kind]));
}

/**
 * What keeps a schema from being compiled, found without AJV, so that boot stays fast: keywords with a value of the wrong kind, patterns
 * that do not compile, and references that lead out of the schema. Each text begins with the place.
 */
export function findSchemaFaults(schema: unknown): readonly string[] {
  if (!isPlainObject(schema)) return ['The schema must be an object'];
  if (!isJson(schema)) return ['The schema must be plain JSON'];
  const faults = new FaultSearch();
  faults.visit(schema, '#', 0);
  if (faults.found.length === 0) faults.found.push(...new ReferenceIndex(schema, faults.places).faults());
  return faults.found.slice(0, 10);
}

class FaultSearch {
  readonly found: string[] = [];
  readonly places: SchemaNode[] = [];

  visit(schema: unknown, pointer: string, depth: number): void {
    if (typeof schema === 'boolean') return;
    if (!isPlainObject(schema)) return this.add(pointer, 'must be a schema');
    if (depth > MAX_DEPTH) return this.add(pointer, 'is nested too deeply');
    this.places.push({ schema, pointer });
    if (typeof schema.$schema === 'string' && schema.$schema.replace(/#$/, '') !== DIALECT)
      this.add(pointer, `must be of the dialect ${DIALECT}`);
    if (schema.nullable !== undefined && schema.type === undefined) this.add(pointer, 'has "nullable", which is not JSON Schema');
    for (const [keyword, value] of Object.entries(schema)) {
      const kind = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
      if (kind !== undefined) this.check(kind, { value, pointer: `${pointer}/${escapePart(keyword)}`, depth });
    }
  }

  private check(kind: Kind, { value, pointer, depth }: { value: unknown; pointer: string; depth: number }): void {
    if (kind === 'schema') return this.visit(value, pointer, depth + 1);
    if (kind === 'schemas') return this.visitAll(value, pointer, depth);
    if (kind === 'map') return this.visitMap(value, pointer, depth);
    const wanted = CHECKS[kind];
    if (!wanted.holds(value)) this.add(pointer, wanted.text);
  }

  private visitAll(value: unknown, pointer: string, depth: number): void {
    if (!Array.isArray(value) || value.length === 0) return this.add(pointer, 'must be a list of schemas');
    value.forEach((each, index) => this.visit(each, `${pointer}/${index}`, depth + 1));
  }

  private visitMap(value: unknown, pointer: string, depth: number): void {
    if (!isPlainObject(value)) return this.add(pointer, 'must be an object of schemas');
    for (const [key, each] of Object.entries(value)) {
      if (pointer.endsWith('/patternProperties') && !isPattern(key))
        this.add(pointer, `has a pattern that does not compile: ${JSON.stringify(key)}`);
      this.visit(each, `${pointer}/${escapePart(key)}`, depth + 1);
    }
  }

  private add(pointer: string, text: string): void {
    this.found.push(`${pointer} ${text}`);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const CHECKS: Readonly<Record<Exclude<Kind, 'schema' | 'schemas' | 'map'>, { holds: (value: unknown) => boolean; text: string }>> = {
  text: { holds: isText, text: 'must be a text' },
  texts: { holds: isTexts, text: 'must be a list of texts' },
  textsMap: { holds: (value) => isPlainObject(value) && Object.values(value).every(isTexts), text: 'must be an object of lists of texts' },
  pattern: { holds: isPattern, text: 'must be a regular expression that compiles with the flag u' },
  number: { holds: (value) => typeof value === 'number', text: 'must be a number' },
  positive: { holds: (value) => typeof value === 'number' && value > 0, text: 'must be a number above 0' },
  size: { holds: (value) => Number.isSafeInteger(value) && (value as number) >= 0, text: 'must be a whole number of at least 0' },
  flag: { holds: (value) => typeof value === 'boolean', text: 'must be true or false' },
  list: { holds: (value) => Array.isArray(value) && value.length > 0, text: 'must be a list of at least one value' },
  type: { holds: isType, text: 'must name JSON types' },
  never: { holds: () => false, text: 'is not supported' },
};

function isPattern(value: unknown): boolean {
  try {
    return isText(value) && new RegExp(value, 'u').unicode;
  } catch {
    return false;
  }
}

function isType(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every((each) => TYPES.has(each)) : TYPES.has(value);
}

function escapePart(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
