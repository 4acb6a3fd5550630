import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import * as v from 'valibot';
import { z } from 'zod';
import { bound, inputOf, outputOf, problemsOf, refusals, valueOf } from './dto';

const Zod = z.object({ name: z.string().max(3), times: z.int().min(1).default(1) });
const Valibot = toStandardJsonSchema(v.object({ name: v.pipe(v.string(), v.maxLength(3)), times: v.optional(v.number(), 1) }));

describe.each([
  ['zod', Zod],
  ['valibot', Valibot],
] as const)('a schema of %s', (_vendor, source) => {
  test('publishes its own JSON Schema without $schema', () => {
    const { schema } = inputOf(source);
    expect(schema).toMatchObject({ type: 'object', properties: { name: { type: 'string', maxLength: 3 } }, required: ['name'] });
    expect(schema).not.toHaveProperty('$schema');
  });

  test('decides with its own validate, and names the place', () => {
    expect(valueOf(source, { name: 'abc' })).toMatchObject({ name: 'abc' });
    for (const raw of [{ name: 'abcd' }, { name: 5 }, {}]) {
      const problems = refusals(source, raw);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/^name\b/);
    }
  });

  test('B19: coerces nothing of its own accord', () => {
    expect(refusals(source, { name: 5, times: '1' })).toHaveLength(2);
  });
});

test('a schema of arktype publishes itself, decides, and names the place once, without what it was given', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', path.join(__dirname, 'arktype-answers.ts')], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    schema: {
      type: 'object',
      properties: { name: { type: 'string', maxLength: 3 }, times: { type: 'integer', minimum: 1 } },
      required: ['name'],
    },
    accepted: { name: 'abc' },
    refused: [
      ['name must be at most length 3'],
      ['name must be a string'],
      ['name must be a string'],
      ['name must be a string', 'times must be a number'],
    ],
    nested: ['a.b must be at most 5'],
    union: { type: 'object', anyOf: [expect.objectContaining({ required: ['a'] }), expect.objectContaining({ required: ['b'] })] },
  });
});

describe('the value', () => {
  test('is what validate gives: defaults and transforms hold', () => {
    expect(valueOf(Zod, { name: 'a' })).toEqual({ name: 'a', times: 1 });
    expect(valueOf(Valibot, { name: 'a' })).toEqual({ name: 'a', times: 1 });
    expect(valueOf(z.object({ n: z.string().transform(Number) }), { n: '5' })).toEqual({ n: 5 });
  });

  test('is not held to rules that the schema does not have', () => {
    expect(valueOf(z.looseObject({ a: z.string() }), { a: 'x', zz: 1 })).toEqual({ a: 'x', zz: 1 });
    expect(refusals(Zod, { name: 'a', zz: 1 })).toEqual([]);
    expect(refusals(z.strictObject({ a: z.string() }), { a: 'x', zz: 1 })).toEqual(['arguments: Unrecognized key: "zz"']);
  });

  test('may take time', async () => {
    const source = z.object({ name: z.string().refine(async (name) => name !== 'taken', 'is taken') });
    const { binder } = inputOf(source);
    expect(await binder.bind({ name: 'taken' })).toEqual({ problems: ['name: is taken'] });
    expect(await binder.bind({ name: 'new' })).toEqual({ value: { name: 'new' } });
  });
});

describe('texts', () => {
  test('show paths, at most ten, and no control characters', () => {
    expect(refusals(z.object({ list: z.array(z.object({ a: z.int() })) }), { list: [{ a: 1 }, { a: 'x' }] })).toEqual([
      'list[1].a: Invalid input: expected number, received string',
    ]);
    expect(refusals(z.object({ list: z.array(z.string()) }), { list: Array(50).fill(1) })).toHaveLength(10);
    const { problems = [] } = bound(z.strictObject({}), { [`\u001b${'k'.repeat(9_000)}`]: 1 });
    expect(problems.join('').length).toBeLessThan(400);
    expect(problems.join('')).not.toContain('\u001b');
  });
});

describe('boot', () => {
  test.each([
    ['a date, which JSON does not have', z.object({ when: z.date() })],
    ['a root that is no object', z.string()],
    ['a root that is anything', z.any()],
    ['a union of an object and a text', z.union([z.object({ a: z.string() }), z.string()])],
    ['a valibot schema without JSON Schema', v.object({ a: v.string() })],
  ])('%s fails it', (_title, source) => {
    expect(problemsOf(source as never)).toMatchObject([{ code: 'MCP_SCHEMA_INVALID', where: 'input of Tool' }]);
  });

  test('A27: a reference that leads out fails it', () => {
    const schema = (): object => ({ type: 'object', properties: { a: { $ref: 'http://127.0.0.1:9/x' } } });
    const source = {
      '~standard': { version: 1, vendor: 'mine', validate: (value: unknown) => ({ value }), jsonSchema: { input: schema, output: schema } },
    };
    expect(problemsOf(source as never)).toMatchObject([
      { code: 'MCP_SCHEMA_INVALID', problem: expect.stringContaining('leads out of the schema') },
    ]);
  });

  test('a union of objects gets the type that MCP asks for at the root', () => {
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.int() })]);
    expect(inputOf(union).schema).toMatchObject({ type: 'object', anyOf: [{ type: 'object' }, { type: 'object' }] });
    const tagged = z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]);
    expect(inputOf(tagged).schema).toMatchObject({ type: 'object', oneOf: [{}, {}] });
    expect(refusals(tagged, { kind: 'c' })).toHaveLength(1);
  });

  test('a root behind a reference is looked up', () => {
    const schema = (): object => ({ $ref: '#/$defs/Root', $defs: { Root: { type: 'object' } } });
    const source = {
      '~standard': { version: 1, vendor: 'mine', validate: (value: unknown) => ({ value }), jsonSchema: { input: schema, output: schema } },
    };
    expect(inputOf(source as never).schema).toMatchObject({ type: 'object', $ref: '#/$defs/Root' });
  });
});

describe('as output', () => {
  test('publishes what validate gives, and sends it as JSON', async () => {
    const { schema, checker } = outputOf(z.object({ n: z.int().default(1) }));
    expect(schema).toMatchObject({ type: 'object', required: ['n'] });
    expect(await checker.check({})).toEqual({ value: { n: 1 } });
    expect(await checker.check({ n: 'x' })).toEqual({ problems: ['n: Invalid input: expected number, received string'] });
  });

  test('sees the result as a client would', async () => {
    class Result {
      when = new Date(0);
      left = undefined;
    }
    const { checker } = outputOf(z.strictObject({ when: z.iso.datetime() }));
    expect(await checker.check(new Result())).toEqual({ value: { when: '1970-01-01T00:00:00.000Z' } });
  });
});
