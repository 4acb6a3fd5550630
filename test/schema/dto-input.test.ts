import { Exclude, Expose, Type } from 'class-transformer';
import * as cv from 'class-validator';
import { Field } from '../../src/decorators/field';
import { bound, dtoOf, inputOf, refusals, valueOf } from './dto';

class Child {
  @cv.IsInt() v!: number;
}

class Parent {
  @cv.ValidateNested() @Type(() => Child) c!: Child;
}

class Pair {
  @cv.IsInt() @cv.Min(1) a!: number;
  @cv.IsInt() @cv.Min(1) b!: number;
}

class Free {
  @cv.IsString() text!: string;
  @cv.IsOptional() @cv.IsObject() data?: object;
  @cv.IsOptional() @cv.IsArray() list?: unknown[];
}

describe('arguments', () => {
  class AllOptional {
    @cv.IsOptional() @cv.IsString() note?: string;
    @cv.IsOptional() @cv.IsInt() count = 3;
  }

  test('B17: missing arguments are an empty object, and the defaults hold', () => {
    expect(valueOf(AllOptional, undefined)).toEqual({ count: 3 });
    expect(valueOf(AllOptional, undefined)).toBeInstanceOf(AllOptional);
  });

  test.each([null, [], 'x', 5, true, new Date(), new Pair(), () => 1])('B17: %p is no arguments object', (raw) => {
    expect(refusals(AllOptional, raw)).toEqual(['arguments must be object']);
  });

  test('B03: without an input the schema is a closed object, and any argument is refused', () => {
    expect(inputOf(undefined).schema).toEqual({ type: 'object', additionalProperties: false });
    expect(valueOf(undefined, undefined)).toEqual({});
    expect(valueOf(undefined, {})).toEqual({});
    expect(refusals(undefined, { zz: 1 })).toEqual(['zz is not allowed']);
    expect(refusals(undefined, JSON.parse('{"__proto__":1}'))).toEqual(['arguments: __proto__ is a forbidden key']);
  });

  test('what is sent is never changed', () => {
    const raw = Object.freeze({ c: Object.freeze({ v: 1 }) });
    expect(valueOf(Parent, raw)).toEqual({ c: { v: 1 } });
    expect(raw).toEqual({ c: { v: 1 } });
  });
});

