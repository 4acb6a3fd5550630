import { Type } from 'class-transformer';
import * as cv from 'class-validator';
import { inputOf, problemsOf, refusals, valueOf } from './dto';

class Creation {
  @cv.Equals('create') kind!: 'create';
  @cv.IsString() title!: string;
}

class Deletion {
  @cv.Equals('delete') kind!: 'delete';
  @cv.IsInt() id!: number;
  @cv.IsOptional() @cv.IsEmail() report?: string;
}

const subTypes = [
  { name: 'create', value: Creation },
  { name: 'delete', value: Deletion },
];
const Change = (): PropertyDecorator =>
  Type(() => Object, { keepDiscriminatorProperty: true, discriminator: { property: 'kind', subTypes } });

class ChangeInput {
  @cv.ValidateNested() @Change() change!: Creation | Deletion;
  @cv.IsOptional() @cv.ValidateNested({ each: true }) @Change() more?: (Creation | Deletion)[];
}

class OneInput {
  @cv.ValidateNested() @Change() change!: Creation | Deletion;
}

describe('a discriminated member', () => {
  test('B22: is published as oneOf with both branches, each with what it requires, under an object root', () => {
    expect(inputOf(OneInput).schema).toMatchObject({
      type: 'object',
      properties: {
        change: {
          type: 'object',
          oneOf: [
            { properties: { kind: { const: 'create' } }, required: ['kind', 'title'], additionalProperties: false },
            { properties: { kind: { const: 'delete' } }, required: ['kind', 'id'], additionalProperties: false },
          ],
        },
      },
      required: ['change'],
    });
  });

  test('B22: only the branch that is meant speaks', () => {
    expect(refusals(OneInput, { change: { kind: 'delete' } })).toEqual(['change.id is required']);
    expect(refusals(OneInput, { change: { kind: 'create', title: 1, id: 1 } })).toEqual([
      'change.id is not allowed',
      'change.title must be string',
    ]);
    expect(refusals(OneInput, { change: { kind: 'move' } })).toEqual(['change.kind must be one of "create", "delete"']);
    expect(refusals(OneInput, { change: { id: 1 } })).toEqual(['change.kind is required']);
    expect(refusals(OneInput, { change: [] })).toEqual(['change must be object']);
    expect(refusals(OneInput, {})).toEqual(['change is required']);
  });

  test('gives an instance of the class that is meant, also in lists and behind $ref', () => {
    const value = valueOf(ChangeInput, { change: { kind: 'delete', id: 1 }, more: [{ kind: 'create', title: 'a' }] });
    expect(value.change).toBeInstanceOf(Deletion);
    expect(value.change.kind).toBe('delete');
    expect(value.more[0]).toBeInstanceOf(Creation);
    expect(refusals(ChangeInput, { change: { kind: 'delete', id: 1 }, more: [{ kind: 'create' }, { kind: 'x' }] })).toEqual([
      'more[0].title is required',
      'more[1].kind must be one of "create", "delete"',
    ]);
    expect(refusals(ChangeInput, { change: { kind: 'delete', id: 1 }, more: null })).toEqual([]);
  });

  test('runs the constraints of the branch that is meant', () => {
    expect(refusals(OneInput, { change: { kind: 'delete', id: 1, report: 'x' } })).toEqual(['change.report must be an email']);
  });

  test('may be null beside @IsOptional', () => {
    class Maybe {
      @cv.IsOptional() @cv.ValidateNested() @Change() change?: Creation | null;
    }
    expect(valueOf(Maybe, { change: null })).toEqual({ change: null });
    expect(refusals(Maybe, { change: { kind: 'create' } })).toEqual(['change.title is required']);
    expect(refusals(Maybe, { change: 5 })).toEqual(['change must be object or null']);
  });

  test('may contain itself', () => {
    class Leaf {
      @cv.IsInt() value!: number;
    }
    class Sum {
      @cv.ValidateNested({ each: true }) @Term() terms!: unknown[];
    }
    function Term(): PropertyDecorator {
      return (target, property) => {
        const types = [
          { name: 'leaf', value: Leaf },
          { name: 'sum', value: Sum },
        ];
        Type(() => Object, { keepDiscriminatorProperty: true, discriminator: { property: 'op', subTypes: types } })(target, property);
      };
    }
    class Expression {
      @cv.ValidateNested() @Term() root!: unknown;
    }
    const { schema } = inputOf(Expression);
    expect(Object.keys(schema.$defs as object).sort()).toEqual(['Leaf', 'Sum']);
    const value = valueOf(Expression, {
      root: {
        op: 'sum',
        terms: [
          { op: 'leaf', value: 1 },
          { op: 'sum', terms: [] },
        ],
      },
    });
    expect(value.root.terms[0]).toBeInstanceOf(Leaf);
    expect(value.root.terms[1]).toEqual({ op: 'sum', terms: [] });
    expect(refusals(Expression, { root: { op: 'sum', terms: [{ op: 'leaf', value: 'x' }, { op: 'sum' }] } })).toEqual([
      'root.terms[0].value must be integer',
      'root.terms[1].terms is required',
    ]);
  });

  test('a discriminator that no class declares is kept only when asked for', () => {
    class Bare {
      @cv.IsInt() n!: number;
    }
    const types = [{ name: 'bare', value: Bare }];
    class Kept {
      @cv.ValidateNested()
      @Type(() => Bare, { keepDiscriminatorProperty: true, discriminator: { property: 'kind', subTypes: types } })
      a!: Bare;
      @cv.ValidateNested() @Type(() => Bare, { discriminator: { property: 'kind', subTypes: types } }) b!: Bare;
    }
    const raw = { kind: 'bare', n: 1 };
    expect(valueOf(Kept, { a: raw, b: raw })).toEqual({ a: { kind: 'bare', n: 1 }, b: { n: 1 } });
    expect(raw).toEqual({ kind: 'bare', n: 1 });
  });

  test('without sub-types, or with one name twice, the boot fails', () => {
    class None {
      @cv.ValidateNested() @Type(() => Object, { discriminator: { property: 'kind', subTypes: [] } }) a!: object;
    }
    class Twice {
      @cv.ValidateNested() @Type(() => Object, { discriminator: { property: 'kind', subTypes: [subTypes[0]!, subTypes[0]!] } }) a!: object;
    }
    for (const dto of [None, Twice])
      expect(problemsOf(dto)).toMatchObject([{ code: 'MCP_SCHEMA_UNSUPPORTED', where: `${dto.name}.a, input of Tool` }]);
  });
});
