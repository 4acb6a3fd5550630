import { Exclude, Expose, Transform, Type } from 'class-transformer';
import * as cv from 'class-validator';
import { Field } from '../../src/decorators/field';
import { compileInput } from '../../src/schema/input-schema';
import { dtoOf, OPTIONS, problemsOf } from './dto';

class Child {
  @cv.IsInt() v!: number;
}

/** The code, and what the problem names. */
function problem(dto: Parameters<typeof problemsOf>[0], role: 'input' | 'output' = 'input'): string[] {
  return problemsOf(dto, role).map((each) => `${each.code} ${each.problem}`);
}

describe('an input class that cannot be expressed stops the boot and names class, property and decorator', () => {
  class NoType {
    @cv.ValidateNested() c!: Child;
  }
  test('@ValidateNested without @Type', () => {
    expect(problemsOf(NoType)).toEqual([
      {
        code: 'MCP_SCHEMA_UNSUPPORTED',
        problem: '@ValidateNested on NoType.c does not say which class to validate.',
        where: 'NoType.c, input of Tool',
        fix: 'Add @Type(() => X) with the class of the nested value.',
      },
    ]);
  });

  const nested = (target: unknown): PropertyDecorator[] => [cv.ValidateNested(), Type(() => target as never)];
  test.each<[string, PropertyDecorator[], string]>([
    ['@Type of a class without @ValidateNested', [cv.IsObject(), Type(() => Child)], '@Type on Dto.a'],
    ['@Type of an undefined class, as in an import cycle', nested(undefined), '@Type on Dto.a'],
    ['@Type of a Map', nested(Map), '@Type on Dto.a'],
    ['@Type of an Array', nested(Array), '@Type on Dto.a'],
    ['@Type(() => Number) beside @IsString', [cv.IsString(), Type(() => Number)], '@Type on Dto.a'],
    ['@Type(() => Date) without @IsDate', [cv.IsString(), Type(() => Date)], '@Type on Dto.a'],
    ['@IsDate without @Type', [cv.IsDate()], '@IsDate on Dto.a'],
    ['@ValidatePromise', [cv.IsString(), cv.ValidatePromise()], '@ValidatePromise on Dto.a'],
    ['@Transform', [cv.IsString(), Transform(({ value }) => value)], '@Transform on Dto.a'],
    ['validation groups', [cv.IsString({ groups: ['admin'] })], '@isString on Dto.a'],
    ['@Expose with a group', [cv.IsString(), Expose({ groups: ['admin'] })], '@Expose on Dto.a'],
    ['@Expose with a version', [cv.IsString(), Expose({ since: 2 })], '@Expose on Dto.a'],
    ['@Exclude beside a validator', [cv.IsString(), Exclude()], '@Exclude on Dto.a'],
    ['@IsInstance alone', [cv.IsInstance(Child)], 'Dto.a has no decorator that says'],
    [
      'a custom constraint alone',
      [cv.ValidateBy({ name: 'mine', validator: { validate: () => true } })],
      'Dto.a has no decorator that says',
    ],
    ['@Validate of a class that is no constraint', [cv.Validate(class {})], '@Validate on Dto.a'],
    ['@IsOptional alone', [cv.IsOptional()], 'Dto.a has no decorator that says'],
    ['@Type alone', [Type(() => Number)], 'Dto.a has no decorator that says'],
    ['@Expose alone', [Expose()], 'Dto.a has no decorator that says'],
    ['@IsIn of objects', [cv.IsIn([{ a: 1 }])], '@IsIn on Dto.a'],
    ['@IsIn of nothing', [cv.IsIn([])], '@IsIn on Dto.a'],
    ['@Equals(undefined)', [cv.Equals(undefined)], '@Equals on Dto.a'],
    ['@NotEquals(NaN)', [cv.NotEquals(NaN)], '@NotEquals on Dto.a'],
    ['@Min(NaN)', [cv.Min(NaN)], '@Min on Dto.a'],
    ['@MinLength(-1)', [cv.MinLength(-1)], '@MinLength on Dto.a'],
    ['@MaxLength(1.5)', [cv.MaxLength(1.5)], '@MaxLength on Dto.a'],
    ['@ArrayMinSize of a text', [cv.ArrayMinSize('1' as never)], '@ArrayMinSize on Dto.a'],
    ['@IsDivisibleBy(0)', [cv.IsDivisibleBy(0)], '@IsDivisibleBy on Dto.a'],
    ['@IsDivisibleBy(2.5), which class-validator reads as 2', [cv.IsDivisibleBy(2.5)], '@IsDivisibleBy on Dto.a'],
    ['@Contains of nothing', [cv.Contains('')], '@Contains on Dto.a'],
    ['@Matches of what is no expression', [cv.Matches('(' as never)], '@Matches on Dto.a'],
    ['@IsString and @IsInt together', [cv.IsString(), cv.IsInt()], 'Dto.a has decorators that contradict each other'],
    ['@IsDefined beside @Equals(null)', [cv.IsDefined(), cv.Equals(null)], 'Dto.a has decorators that contradict each other'],
    ['@IsIn twice without a common value', [cv.IsIn(['a']), cv.IsIn(['b'])], 'Dto.a has decorators that contradict each other'],
  ])('%s', (_title, decorators, named) => {
    const [first] = problem(dtoOf({ a: decorators }));
    expect(first).toContain(`MCP_SCHEMA_UNSUPPORTED ${named}`);
  });

  test.each(['__proto__', 'constructor', 'prototype'])('a property named %s', (name) => {
    class Odd {
      @cv.IsString() a!: string;
    }
    Expose({ name })(Odd.prototype, 'a');
    expect(problem(Odd)[0]).toContain('Odd.a has a name that input may never carry');
  });

  test('a property under a symbol', () => {
    const dto = dtoOf({ a: [cv.IsString()] });
    cv.IsString()(dto.prototype, Symbol('s'));
    expect(problem(dto).join()).toContain('stands on a symbol');
  });

  test('a getter without a setter, and a method', () => {
    class Odd {
      @cv.IsString() get full(): string {
        return '';
      }
      @cv.IsString() method(): string {
        return '';
      }
    }
    expect(problem(Odd)).toEqual([
      'MCP_SCHEMA_UNSUPPORTED Odd.full is a getter without a setter.',
      'MCP_SCHEMA_UNSUPPORTED Odd.method is a method.',
    ]);
  });

  test('a property with only @Field', () => {
    class Bare {
      @Field({ description: 'D' }) name!: string;
    }
    expect(problem(Bare)).toEqual(['MCP_SCHEMA_UNSUPPORTED @Field on Bare.name says nothing about which values are accepted.']);
  });

  test('a class without any decorator', () => {
    class Empty {
      name!: string;
    }
    expect(problem(Empty)).toEqual(['MCP_SCHEMA_UNSUPPORTED Empty has no property with a decorator of class-validator.']);
    expect(problem(dtoOf({ a: nested(Empty) }))).toEqual([
      'MCP_SCHEMA_UNSUPPORTED Empty has no property with a decorator of class-validator.',
    ]);
  });

  test('@Exclude on the class', () => {
    @Exclude()
    class Hidden {
      @Expose() @cv.IsString() a!: string;
    }
    expect(problem(Hidden)).toEqual(['MCP_SCHEMA_UNSUPPORTED @Exclude on Hidden hides its properties.']);
  });

  test('two properties under one name', () => {
    class Twice {
      @cv.IsString() a!: string;
      @Expose({ name: 'a' }) @cv.IsString() b!: string;
    }
    expect(problem(Twice)).toEqual(['MCP_SCHEMA_UNSUPPORTED @Expose on Twice.b gives two properties one name.']);
  });

  test('what is no class and no schema, as an undefined import is', () => {
    expect(compileInput(null as never, { owner: 'Tool', role: 'input' }, OPTIONS).problems).toMatchObject([{ code: 'MCP_SCHEMA_INVALID' }]);
  });

  test('all problems are reported together, each once', () => {
    class Inner {
      @cv.IsDate() when!: Date;
    }
    class Many {
      @cv.ValidateNested() a!: Child;
      @cv.IsIn([]) b!: string;
      @cv.ValidateNested() @Type(() => Inner) c!: Inner;
      @cv.ValidateNested() @Type(() => Inner) d!: Inner;
    }
    expect(problemsOf(Many).map((each) => each.where)).toEqual([
      'Many.a, input of Tool',
      'Many.b, input of Tool',
      'Inner.when, input of Tool',
    ]);
  });
});

