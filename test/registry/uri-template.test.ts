import { parseTemplate } from '../../src/registry/uri-template';

const match = (template: string, uri: string): unknown => parseTemplate(template).match(uri);

test.each([
  ['list://x{?page,limit}', 'list://x', {}],
  ['list://x{?page,limit}', 'list://x?limit=1&page=2', { page: '2', limit: '1' }],
  ['list://x{?page,limit}', 'list://x?page=2&other=9', { page: '2' }],
  ['list://x{?page,limit}', 'list://x?page=', { page: '' }],
  ['list://x{?page,limit}', 'list://y', undefined],
  ['s://x?q={term}{&page}', 's://x?page=1&q=b', { term: 'b', page: '1' }],
  ['s://x?q={term}{&page}', 's://x?page=1', undefined],
  ['s://x?kind=note{&page}', 's://x?page=1&kind=note', { page: '1' }],
  ['s://x?kind=note{&page}', 's://x?page=1&kind=book', undefined],
  ['q://x{?tags*}', 'q://x?tags=a&tags=b', { tags: ['a', 'b'] }],
])('B29: the query of %s in %s is read in any order, and may lack variables', (template, uri, variables) => {
  expect(match(template, uri)).toEqual(variables);
});

test.each([
  ['t://{id}/data', 't://1/data', { id: '1' }],
  ['t://{id}/data', 't:///data', undefined],
  ['t://{id}/data', 't://a/b/data', undefined],
  ['t://{id}/data', 't://1/data?x', undefined],
  ['t://{a,b}', 't://1,2', { a: '1', b: '2' }],
  ['t://{list*}', 't://1,2', { list: ['1', '2'] }],
  ['t://{+path}', 't://a/b?c#d', { path: 'a/b?c#d' }],
  ['t://{+path}/{file}', 't://a/b/c', { path: 'a/b', file: 'c' }],
  ['t:{/ids*}', 't:/a/b', { ids: ['a', 'b'] }],
  ['t:{/ids*}', 't:', {}],
  ['t:{/a,b}', 't:/1', { a: '1' }],
  ['t:file{.ext}', 't:file.tar.gz', { ext: 'tar.gz' }],
  ['t:page{#part}', 't:page#two', { part: 'two' }],
  ['t:x{;p,q}', 't:x;p=1;q=2', { p: '1', q: '2' }],
])('%s finds in %s what RFC 6570 would have put there', (template, uri, variables) => {
  expect(match(template, uri)).toEqual(variables);
});

test('values are decoded once, and a lonely percent sign matches nothing', () => {
  expect(match('t://{id}', 't://a%20b%2Fc%2525')).toEqual({ id: 'a b/c%25' });
  expect(match('t://{id}', 't://%zz')).toBeUndefined();
});

test('a variable may have the name of a property of every object', () => {
  const found = parseTemplate('t://{__proto__}/{constructor}').match('t://a/b');
  expect(Object.entries(found ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
});

test.each([
  ['t://{', /braces/],
  ['t://}', /braces/],
  ['t://{}', /not the name/],
  ['t://{x:3}', /cut off/],
  ['t://{x}{x}', /twice/],
  ['t://{=x}', /cannot stand before the query/],
  ['t://?{x}', /neither a pair/],
  ['t://x{?a}#b', /neither a pair/],
])('%s is refused, and it is said why', (template, reason) => {
  expect(() => parseTemplate(template)).toThrow(reason);
});

test('templates of one shape match the same URIs, whatever their variables are called', () => {
  const shape = (template: string): string => parseTemplate(template).shape;
  expect(shape('t://{a}/{b}')).toBe(shape('t://{x}/{y}'));
  expect(shape('t://{a}{?page}')).toBe(shape('t://{b}{?limit}'));
  expect(shape('t://{a}')).not.toBe(shape('t://{+a}'));
  expect(shape('t://x?q={a}')).not.toBe(shape('t://x?p={a}'));
});

const LONG = 100_000;

test.each([
  ['t:{/id*}', `t:${'/b'.repeat(LONG / 2)}?`],
  ['t:{?tags*}', `t:?${'tags=1&'.repeat(LONG / 7)}`],
  ['t:{+path}', `t:${'%'.repeat(LONG)}`],
  ['t:{+x}{+y}{+z}q', `t:${'b'.repeat(LONG)}`],
  ['t:{+x}a{+y}a{+z}aq{?b}', `t:${'a'.repeat(LONG)}`],
  ['t:{/id*}{/x*}{.y*}z', `t:${'/./'.repeat(LONG / 3)}`],
])('A28: 100 kB of hostile URI against %s take less than 50 ms', (text, uri) => {
  const template = parseTemplate(text);
  const times = [1, 2, 3].map(() => {
    const start = performance.now();
    template.match(uri);
    return performance.now() - start;
  });
  expect(Math.min(...times)).toBeLessThan(50);
});
