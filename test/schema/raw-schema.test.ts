import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { jsonSchema } from '../../src/contracts/schema-source';
import { inputOf, problemsOf, refusals, valueOf } from './dto';

const ADDRESS = { $anchor: 'address', type: 'object', properties: { city: { type: 'string' } } };

describe('a raw schema', () => {
  test('is published as it is, keyword for keyword', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/tool',
      type: 'object',
      properties: { home: { $ref: '#address' }, work: { $ref: '#/$defs/address' }, nothing: false },
      allOf: [{ anyOf: [{ required: ['home'] }, { required: ['work'] }] }],
      if: { required: ['home'] },
      then: { required: ['work'] },
      else: {},
      $defs: { address: ADDRESS },
      'x-mine': 1,
    };
    expect(inputOf(jsonSchema(schema)).schema).toBe(schema);
    expect(refusals(jsonSchema(schema), { home: { city: 'x' }, work: { city: 1 } })).toEqual(['work.city must be string']);
    expect(refusals(jsonSchema(schema), { home: {} })).toEqual(['work is required']);
  });

  test('hands the arguments on unchanged', () => {
    const raw = { a: { deep: [1] } };
    expect(valueOf(jsonSchema({ type: 'object', properties: { a: { default: 5 }, b: { default: 1 } } }), raw)).toBe(raw);
    expect(raw).toEqual({ a: { deep: [1] } });
  });

  test('B19: is checked without coercion', () => {
    const source = jsonSchema({ type: 'object', properties: { n: { type: 'integer' }, b: { type: 'boolean' }, l: { type: 'array' } } });
    expect(refusals(source, { n: '1', b: 'false', l: 'x' })).toHaveLength(3);
    expect(refusals(source, JSON.parse('{"n":1e400}'))).toEqual(['n must be integer']);
  });

  test('two with one $id and one $anchor keep apart', () => {
    const one = jsonSchema({
      $id: 'https://a/x',
      type: 'object',
      properties: { v: { $ref: '#value' } },
      $defs: { x: { $anchor: 'value', type: 'string' } },
    });
    const two = jsonSchema({
      $id: 'https://a/x',
      type: 'object',
      properties: { v: { $ref: '#value' } },
      $defs: { y: { $anchor: 'value', type: 'integer' } },
    });
    for (const _round of [1, 2]) {
      expect(refusals(one, { v: 'x' })).toEqual([]);
      expect(refusals(one, { v: 1 })).toEqual(['v must be string']);
      expect(refusals(two, { v: 1 })).toEqual([]);
      expect(refusals(two, { v: 'x' })).toEqual(['v must be integer']);
    }
  });

  test('a name that every object inherits is still required', () => {
    const source = jsonSchema({ type: 'object', required: ['toString', 'constructor'] });
    expect(refusals(source, {})).toEqual(['toString is required', 'constructor is required']);
    expect(refusals(source, JSON.parse('{"toString":1,"constructor":2}'))).toEqual([]);
  });

  test('each keyword has a text that says where and what', () => {
    const source = jsonSchema({
      type: 'object',
      properties: {
        e: { enum: ['a', 1] },
        c: { const: 'x' },
        t: { type: ['string', 'null'] },
        n: { not: { const: 1 } },
        p: { not: { pattern: '^x' } },
        o: { not: { required: ['a'] } },
        never: false,
        list: { contains: { const: 1 } },
      },
      propertyNames: { maxLength: 9 },
      patternProperties: { '^k': { minimum: 5 } },
      additionalProperties: false,
    });
    const raw = { e: 'b', c: 'y', t: 1, n: 1, p: 'xy', o: { a: 1 }, never: 1, list: [2] };
    expect(refusals(source, raw)).toEqual([
      'e must be one of "a", 1',
      'c must be "x"',
      't must be string or null',
      'n must not be 1',
      'p must not match "^x"',
      'o has a value that is not allowed',
      'never is not allowed',
      'list must contain 1',
    ]);
    expect(refusals(source, { k1: 1, [`k${'y'.repeat(20)}`]: 9 })).toEqual([
      'kyyyyyyyyyyyyyyyyyyyy is not allowed as a name',
      'k1 must be >= 5',
    ]);
    expect(refusals(jsonSchema({ type: 'object', unevaluatedProperties: false }), { zz: 1 })).toEqual(['zz is not allowed']);
  });

  test('odd names in a path are resolved and escaped', () => {
    const source = jsonSchema({ type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'string' } } });
    expect(refusals(source, { 'a/b~c': { '0': 1 } })).toEqual(['a/b~c.0 must be string']);
    expect(refusals(source, { 'a"\n': { x: 1 } })).toEqual(['a\\"\\u{a}.x must be string']);
  });
});

describe('boot', () => {
  test.each([
    ['no type at the root', { properties: {} }, 'is not an object'],
    ['another type at the root', { type: 'array' }, 'is not an object'],
    ['a file', { type: 'object', properties: { a: { $ref: 'file:///etc/passwd' } } }, 'leads out'],
    ['a relative file', { type: 'object', properties: { a: { $ref: 'other.json' } } }, 'leads out'],
    ['a missing definition', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }, 'leads nowhere'],
    ['a missing anchor', { type: 'object', properties: { a: { $ref: '#none' } } }, 'leads nowhere'],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }, 'dialect'],
    ['a pattern that does not compile', { type: 'object', properties: { a: { pattern: '(' } } }, 'regular expression'],
    ['what is no JSON', { type: 'object', default: () => 1 }, 'plain JSON'],
  ])('%s fails it', (_title, schema, text) => {
    expect(problemsOf(jsonSchema(schema))).toMatchObject([
      { code: 'MCP_SCHEMA_INVALID', problem: expect.stringContaining(text), where: 'input of Tool' },
    ]);
  });

  test('A27: a reference to a server fails it, and the server hears nothing', async () => {
    let heard = 0;
    const server = createServer(() => heard++).on('connection', () => heard++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const schema = { type: 'object', properties: { a: { $ref: `http://127.0.0.1:${port}/x` } } };
    expect(problemsOf(jsonSchema(schema))).toMatchObject([{ problem: expect.stringContaining('leads out of the schema') }]);
    await new Promise((resolve) => server.close(resolve));
    expect(heard).toBe(0);
  });

  test('loads neither AJV nor class-validator before they are needed', () => {
    const script = `
      const { compileInput } = require('./src/schema/input-schema.ts');
      const { jsonSchema } = require('./src/contracts/schema-source.ts');
      const options = { fieldsOf: () => new Map(), maxDepth: 64, maxElements: 10000 };
      const loaded = (name) => Object.keys(require.cache).some((each) => each.includes('/node_modules/' + name + '/'));
      const { binder } = compileInput(jsonSchema({ type: 'object' }), { owner: 'Tool', role: 'input' }, options);
      const atBoot = loaded('ajv');
      binder.bind({});
      console.log(JSON.stringify([atBoot, loaded('ajv'), loaded('class-validator')]));
    `;
    const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '-e', script], {
      encoding: 'utf8',
      cwd: path.join(__dirname, '../..'),
    });
    expect(stdout.trim()).toBe('[false,true,false]');
  });
});
