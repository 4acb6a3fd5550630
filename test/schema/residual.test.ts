import { Type } from 'class-transformer';
import * as cv from 'class-validator';
import { dtoOf, inputOf, problemsOf, refusals, valueOf } from './dto';

@cv.ValidatorConstraint({ name: 'startsWith' })
class StartsWith implements cv.ValidatorConstraintInterface {
  validate(value: unknown, args: cv.ValidationArguments): boolean {
    return typeof value === 'string' && value.startsWith(String(args.constraints[0]));
  }
  defaultMessage(): string {
    return '$property must start with $constraint1, not with $value';
  }
}

@cv.ValidatorConstraint({ async: true })
class IsFree implements cv.ValidatorConstraintInterface {
  async validate(value: unknown): Promise<boolean> {
    await Promise.resolve();
    return value !== 'taken';
  }
}

const Custom = (
  validate: (value: unknown, args: cv.ValidationArguments) => boolean | Promise<boolean>,
  name = 'mine',
  options: cv.ValidationOptions = {},
): PropertyDecorator => {
  return (target, propertyName) => {
    cv.registerDecorator({ target: target.constructor, propertyName: String(propertyName), name, options, validator: { validate } });
  };
};

describe('custom constraints', () => {
  test('run after the schema, with their arguments and their own message', () => {
    const dto = dtoOf({ word: [cv.IsString(), cv.Validate(StartsWith, ['ab'])] });
    expect(refusals(dto, { word: 'abc' })).toEqual([]);
    expect(refusals(dto, { word: 'xyz' })).toEqual(['word must start with ab, not with xyz']);
    expect(refusals(dto, { word: 5 })).toEqual(['word must be string']);
  });

  test('asynchronous ones are awaited, and bind stays synchronous without them', async () => {
    const dto = dtoOf({ name: [cv.IsString(), cv.Validate(IsFree)] });
    const { binder } = inputOf(dto);
    const waiting = binder.bind({ name: 'taken' });
    expect(waiting).toBeInstanceOf(Promise);
    expect((await waiting).problems).toEqual(['name is not valid (IsFree)']);
    expect((await binder.bind({ name: 'new' })).problems).toBeUndefined();
    expect(binder.bind({ name: 5 })).toEqual({ problems: ['name must be string'] });
  });

  test('with each: true every element is asked, synchronously or not', async () => {
    const dto = dtoOf({
      names: [cv.IsString({ each: true }), cv.Validate(IsFree, { each: true }), Custom((value) => value !== 'no', 'mine', { each: true })],
    });
    const { binder } = inputOf(dto);
    expect((await binder.bind({ names: ['a', 'b'] })).problems).toBeUndefined();
    expect((await binder.bind({ names: ['a', 'taken'] })).problems).toHaveLength(1);
    expect((await binder.bind({ names: ['a', 'no'] })).problems).toHaveLength(1);
  });

  test('see the instance, so that they can compare properties', () => {
    const AtLeast = (other: string): PropertyDecorator =>
      Custom((value, { object }) => (value as number) >= (object as Record<string, number>)[other]!);
    const dto = dtoOf({ from: [cv.IsInt()], to: [cv.IsInt(), AtLeast('from')] });
    expect(refusals(dto, { from: 1, to: 2 })).toEqual([]);
    expect(refusals(dto, { from: 3, to: 2 })).toEqual(['to is not valid (mine)']);
  });

  test('run inside nested classes and lists, with the whole path', () => {
    class Inner {
      @cv.IsString() @cv.Validate(StartsWith, ['a'], { message: 'bad word' }) word!: string;
    }
    class Outer {
      @cv.ValidateNested({ each: true }) @Type(() => Inner) list!: Inner[];
    }
    expect(refusals(Outer, { list: [{ word: 'a' }, { word: 'b' }] })).toEqual(['list[1].word: bad word']);
  });

  test('one that borrows the name of a built-in decorator is still run, and publishes nothing of it', () => {
    const dto = dtoOf({ n: [cv.IsString(), Custom((value) => value === 'x', 'isInt')] });
    expect(inputOf(dto).schema.properties).toEqual({ n: { type: 'string' } });
    expect(refusals(dto, { n: 'x' })).toEqual([]);
    expect(refusals(dto, { n: 'y' })).toEqual(['n is not valid (isInt)']);
  });

  test('a missing value is asked about where the schema does not require it, and not under @IsOptional', () => {
    const asked: unknown[] = [];
    const Ask = (): PropertyDecorator => Custom((value) => asked.push(value) > 0);
    const dto = dtoOf({ any: [cv.Allow(), Ask()], maybe: [cv.IsOptional(), cv.IsString(), Ask()] });
    expect(refusals(dto, {})).toEqual([]);
    expect(refusals(dto, { maybe: null })).toEqual([]);
    expect(asked).toEqual([undefined, undefined]);
  });

  test('@Validate of a class without @ValidatorConstraint stops the boot, since class-validator would run nothing', () => {
    class Nothing {
      validate(): boolean {
        return false;
      }
    }
    expect(problemsOf(dtoOf({ a: [cv.IsString(), cv.Validate(Nothing)] }))).toMatchObject([
      {
        code: 'MCP_SCHEMA_UNSUPPORTED',
        problem: expect.stringContaining('@Nothing on Dto.a'),
        fix: expect.stringContaining('@ValidatorConstraint()'),
      },
    ]);
  });

  test('an error that one throws is passed on: it is a bug, not a refusal', async () => {
    const failing = dtoOf({
      a: [
        cv.IsString(),
        Custom(() => {
          throw new Error('database gone');
        }),
      ],
    });
    expect(() => inputOf(failing).binder.bind({ a: 'x' })).toThrow('database gone');
    const rejecting = dtoOf({
      a: [
        cv.IsString(),
        Custom(async () => {
          throw new Error('database gone');
        }),
      ],
    });
    await expect(inputOf(rejecting).binder.bind({ a: 'x' })).rejects.toThrow('database gone');
  });

  test("a value that makes class-validator's own check throw is refused", () => {
    expect(refusals(dtoOf({ n: [cv.IsNumber({ maxDecimalPlaces: 2 })] }), { n: 1e-7 })).toHaveLength(1);
  });
});