describe('the published schema', () => {
  test('B18: carries the constraints, what is required, and that nothing else is allowed', () => {
    expect(inputOf(Pair).schema).toEqual({
      type: 'object',
      properties: {
        a: { type: 'integer', minimum: 1, maximum: 2 ** 53 - 1 },
        b: { type: 'integer', minimum: 1, maximum: 2 ** 53 - 1 },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    });
  });

  test.each([
    [{ a: 0, b: 2 }, ['a must be >= 1']],
    [{ a: '2', b: 2 }, ['a must be integer']],
    [{}, ['a is required', 'b is required']],
    [{ a: 1, b: 1, zz: 1 }, ['zz is not allowed']],
  ])('B18: %j is refused with the fields named', (raw, problems) => {
    expect(refusals(Pair, raw)).toEqual(problems);
  });

  test('@Field fills the schema and adds no check', () => {
    class Described {
      @Field({ title: 'T', description: 'D', examples: ['x'], format: 'email', header: 'X-Name' }) @cv.IsString() name!: string;
    }
    expect(inputOf(Described).schema.properties).toEqual({
      name: { title: 'T', description: 'D', type: 'string', format: 'email', examples: ['x'], 'x-mcp-header': 'X-Name' },
    });
    expect(refusals(Described, { name: 'no email' })).toEqual([]);
  });

  test('a property with a header may be missing, and is never null, since a header carries no null', () => {
    class Region {
      @Field({ header: 'Region' }) @cv.IsOptional() @cv.IsString() region?: string;
    }
    expect(inputOf(Region).schema.properties).toEqual({ region: { type: 'string', 'x-mcp-header': 'Region' } });
    expect(refusals(Region, {})).toEqual([]);
    expect(refusals(Region, { region: null })).toEqual(['region must be string']);
  });

  test('parents come first, and a child replaces what its parent says about a property', () => {
    class Base {
      @cv.IsString() first!: string;
      @cv.IsString() both!: string;
    }
    class Derived extends Base {
      @cv.IsInt() declare both: never;
      @cv.IsString() last!: string;
    }
    expect(Object.keys(inputOf(Derived).schema.properties as object)).toEqual(['first', 'both', 'last']);
    expect(inputOf(Derived).schema.properties).toMatchObject({ both: { type: 'integer' } });
  });

  test('what several decorators say is said once', () => {
    const dto = dtoOf({
      a: [cv.IsString(), cv.MinLength(2), cv.Length(1, 9), cv.IsNotEmpty(), cv.IsIn(['ab', 'cd']), cv.IsIn(['cd', 'ef']), cv.IsDefined()],
    });
    expect(inputOf(dto).schema.properties).toEqual({ a: { type: 'string', minLength: 2, maxLength: 9, enum: ['cd'] } });
  });

  test('a second pattern stands under allOf', () => {
    const dto = dtoOf({ a: [cv.Contains('x'), cv.Contains('y')] });
    expect(refusals(dto, { a: 'xy' })).toEqual([]);
    expect(refusals(dto, { a: 'x' })).toHaveLength(1);
    expect(refusals(dto, { a: 'y' })).toHaveLength(1);
  });
});

describe('values', () => {
  test('B19: no value is coerced', () => {
    class Strict {
      @cv.IsBoolean() dryRun!: boolean;
      @cv.IsNumber() n!: number;
      @cv.IsString() s!: string;
    }
    expect(refusals(Strict, { dryRun: 'false', n: 'abc', s: { x: 1 } })).toEqual([
      'dryRun must be boolean',
      'n must be number',
      's must be string',
    ]);
    expect(refusals(Strict, { dryRun: 0, n: '1', s: 5 })).toHaveLength(3);
  });

  test('A12: 1e400, NaN and integers that lost digits are no numbers; -0 and tiny ones are', () => {
    const dto = dtoOf({ i: [cv.IsInt()], n: [cv.IsNumber()] });
    expect(refusals(dto, JSON.parse('{"i":1e400,"n":1e400}'))).toEqual(['i must be integer', 'n must be number']);
    expect(refusals(dto, { i: 2 ** 53, n: 'NaN' })).toEqual(['i must be <= 9007199254740991', 'n must be number']);
    expect(refusals(dto, JSON.parse('{"i":9007199254740993,"n":0}'))).toHaveLength(1);
    expect(refusals(dto, JSON.parse('{"i":-0,"n":1e-400}'))).toEqual([]);
  });

  test('@IsOptional allows null, and null stays null', () => {
    class Maybe {
      @cv.IsOptional() @cv.IsIn(['a']) x: string | null = 'a';
      @cv.IsOptional() @cv.Equals(1) y?: number | null;
      @cv.IsOptional() @cv.NotContains('q') z?: string | null;
      @cv.IsOptional() @cv.ValidateNested() @Type(() => Child) c?: Child | null;
    }
    expect(valueOf(Maybe, { x: null, y: null, z: null, c: null })).toEqual({ x: null, y: null, z: null, c: null });
    expect(valueOf(Maybe, {})).toEqual({ x: 'a' });
    expect(refusals(Maybe, { x: 'b', y: 2, z: 'q', c: 1 })).toEqual([
      'x must be one of "a", null',
      'y must be one of 1, null',
      'z must not match "q"',
      'c must be object or null',
    ]);
  });

  test("the author's own message replaces ours, with the whole path for $property", () => {
    class Inner {
      @cv.IsString({ message: '$property is no text' })
      @cv.MaxLength(3, { message: (args) => `at most ${args.constraints[0]} letters` })
      name!: string;
    }
    class Outer {
      @cv.ValidateNested({ each: true }) @Type(() => Inner) inner!: Inner[];
    }
    expect(refusals(Outer, { inner: [{ name: 5 }, { name: 'abcd' }, {}] })).toEqual([
      'inner[0].name is no text',
      'inner[1].name: at most 3 letters',
      'inner[2].name is required',
    ]);
  });
});

describe('nested classes', () => {
  test('B20: a list, an empty list, nothing and null are no nested object', () => {
    expect(refusals(Parent, { c: [{ v: 1 }] })).toEqual(['c must be object']);
    expect(refusals(Parent, { c: [] })).toEqual(['c must be object']);
    expect(refusals(Parent, {})).toEqual(['c is required']);
    expect(refusals(Parent, { c: null })).toEqual(['c must be object']);
    expect(inputOf(Parent).schema).toMatchObject({ properties: { c: { type: 'object', required: ['v'] } }, required: ['c'] });
  });

  test('nested values are instances of their classes, in lists and lists of lists too', () => {
    class Deep {
      @cv.ValidateNested() @Type(() => Child) one!: Child;
      @cv.ValidateNested({ each: true }) @Type(() => Child) each!: Child[];
      @cv.IsArray() @cv.ValidateNested() @Type(() => Child) beside!: Child[];
      @cv.IsArray() @cv.IsArray({ each: true }) @cv.ValidateNested({ each: true }) @Type(() => Child) grid!: Child[][];
    }
    const v = { v: 1 };
    const value = valueOf(Deep, { one: v, each: [v], beside: [v], grid: [[v], []] });
    for (const each of [value.one, value.each[0], value.beside[0], value.grid[0][0]]) expect(each).toBeInstanceOf(Child);
    expect(refusals(Deep, { one: v, each: v, beside: v, grid: [v] })).toEqual([
      'each must be array',
      'beside must be array',
      'grid[0] must be array',
    ]);
    expect(refusals(Deep, { one: v, each: [[v]], beside: [null], grid: [[{ v: 'x' }]] })).toEqual([
      'each[0] must be object',
      'beside[0] must be object',
      'grid[0][0].v must be integer',
    ]);
  });

  test('F6: null, a text and a list inside a list of nested objects are refused', () => {
    const dto = dtoOf({ list: [cv.ValidateNested({ each: true }), Type(() => Child)] });
    for (const wrong of [null, 'x', 5, [], [{ v: 1 }]]) expect(refusals(dto, { list: [wrong] })).toEqual(['list[0] must be object']);
  });

  test('a class that contains itself refers to the root, or stands under $defs', () => {
    class Tree {
      @cv.IsString() name!: string;
      @cv.IsOptional() @cv.ValidateNested({ each: true }) @Type(() => Tree) children?: Tree[];
    }
    class Forest {
      @cv.ValidateNested() @Type(() => Tree) tree!: Tree;
    }
    expect(inputOf(Tree).schema).toMatchObject({ properties: { children: { items: { $ref: '#' } } } });
    expect(inputOf(Forest).schema).toMatchObject({ properties: { tree: { $ref: '#/$defs/Tree' } }, $defs: { Tree: { type: 'object' } } });
    const value = valueOf(Forest, { tree: { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] } });
    expect(value.tree.children[0].children[0]).toBeInstanceOf(Tree);
    expect(refusals(Forest, { tree: { name: 'a', children: [{ name: 'b', children: [{ name: 1 }] }] } })).toEqual([
      'tree.children[0].children[0].name must be string',
    ]);
  });

  test('two classes of one name are told apart by a number', () => {
    const one = dtoOf({ a: [cv.IsString()] }, 'Same');
    const two = dtoOf({ b: [cv.IsInt()] }, 'Same');
    const nested = (target: never): PropertyDecorator[] => [cv.ValidateNested(), Type(() => target)];
    const dto = dtoOf({ a: nested(one as never), b: nested(two as never), c: nested(one as never), d: nested(two as never) });
    expect(inputOf(dto).schema).toMatchObject({
      properties: { a: { $ref: '#/$defs/Same' }, b: { $ref: '#/$defs/Same2' }, c: { $ref: '#/$defs/Same' }, d: { $ref: '#/$defs/Same2' } },
      $defs: { Same: { properties: { a: {} } }, Same2: { properties: { b: {} } } },
    });
    expect(refusals(dto, { a: { a: 'x' }, b: { b: 1 }, c: { a: 'x' }, d: { b: 'x' } })).toEqual(['d.b must be integer']);
  });

  test('a field that takes any object takes it as it is', () => {
    const data = { deep: [{ x: 1 }] };
    expect(valueOf(Free, { text: 'a', data }).data).toBe(data);
  });
});