describe('constructors and initial values', () => {
  test('a constructor that throws stops the boot and keeps the cause', () => {
    class Failing {
      @cv.IsString() a!: string;
      constructor() {
        throw new Error('no database');
      }
    }
    expect(problemsOf(Failing)).toMatchObject([
      { code: 'MCP_SCHEMA_UNSUPPORTED', problem: 'The constructor of Failing threw.', cause: new Error('no database') },
    ]);
  });

  test('a constructor with parameters stops the boot', () => {
    class Needy {
      @cv.IsString() a: string;
      constructor(a: string) {
        this.a = a;
      }
    }
    expect(problem(Needy)).toEqual(['MCP_SCHEMA_UNSUPPORTED The constructor of Needy asks for arguments, and a call has none.']);
  });

  test('an initialised property without decorators has a code of its own, in nested classes too', () => {
    class Forgotten {
      @cv.IsString() a!: string;
      times = 1;
      helper = (): number => 1;
    }
    class Outer {
      @cv.ValidateNested() @Type(() => Forgotten) inner!: Forgotten;
    }
    for (const dto of [Forgotten, Outer]) {
      expect(problemsOf(dto)).toMatchObject([
        { code: 'MCP_FIELD_UNDECORATED', where: 'Forgotten.times, input of Tool', fix: expect.stringContaining('@Exclude()') },
      ]);
    }
  });

  test.each<[string, () => new () => object]>([
    [
      '@IsNotEmpty',
      () => {
        class Dto {
          @cv.IsString() @cv.IsNotEmpty() a = '';
        }
        return Dto;
      },
    ],
    [
      '@IsInt',
      () => {
        class Dto {
          @cv.IsInt() a = 1.5;
        }
        return Dto;
      },
    ],
    [
      '@IsString',
      () => {
        class Dto {
          @cv.IsString() a: string | null = null;
        }
        return Dto;
      },
    ],
    [
      '@IsString',
      () => {
        class Dto {
          @cv.IsString({ each: true }) a = [1];
        }
        return Dto;
      },
    ],
  ])('an initial value that %s on its own property refuses stops the boot', (decorator, make) => {
    expect(problem(make())).toEqual([`MCP_SCHEMA_UNSUPPORTED ${decorator} on Dto.a refuses the initial value of its own property.`]);
  });
});