describe('messages', () => {
  test('all tokens are replaced, and a dollar sign in a value replaces nothing', () => {
    const dto = dtoOf({ mail: [cv.IsEmail({}, { message: '$target: $property is not $value' })] });
    expect(refusals(dto, { mail: "$& $property $' x" })).toEqual([expect.stringMatching(/^Dto: mail is not \$& /)]);
  });

  test('a function gets what class-validator gives it', () => {
    const message = jest.fn().mockReturnValue('no');
    const dto = dtoOf({ mail: [cv.IsEmail({}, { message })] });
    expect(refusals(dto, { mail: 'x' })).toEqual(['mail: no']);
    expect(message).toHaveBeenCalledWith(
      expect.objectContaining({
        value: 'x',
        property: 'mail',
        targetName: 'Dto',
        constraints: [expect.any(Object)],
        object: { mail: 'x' },
      }),
    );
  });

  test('a value in a text is cut, and its control characters are escaped', () => {
    const dto = dtoOf({ mail: [cv.IsEmail({}, { message: '$property: $value' })] });
    const [text = ''] = refusals(dto, { mail: `\u001b[2J${'x'.repeat(5_000)}` });
    expect(text.length).toBeLessThan(330);
    expect(text).not.toContain('\u001b');
  });
});

describe('conditions', () => {
  class Conditional {
    @cv.IsBoolean() wanted!: boolean;
    @cv.ValidateIf((each: Conditional) => each.wanted) @cv.IsString() @cv.MinLength(2) name?: string | null;
  }

  test('@ValidateIf publishes the property as optional', () => {
    expect(inputOf(Conditional).schema).toMatchObject({
      properties: { name: { type: ['string', 'null'], minLength: 2 } },
      required: ['wanted'],
    });
  });

  test('while the condition holds the value is needed, and otherwise it may be missing or null', () => {
    expect(refusals(Conditional, { wanted: true, name: 'ab' })).toEqual([]);
    expect(refusals(Conditional, { wanted: true }).length).toBeGreaterThan(0);
    expect(refusals(Conditional, { wanted: true, name: null }).length).toBeGreaterThan(0);
    expect(refusals(Conditional, { wanted: false })).toEqual([]);
    expect(refusals(Conditional, { wanted: false, name: null })).toEqual([]);
  });

  test('what is sent must fit the schema even while the condition does not hold', () => {
    expect(refusals(Conditional, { wanted: false, name: 5 })).toEqual(['name must be string or null']);
  });

  test('a nested object is needed while the condition holds', () => {
    class Inner {
      @cv.IsEmail() mail!: string;
    }
    class Outer {
      @cv.IsBoolean() wanted!: boolean;
      @cv.ValidateIf((each: Outer) => each.wanted) @cv.ValidateNested() @Type(() => Inner) inner?: Inner;
    }
    expect(refusals(Outer, { wanted: true })).toEqual(['inner is required']);
    expect(refusals(Outer, { wanted: false })).toEqual([]);
    expect(refusals(Outer, { wanted: true, inner: { mail: 'x' } })).toEqual(['inner.mail must be an email']);
    expect(valueOf(Outer, { wanted: true, inner: { mail: 'a@b.de' } }).inner).toBeInstanceOf(Inner);
  });

  test('a validateIf option keeps one decorator out of the schema and runs it when it holds', () => {
    const dto = dtoOf({ big: [cv.IsBoolean()], n: [cv.IsInt(), cv.Min(100, { validateIf: (each: { big: boolean }) => each.big })] });
    expect(inputOf(dto).schema.properties).toMatchObject({ n: { type: 'integer', minimum: -(2 ** 53 - 1) } });
    expect(refusals(dto, { big: false, n: 1 })).toEqual([]);
    expect(refusals(dto, { big: true, n: 1 })).toEqual(['n must not be less than 100']);
  });
});