describe('defaults', () => {
  class Settings {
    @cv.IsInt() size = 10;
  }
  class Defaults {
    @cv.IsInt() @cv.Min(1) times = 1;
    @cv.IsString({ each: true }) tags: string[] = ['a'];
    @cv.ValidateNested() @Type(() => Settings) settings = new Settings();
    @cv.IsNumber() stamp = Math.random();
    @cv.IsDate() @Type(() => Date) when = new Date();
  }

  test('an initialised property is optional and publishes its value, when it is JSON and always the same', () => {
    const { schema } = inputOf(Defaults);
    expect(schema.required).toBeUndefined();
    expect(schema.properties).toMatchObject({ times: { default: 1 }, tags: { default: ['a'] }, settings: { default: { size: 10 } } });
    expect(schema).not.toHaveProperty('properties.stamp.default');
    expect(schema).not.toHaveProperty('properties.when.default');
  });

  test('F6: the value is there when the caller leaves the property out, fresh for every call', () => {
    const one = valueOf(Defaults, {});
    const two = valueOf(Defaults, { times: 2 });
    expect(one).toMatchObject({ times: 1, tags: ['a'], settings: { size: 10 } });
    expect(one.settings).toBeInstanceOf(Settings);
    expect(one.when).toBeInstanceOf(Date);
    expect(two.times).toBe(2);
    expect(one.tags).not.toBe(two.tags);
  });

  test('undefined counts as left out', () => {
    expect(valueOf(Defaults, { times: undefined })).toMatchObject({ times: 1 });
  });
});

