import { Complete, Injectable, McpResource, type McpContext, type ResourceHandler, type VariablesOf } from 'perch-mcp';

// Each `@ts-expect-error` is an assertion: the file does not compile, and the test fails, when the line below it is accepted.

@McpResource({ uri: 'x://static', name: 'x' })
class Fits implements ResourceHandler {
  read(): string {
    return '';
  }
}

@McpResource({ uri: 'x://{id}/{+path}{?page,tags*}', name: 'x' })
class FitsTemplate {
  read(
    { id, path, page, tags }: { id: string; path: string; page?: string | undefined; tags?: readonly string[] | undefined },
    context: McpContext,
  ): string {
    return [id, path, page, tags?.join(), context.era].join();
  }

  list(): { uri: string; name: string }[] {
    return [];
  }
}

const somewhere: string = 'x://{any}';

@McpResource({ uri: somewhere, name: 'x' })
class FitsUnknownTemplate {
  read(variables: Readonly<Record<string, string | readonly string[] | undefined>>): object {
    return variables;
  }
}

// @ts-expect-error -- read is missing
@McpResource({ uri: 'x://a', name: 'x' })
class NoRead {}

// @ts-expect-error -- the template has no such variable
@McpResource({ uri: 'x://{id}', name: 'x' })
class WrongVariable {
  read({ name }: { name: string }): string {
    return name;
  }
}

// @ts-expect-error -- a variable of the query may be missing
@McpResource({ uri: 'x://a{?page}', name: 'x' })
class NeedsOptional {
  read({ page }: { page: string }): string {
    return page;
  }
}

// @ts-expect-error -- an exploded variable is a list
@McpResource({ uri: 'x://{ids*}', name: 'x' })
class WrongList {
  read({ ids }: { ids: string }): string {
    return ids;
  }
}

// @ts-expect-error -- list gives resources
@McpResource({ uri: 'x://{id}', name: 'x' })
class WrongLister {
  read(): string {
    return '';
  }

  list(): string[] {
    return [];
  }
}

// @ts-expect-error -- people read the name
@McpResource({ uri: 'x://a' })
class NoName {
  read(): string {
    return '';
  }
}

@Injectable()
class Methods {
  @McpResource({ uri: 'x://{id}', name: 'x' })
  fits({ id }: { id: string }): Promise<Uint8Array> {
    return Promise.resolve(Buffer.from(id));
  }

  // @ts-expect-error -- id is a string
  @McpResource({ uri: 'x://{id}', name: 'x' })
  wrong({ id }: { id: number }): string {
    return String(id);
  }

  @Complete('id')
  completes(value: string, context: McpContext, others: Readonly<Record<string, string>>): string[] {
    return [value, context.era, ...Object.values(others)];
  }

  // @ts-expect-error -- values are strings
  @Complete('id')
  wrongValues(): number[] {
    return [];
  }

  // @ts-expect-error -- what is completed is a string
  @Complete('id')
  wrongValue(value: number): string[] {
    return [String(value)];
  }
}

test('the types of the variables are read off the template', () => {
  const variables: VariablesOf<'x:{a}{/b*}{?c}'> = { a: '1', b: ['2'] };
  // @ts-expect-error -- a is required
  const lacking: VariablesOf<'x:{a}{/b*}'> = { b: [] };
  const unused = [Fits, FitsTemplate, FitsUnknownTemplate, NoRead, WrongVariable, NeedsOptional, WrongList, WrongLister, NoName, Methods];
  expect([unused.length, variables.a, lacking.b]).toEqual([10, '1', []]);
});

test('a static method is refused by the compiler, and at decoration with the class and the method', () => {
  const resource = (): unknown => {
    class Static {
      // @ts-expect-error -- resources belong to instances
      @McpResource({ uri: 'x://a', name: 'x' })
      static run(): string {
        return '';
      }
    }
    return Static;
  };
  const completer = (): unknown => {
    class Static {
      // @ts-expect-error -- completers belong to instances
      @Complete('a')
      static run(): string[] {
        return [];
      }
    }
    return Static;
  };
  expect(resource).toThrow(/@McpResource\(\{ uri: "x:\/\/a" \}\) stands on the static method Static\.run/);
  expect(completer).toThrow(/@Complete\('a'\) stands on the static method Static\.run\. Put it on an instance method/);
});

test('a completer is refused on a class', () => {
  class Whole {}
  expect(() => (Complete('a') as unknown as ClassDecorator)(Whole)).toThrow(/stands on the class Whole/);
});
