import { IsInt, IsString } from 'class-validator';
import { Injectable, McpSetupError, McpTool, type Type } from 'perch-mcp';
import { closeApps, createApp, everyDoor } from '../support/app';

afterEach(closeApps);

async function namesOf(...providers: Type[]): Promise<readonly string[]> {
  return (await createApp(providers)).tools.list().map(({ name }) => name);
}

async function refusal(...providers: Type[]): Promise<McpSetupError> {
  const error: unknown = await createApp(providers).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof McpSetupError) return error;
  throw new Error(`The boot was not refused: ${String(error)}`);
}

@McpTool({ name: 'now', description: 'Tells the time' })
class NowTool {
  execute(): string {
    return 'now';
  }
}

test('B03: a tool without input publishes an object schema and runs with and without arguments [tools.no-input]', async () => {
  for (const door of await everyDoor(await createApp([NowTool]))) {
    const { result } = await door.ask('tools/list');
    expect(result?.['tools']).toEqual([
      { name: 'now', description: 'Tells the time', inputSchema: { type: 'object', additionalProperties: false } },
    ]);
    for (const params of [{ name: 'now' }, { name: 'now', arguments: {} }]) {
      expect((await door.ask('tools/call', params)).result).toMatchObject({ content: [{ type: 'text', text: 'now' }] });
    }
    expect((await door.ask('tools/call', { name: 'now', arguments: { zone: 'UTC' } })).result).toMatchObject({ isError: true });
  }
});

@Injectable()
class Calc {
  @McpTool({ name: 'add', description: 'Adds' })
  add(): string {
    return `added by ${this.constructor.name}`;
  }
}

test('B05: a tool class behind a proxy is found and called through the proxy', async () => {
  const seen: PropertyKey[] = [];
  const proxied = (): Calc =>
    new Proxy(new Calc(), {
      get(target, key, receiver): unknown {
        seen.push(key);
        return Reflect.get(target, key, receiver);
      },
    });
  for (const door of await everyDoor(await createApp([{ provide: 'calc', useFactory: proxied }]))) {
    expect((await door.ask('tools/call', { name: 'add' })).result).toMatchObject({ content: [{ text: 'added by Calc' }] });
  }
  expect(seen).toContain('add');
});

test('B05: an instance of a mixin is found under its own token', async () => {
  const mixin = (base: Type<Calc>): Type<Calc> => class Mixed extends base {};
  const app = await createApp([{ provide: 'mixed', useFactory: () => new (mixin(Calc))() }]);
  expect(await app.tools.call('add')).toMatchObject({ content: [{ text: 'added by Mixed' }] });
});

test('B05: two registrations of one tool under two tokens are refused, and both are named', async () => {
  const boot = createApp([
    { provide: 'first', useFactory: () => new Proxy(new Calc(), {}) },
    { provide: 'second', useFactory: () => new Calc() },
  ]);
  await expect(boot).rejects.toMatchObject({
    code: 'MCP_TOOL_DUPLICATE',
    message: expect.stringMatching(/first[\s\S]*second|second[\s\S]*first/) as string,
  });
});

function search(name: string, label: string): Type {
  const tool = {
    [label]: class {
      execute(): string {
        return label;
      }
    },
  }[label] as Type<{ execute: () => string }>;
  McpTool({ name, description: 'Searches' })(tool);
  return tool;
}

test('B06: two classes with one tool name are refused and both named; names that differ in case are two tools', async () => {
  const error = await refusal(search('search', 'CatalogSearch'), search('search', 'ArchiveSearch'));
  expect(error.problems).toHaveLength(1);
  expect(error.code).toBe('MCP_TOOL_DUPLICATE');
  for (const text of ['CatalogSearch', 'ArchiveSearch', 'Tool already registered: "search"']) expect(error.message).toContain(text);
  const app = await createApp([search('search', 'Lower'), search('Search', 'Upper')]);
  expect(await app.tools.call('search')).toMatchObject({ content: [{ text: 'Lower' }] });
  expect(await app.tools.call('Search')).toMatchObject({ content: [{ text: 'Upper' }] });
});

test('B06: the same two classes on two servers boot', async () => {
  const [first, second] = [search('search', 'CatalogSearch'), search('search', 'ArchiveSearch')];
  expect([await namesOf(first), await namesOf(second)]).toEqual([['search'], ['search']]);
});

class WithText {
  @IsString() text!: string;
}

class WithCount {
  @IsInt() count!: number;
}

@Injectable()
class Base {
  @McpTool({ name: 'a', description: 'd', input: WithText })
  a(_input: object): string {
    return `a of ${this.constructor.name}`;
  }
}

@Injectable()
class S1 extends Base {
  @McpTool({ name: 'b', description: 'd' })
  b(): string {
    return 'b';
  }
}

@Injectable()
class S2 extends Base {
  @McpTool({ name: 'c', description: 'd' })
  c(): string {
    return 'c';
  }
}

@Injectable()
class Overrides extends Base {
  @McpTool({ name: 'a', description: 'd', input: WithCount })
  override a(): string {
    return 'other';
  }
}

test('B08: a subclass lists what it inherits and what it adds, and changes neither its base nor its siblings', async () => {
  expect([await namesOf(S1), await namesOf(S2), await namesOf(Base)]).toEqual([['a', 'b'], ['a', 'c'], ['a']]);
  const app = await createApp([S1]);
  expect(await app.tools.call('a', { text: 'x' })).toMatchObject({ content: [{ text: 'a of S1' }] });
});

test('B08: overriding a tool with another input changes the subclass only', async () => {
  const [changed, kept] = [await createApp([Overrides]), await createApp([Base])];
  expect(await changed.tools.call('a', { count: 1 })).toMatchObject({ content: [{ text: 'other' }] });
  expect(await changed.tools.call('a', { text: 'x' })).toMatchObject({ isError: true });
  expect(await kept.tools.call('a', { text: 'x' })).toMatchObject({ content: [{ text: 'a of Base' }] });
});