describe('instances', () => {
  test('F6: private fields, setters and getters of the class work, and no other member can be reached', () => {
    class Account {
      #secret = 'kept';
      declare touched: boolean;
      @cv.IsString() name!: string;
      @cv.IsString() set alias(value: string) {
        this.name = `alias ${value}`;
      }
      get alias(): string {
        return this.name;
      }
      set hidden(_value: string) {
        this.touched = true;
      }
      secret(): string {
        return this.#secret;
      }
    }
    const account = valueOf(Account, { name: 'n', alias: 'a' });
    expect(account.name).toBe('alias a');
    expect(account.secret()).toBe('kept');
    expect(refusals(Account, { name: 'n', alias: 'a', hidden: 'x' })).toEqual(['hidden is not allowed']);
    expect(refusals(Account, { name: 'n', alias: 'a', secret: 'x' })).toEqual(['secret is not allowed']);
    expect(refusals(Account, { name: 'n', alias: 'a', toString: 'x' })).toEqual(['toString is not allowed']);
  });

  test('F6: a constructor with effects runs once for each call, without arguments', () => {
    const seen: number[] = [];
    class Effect {
      @cv.IsString() a!: string;
      constructor() {
        seen.push(arguments.length);
      }
    }
    const { binder } = inputOf(Effect);
    const before = seen.length;
    void binder.bind({ a: 'x' });
    void binder.bind({ a: 5 });
    expect(seen.slice(before)).toEqual([0]);
  });

  test('a property may carry the name of a method that every object has', () => {
    class Odd {
      @cv.IsString() declare toString: never;
      @cv.IsOptional() @cv.IsInt() declare valueOf: never;
    }
    expect(refusals(Odd, {})).toEqual(['toString is required']);
    expect(Object.entries(valueOf(Odd, { toString: 'x' }))).toEqual([['toString', 'x']]);
  });

  test('@Expose gives an input property another name in JSON, and only that', () => {
    class Renamed {
      @Expose({ name: 'first_name' }) @cv.IsString() @cv.IsEmail() firstName!: string;
    }
    expect(inputOf(Renamed).schema).toMatchObject({ properties: { first_name: { type: 'string' } }, required: ['first_name'] });
    expect(valueOf(Renamed, { first_name: 'a@b.de' })).toEqual({ firstName: 'a@b.de' });
    expect(refusals(Renamed, { firstName: 'a@b.de' })).toEqual(['first_name is required', 'firstName is not allowed']);
    expect(refusals(Renamed, { first_name: 'a' })).toEqual(['first_name must be an email']);
  });

  test('@Exclude keeps an initialised property out of the input', () => {
    class Internal {
      @cv.IsString() a!: string;
      @Exclude() createdBy = 'server';
    }
    expect(inputOf(Internal).schema.properties).toEqual({ a: { type: 'string' } });
    expect(valueOf(Internal, { a: 'x' })).toEqual({ a: 'x', createdBy: 'server' });
    expect(refusals(Internal, { a: 'x', createdBy: 'me' })).toEqual(['createdBy is not allowed']);
  });

  test('@IsDate with @Type(() => Date) publishes a date-time and gives a Date', () => {
    class Event {
      @cv.IsDate() @Type(() => Date) start!: Date;
      @cv.IsOptional() @cv.IsDate({ each: true }) @Type(() => Date) more?: Date[];
    }
    expect(inputOf(Event).schema.properties).toMatchObject({ start: { type: 'string', format: 'date-time' } });
    expect(valueOf(Event, { start: '2024-05-31T12:00:00Z', more: ['2024-05-31T12:00:00+02:00'] })).toEqual({
      start: new Date(Date.UTC(2024, 4, 31, 12)),
      more: [new Date(Date.UTC(2024, 4, 31, 10))],
    });
    expect(refusals(Event, { start: '31.5.2024' })).toEqual(['start must be a date-time such as 2024-05-31T12:00:00Z']);
    expect(refusals(Event, { start: 1717156800 })).toEqual(['start must be string']);
  });

  test('@Type of a primitive is accepted where it changes nothing', () => {
    const dto = dtoOf({ n: [cv.IsInt(), Type(() => Number)], s: [cv.IsString({ each: true }), Type(() => String)] });
    expect(refusals(dto, { n: 1, s: ['a'] })).toEqual([]);
    expect(refusals(dto, { n: '1', s: [1] })).toEqual(['n must be integer', 's[0] must be string']);
  });
});