describe('headers', () => {
  const header = (name: string): PropertyDecorator => Field({ header: name });
  test.each<[string, () => PropertyDecorator[]]>([
    ['a number', () => [cv.IsNumber(), header('X')]],
    ['a list', () => [cv.IsString({ each: true }), header('X')]],
    ['a name with a space', () => [cv.IsString(), header('X Y')]],
    ['an empty name', () => [cv.IsString(), header('')]],
  ])('%s in a header stops the boot', (_title, decorators) => {
    expect(problem(dtoOf({ a: decorators() }))[0]).toContain('@Field on Dto.a');
  });

  test('one header twice, or inside a list, stops the boot', () => {
    const inner = dtoOf({ b: [cv.IsString(), header('B')] }, 'Inner');
    expect(problem(dtoOf({ a: [cv.IsString(), header('X')], b: [cv.IsInt(), header('x')] }))[0]).toContain(
      'Two properties have one `header`',
    );
    expect(problem(dtoOf({ list: [cv.ValidateNested({ each: true }), Type(() => inner)] }))[0]).toContain('inside a list');
    expect(problem(dtoOf({ one: [cv.ValidateNested(), Type(() => inner)] }))).toEqual([]);
  });
});

describe('an output class', () => {
  test('may not rename or hide properties, since results are not transformed', () => {
    class Renamed {
      @Expose({ name: 'other' }) @cv.IsString() a!: string;
    }
    class Hidden {
      @Exclude() @cv.IsString() a!: string;
    }
    expect(problem(Renamed, 'output')[0]).toContain('@Expose on Renamed.a renames a property of a result');
    expect(problem(Hidden, 'output')[0]).toContain('@Exclude on Hidden.a hides a property of a result');
  });

  test('is not held to decorators that are for the other direction only', () => {
    class Directed {
      @Transform(({ value }) => value, { toClassOnly: true }) @Exclude({ toClassOnly: true }) @cv.IsString() a!: string;
    }
    expect(problem(Directed, 'output')).toEqual([]);
    expect(problem(Directed, 'input')).toHaveLength(2);
  });
});
