import Ajv2020 from 'ajv/dist/2020';
import { findSchemaFaults } from '../../src/schema/schema-faults';

/** AJV as it compiles tool schemas, but with its meta-schema. */
function isCompiled(schema: object): boolean {
  try {
    new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(schema);
    return true;
  } catch {
    return false;
  }
}

const RIGHT: readonly object[] = [
  {},
  { type: ['string', 'null'], enum: [1], const: null, multipleOf: 0.1, minimum: -1, uniqueItems: true, pattern: '^\\p{L}$' },
  { properties: { pattern: { type: 'string' }, required: true }, patternProperties: { '^x': false }, required: [], default: { type: 5 } },
  {
    prefixItems: [true],
    items: false,
    contains: {},
    minContains: 0,
    unevaluatedItems: {},
    dependentRequired: { a: ['b'] },
    dependentSchemas: { a: {} },
  },
  {
    $defs: { a: { $anchor: 'x' }, b: { $dynamicAnchor: 'y' } },
    allOf: [{ $ref: '#x' }, { $dynamicRef: '#y' }, { $ref: '#/$defs/a' }, { $ref: '#' }],
  },
  { $defs: { 'a/b~c d': {} }, $ref: '#/$defs/a~1b~0c%20d' },
  {
    $id: 'https://a.example/root',
    $defs: { a: { $id: 'other', type: 'string' } },
    properties: { a: { $ref: 'other' }, b: { $ref: 'https://a.example/root' } },
  },
  { unknown: 5, 'x-mine': [], examples: [1], deprecated: true, contentMediaType: 'text/plain' },
];

const WRONG: readonly object[] = [
  { type: 'text' },
  { type: [] },
  { type: 5 },
  { properties: [] },
  { properties: { a: 5 } },
  { properties: { a: { items: 'x' } } },
  { required: 'a' },
  { required: [1] },
  { enum: 'a' },
  { minimum: '1' },
  { minLength: -1 },
  { maxItems: 1.5 },
  { multipleOf: 0 },
  { uniqueItems: 'yes' },
  { pattern: '(' },
  { pattern: 5 },
  { patternProperties: { '(': {} } },
  { allOf: [] },
  { anyOf: {} },
  { oneOf: ['x'] },
  { items: [{}] },
  { not: 5 },
  { if: 'x' },
  { dependentRequired: { a: 'b' } },
  { $ref: 5 },
  { $ref: '#/$defs/none' },
  { $ref: '#none' },
  { $ref: 'http://127.0.0.1:9/x' },
  { $ref: 'file:///x' },
  { allOf: [{ properties: { a: { $dynamicRef: 'https://elsewhere/x#y' } } }] },
  { $schema: 'http://json-schema.org/draft-04/schema#' },
  { $id: 5 },
  { id: 'x' },
  { nullable: true },
];

describe('the faults of a schema are found without AJV', () => {
  test.each(RIGHT.map((each) => [JSON.stringify(each), each] as const))('AJV compiles %s, and no fault is found', (_text, schema) => {
    expect(findSchemaFaults(schema)).toEqual([]);
    expect(isCompiled(schema)).toBe(true);
  });

  test.each(WRONG.map((each) => [JSON.stringify(each), each] as const))(
    'AJV does not compile %s, and a fault is found',
    (_text, schema) => {
      expect(findSchemaFaults(schema)).toHaveLength(1);
      expect(isCompiled(schema)).toBe(false);
    },
  );

  test('an asynchronous schema is a fault, since its check would answer with a promise', () => {
    expect(findSchemaFaults({ $async: true, type: 'object' })).toEqual(['#/$async is not supported']);
  });

  test('a schema that contains itself, and one without end, are faults', () => {
    const circle: Record<string, unknown> = { type: 'object' };
    circle.properties = { a: circle };
    expect(findSchemaFaults(circle)).toEqual(['The schema must be plain JSON']);
    let deep: object = {};
    for (let level = 0; level < 300; level++) deep = { not: deep };
    expect(findSchemaFaults(deep)).toEqual([expect.stringContaining('is nested too deeply')]);
  });

  test('each text begins with the place, and at most ten are listed', () => {
    expect(findSchemaFaults({ properties: { 'a/b': { minLength: -1 } } })).toEqual([
      '#/properties/a~1b/minLength must be a whole number of at least 0',
    ]);
    expect(findSchemaFaults({ allOf: Array(50).fill({ type: 'x' }) })).toHaveLength(10);
  });
});