describe('forbidden keys', () => {
  const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];
  const object = (key: string): object => JSON.parse(`{${JSON.stringify(key)}:{"admin":true,"prototype":{"p":1}}}`);

  test.each(FORBIDDEN)('B21, A13: %s is refused at every depth, in nested classes, free fields and lists', (key) => {
    const bad = object(key);
    expect(refusals(Free, { text: 'a', data: bad })).toEqual([`arguments: data.${key} is a forbidden key`]);
    expect(refusals(Free, { text: 'a', data: { x: { y: [bad] } } })).toEqual([`arguments: data.x.y[0].${key} is a forbidden key`]);
    expect(refusals(Free, { text: 'a', list: [[bad]] })).toEqual([`arguments: list[0][0].${key} is a forbidden key`]);
    expect(refusals(Parent, { c: bad })).toEqual([`arguments: c.${key} is a forbidden key`]);
    expect(refusals(Free, JSON.parse(`{"text":"a",${JSON.stringify(key)}:{"admin":true}}`))).toEqual([
      `arguments: ${key} is a forbidden key`,
    ]);
    expect(({} as never)['admin']).toBeUndefined();
    expect(({} as never)['p']).toBeUndefined();
    expect(Object.getPrototypeOf(valueOf(Free, { text: 'a' }))).toBe(Free.prototype);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('admin');
  });
});

describe('texts', () => {
  test('at most ten problems are listed, under 4 kB, with names from the caller cut and escaped', () => {
    const raw = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${index}\u0007${'k'.repeat(5_000)}`, 1]));
    const { problems = [] } = bound(Pair, { a: 1, b: 1, ...raw });
    expect(problems).toHaveLength(10);
    expect(problems.join('\n').length).toBeLessThan(4_096);
    expect(problems[0]).toMatch(/^0\\u\{7\}k+… is not allowed$/);
  });

  test('no problem repeats a value that was sent', () => {
    const { problems = [] } = bound(Pair, { a: 'S3CRET', b: ['S3CRET'] });
    expect(problems.join()).not.toContain('S3CRET');
  });
});
