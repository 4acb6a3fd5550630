import { Type } from 'class-transformer';
import * as cv from 'class-validator';
import { jsonSchema } from '../../src/contracts/schema-source';
import { compileOutput } from '../../src/schema/output-schema';
import { OPTIONS, outputOf } from './dto';

class Item {
  @cv.IsInt() id!: number;
}

class Report {
  @cv.IsString() title = 'none';
  @cv.ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
  @cv.IsDate() @Type(() => Date) made!: Date;
  @cv.IsOptional() @cv.IsEmail() mail?: string;
}

const { schema, checker } = outputOf(Report);
const right = { title: 'a', items: [{ id: 1 }], made: new Date(0) };

describe('an output class', () => {
  test('is published open, so that a result may grow a field', () => {
    expect(JSON.stringify(schema)).not.toContain('additionalProperties');
    expect(schema).toMatchObject({
      type: 'object',
      required: ['title', 'items', 'made'],
      properties: { made: { type: 'string', format: 'date-time' } },
    });
    expect(checker.check({ ...right, more: 1, items: [{ id: 1, more: 2 }] })).not.toHaveProperty('problems');
  });

  test('publishes no default: what a handler leaves out is missing', () => {
    expect(JSON.stringify(schema)).not.toContain('"default"');
    expect(checker.check({ items: [], made: new Date(0) })).toEqual({ problems: ['title is required'] });
  });

  test('checks the result as a client would read it, and gives that', () => {
    class Made {
      title = 'a';
      items = [Object.assign(new Item(), { id: 1 })];
      made = new Date(0);
      left = undefined;
      toJSON(): object {
        return { title: 'from toJSON', items: this.items, made: this.made };
      }
    }
    expect(checker.check(new Made())).toEqual({ value: { title: 'from toJSON', items: [{ id: 1 }], made: '1970-01-01T00:00:00.000Z' } });
    expect(checker.check({ ...right, items: [{ id: NaN }] })).toEqual({ problems: ['items[0].id must be integer'] });
    expect(checker.check({ ...right, title: { toJSON: () => 5 } })).toEqual({ problems: ['title must be string'] });
  });

  test('a result that is JSON already is handed on as it is', () => {
    const plain = { title: 'a', items: [], made: '1970-01-01T00:00:00Z' };
    expect(checker.check(plain)).toHaveProperty('value', plain);
    expect((checker.check(plain) as { value: unknown }).value).toBe(plain);
  });

  test.each([
    ['undefined', undefined, 'result must be object'],
    ['a text', 'x', 'result must be object'],
    ['a list', [], 'result must be object'],
    ['null', null, 'result must be object'],
    ['a function', () => 1, 'result must be object'],
  ])('%s is no object', (_title, result, problem) => {
    expect(checker.check(result)).toEqual({ problems: [problem] });
  });

  test('a result that no JSON can hold is a problem, not an exception', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const result of [circle, { big: 1n }]) expect(checker.check(result)).toEqual({ problems: ['result cannot be written as JSON'] });
  });

  test('runs no constraint that the schema cannot express, and makes no instance', () => {
    expect(checker.check({ ...right, mail: 'no email' })).not.toHaveProperty('problems');
    class Explosive {
      @cv.IsString() a!: string;
      constructor() {
        throw new Error('never built');
      }
    }
    expect(outputOf(Explosive).checker.check({ a: 'x' })).toEqual({ value: { a: 'x' } });
  });
});

describe('a raw output schema', () => {
  test('is checked by AJV', () => {
    const raw = outputOf(jsonSchema({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }));
    expect(raw.checker.check({ n: 1 })).toEqual({ value: { n: 1 } });
    expect(raw.checker.check({ n: 'x' })).toEqual({ problems: ['n must be integer'] });
    expect(raw.checker.check({})).toEqual({ problems: ['n is required'] });
  });

  test('that cannot be used, and what is no schema, come back as problems', () => {
    const place = { owner: 'GreetTool', role: 'output' as const };
    expect(compileOutput(jsonSchema({ type: 'array' }), place, OPTIONS).problems).toMatchObject([{ where: 'output of GreetTool' }]);
    expect(compileOutput(undefined as never, place, OPTIONS).problems).toMatchObject([{ code: 'MCP_SCHEMA_INVALID' }]);
  });
});
