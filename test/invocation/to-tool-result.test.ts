import { toToolResult } from '../../src/invocation/to-tool-result';

const text = (content: string): object => ({ content: [{ type: 'text', text: content }] });
const accept = { check: (value: unknown) => ({ value: JSON.parse(JSON.stringify(value)) as unknown }) };
const refuse = { check: () => ({ problems: ['a is required'] }) };

test.each([
  ['a string', 'hi', text('hi')],
  ['an empty string', '', text('')],
  ['undefined', undefined, { content: [] }],
  ['a function', () => 1, { content: [] }],
  ['null', null, text('null')],
  ['a number', 5, text('5')],
  ['false', false, text('false')],
  ['an array', [1, 2], text('[1,2]')],
  ['an object', { a: 1 }, text('{"a":1}')],
  ['an object with other content', { content: 'x' }, text('{"content":"x"}')],
  ['content of something without a type', { content: [{ text: 'x' }] }, text('{"content":[{"text":"x"}]}')],
])('%s becomes the content the design names', async (_what, value, result) => {
  expect(await toToolResult(value)).toEqual(result);
});

test('a value with content goes through as it is, made of plain JSON', async () => {
  const value = { content: [{ type: 'text', text: 'x', when: new Date(0) }], isError: true, _meta: { a: 1 } };
  expect(await toToolResult(value)).toEqual({ ...value, content: [{ type: 'text', text: 'x', when: '1970-01-01T00:00:00.000Z' }] });
  expect(await toToolResult({ content: [] })).toEqual({ content: [] });
});

test('with output a plain object becomes structured content and its JSON text', async () => {
  expect(await toToolResult({ a: 1, when: new Date(0) }, accept)).toEqual({
    content: [{ type: 'text', text: '{"a":1,"when":"1970-01-01T00:00:00.000Z"}' }],
    structuredContent: { a: 1, when: '1970-01-01T00:00:00.000Z' },
  });
});

test('with output what does not match, or is no object, is refused; a failed result is not checked', async () => {
  await expect(toToolResult({}, refuse)).rejects.toThrow('a is required');
  await expect(toToolResult('text', accept)).rejects.toThrow('result must be object');
  await expect(toToolResult([1], accept)).rejects.toThrow('result must be object');
  await expect(toToolResult({ content: [], structuredContent: {} }, refuse)).rejects.toThrow('a is required');
  expect(await toToolResult({ content: [], isError: true }, refuse)).toEqual({ content: [], isError: true });
});

test('what cannot be serialised is refused', async () => {
  const cycle: Record<string, unknown> = { content: [] };
  cycle['self'] = cycle;
  await expect(async () => toToolResult(cycle)).rejects.toThrow(TypeError);
  await expect(async () => toToolResult({ n: 1n })).rejects.toThrow(TypeError);
});
