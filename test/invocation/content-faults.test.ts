import fc from 'fast-check';
import { faultOfListed, faultOfPrompt, faultOfReadResult, faultOfToolResult } from '../../src/invocation/content-faults';
import { HAS_SCHEMAS, OfficialSchema } from '../support/spec/official-schema';

const CONTENTS = { uri: 'x://1', text: 'x' };
const GOOD: readonly object[] = [
  { type: 'text', text: 'x' },
  { type: 'image', data: 'AA==', mimeType: 'image/png' },
  { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
  { type: 'resource', resource: { ...CONTENTS, mimeType: 'text/plain', _meta: {} } },
  { type: 'resource', resource: { uri: 'x://1', blob: 'AA==' } },
  { type: 'resource_link', uri: 'x://1', name: 'x', title: 'X', description: 'x', mimeType: 'a/b', size: 1, icons: [{ src: 'x://i' }] },
  { type: 'text', text: 'x', annotations: { audience: ['user'], priority: 1, lastModified: 'x' }, _meta: { a: 1 }, more: 1 },
];

test('good content of every kind passes, with members that nobody knows', () => {
  expect(faultOfToolResult({ content: GOOD as never, isError: false, structuredContent: {}, _meta: {} })).toBeUndefined();
});

test.each([
  [{ type: 'text', text: 5 }, 'content of type text must have a "text" that must be a string'],
  [{ type: 'image', data: 'AA==' }, 'content of type image must have a "mimeType" that must be a string'],
  [
    { type: 'resource', resource: { uri: 'x://1' } },
    'content of type resource must have a "resource" that must have a "text" that must be a string',
  ],
  [{ type: 'resource_link', uri: 'x://1' }, 'content of type resource_link must have a "name" that must be a string'],
  [{ type: 'smell' }, 'content must be of type text, image, audio, resource, resource_link'],
  [{ type: 'toString' }, 'content must be of type text, image, audio, resource, resource_link'],
])('%j is refused, and the author is told why', (block, fault) => {
  expect(faultOfToolResult({ content: [block] })).toBe(fault);
  expect(faultOfPrompt({ messages: [{ role: 'user', content: block }] })).toBe(fault);
});

const junk = fc.constantFrom<unknown>(
  undefined,
  null,
  5,
  0.5,
  true,
  [],
  {},
  ['user'],
  ['x'],
  [{ src: 'x://i' }],
  [{}],
  { priority: 2 },
  { audience: ['user'] },
);
const often = (usual: unknown): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: junk });

/** Every member of a good object as it is, or spoilt. */
function spoilt(good: object): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(Object.fromEntries(Object.entries(good).map(([name, value]) => [name, often(value)])));
}

const block = fc.constantFrom(...GOOD).chain(spoilt);
const listed = { uri: 'x://1', name: 'x', title: 'x', size: 1, icons: [{ src: 'x://i' }], annotations: { priority: 1 }, _meta: {} };
const CASES: readonly (readonly [string, fc.Arbitrary<any>, (value: any) => string | undefined, string])[] = [
  [
    'a tool result',
    fc.record({ content: fc.array(block, { maxLength: 2 }), isError: often(false), structuredContent: often({}), _meta: often({}) }),
    faultOfToolResult,
    'CallToolResult',
  ],
  [
    'a prompt',
    fc.record({ messages: fc.array(fc.record({ role: fc.constant('user'), content: block }), { maxLength: 2 }), description: often('x') }),
    faultOfPrompt,
    'GetPromptResult',
  ],
  [
    'the answer to a read',
    fc.record({ contents: fc.array(spoilt({ ...CONTENTS, mimeType: 'a/b' })), _meta: often({}) }),
    faultOfReadResult,
    'ReadResourceResult',
  ],
  ['a list of resources', fc.array(spoilt(listed), { maxLength: 2 }), faultOfListed, 'ListResourcesResult'],
];

(HAS_SCHEMAS ? test.each : test.skip.each)(CASES)(
  'B10: %s that passes is one in the official schema',
  (_what, values, faultOf, definition) => {
    let passed = 0;
    fc.assert(
      fc.property(values, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as object;
        if (faultOf(plain) !== undefined) return;
        passed += 1;
        expect(OfficialSchema.of('2025-11-25').problems(definition, definition.startsWith('List') ? { resources: plain } : plain)).toEqual(
          [],
        );
      }),
      { numRuns: 1_000, seed: 11 },
    );
    expect(passed).toBeGreaterThan(100);
  },
);
