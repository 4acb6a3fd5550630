import { bootContainer, problemsOf } from './boot';
import { Inject } from '../../src/decorators/inject';
import { Injectable } from '../../src/decorators/injectable';
import { McpTool } from '../../src/decorators/mcp-tool';
import { Module } from '../../src/decorators/module';

@Injectable()
class Database {
  readonly kind: string = 'real';
}

@Injectable()
class Service {
  constructor(readonly database: Database) {}
}

@Module({ providers: [Database], exports: [Database] })
class DatabaseModule {}

const root = { imports: [DatabaseModule], providers: [Service] };

test('a provider is replaced wherever it is provided, by a value (also undefined), a class or a factory', async () => {
  class Fake extends Database {
    override readonly kind = 'fake';
  }
  const get = async (stand: object) =>
    (await bootContainer(root, { overrides: { providers: new Map([[Database, stand as never]]) } })).get(Service).database;
  expect(await get({ useValue: { kind: 'value' } })).toEqual({ kind: 'value' });
  expect(await get({ useValue: undefined })).toBeUndefined();
  expect(await get({ useClass: Fake })).toMatchObject({ kind: 'fake' });
  expect(await get({ useFactory: async () => Promise.resolve({ kind: 'factory' }) })).toEqual({ kind: 'factory' });
});

test('a module is replaced by its class, its dynamic forms too', async () => {
  @Module({ providers: [{ provide: Database, useValue: { kind: 'other module' } }], exports: [Database] })
  class OtherModule {}
  const overrides = { modules: new Map([[DatabaseModule, OtherModule]]) };
  expect((await bootContainer(root, { overrides })).get(Service).database.kind).toBe('other module');
  const dynamic = { imports: [{ module: DatabaseModule, providers: [] }], providers: [Service] };
  expect((await bootContainer(dynamic, { overrides })).get(Service).database.kind).toBe('other module');
});

test('what is missing is made by the mocker once for all modules, and stays missing where it gives nothing', async () => {
  const asked: unknown[] = [];
  const mocker = (token: unknown): unknown => {
    asked.push(token);
    return token === Database ? { kind: 'mock' } : undefined;
  };
  @Module({ providers: [{ provide: 'other', useExisting: Database }], exports: ['other'] })
  class Other {}
  const container = await bootContainer({ imports: [Other], providers: [Service] }, { overrides: { mocker } });
  expect(container.get(Service).database).toEqual({ kind: 'mock' });
  expect(container.get('other')).toBe(container.get(Service).database);
  expect(asked).toEqual([Database]);
  @Injectable()
  class Needing {
    constructor(@Inject('nothing') readonly nothing: string) {}
  }
  expect(await problemsOf({ providers: [Needing] }, { overrides: { mocker } })).toMatchObject([{ code: 'MCP_DEPENDENCY_UNRESOLVED' }]);
});

test('overrides that match nothing are told, with the tokens there are', async () => {
  class Nowhere {}
  const overrides = { providers: new Map([['nope', { provide: 'nope', useValue: 1 }]]), modules: new Map([[Nowhere, DatabaseModule]]) };
  const container = await bootContainer(root, { overrides });
  expect(container.unusedOverrides).toEqual(['nope', Nowhere]);
  expect(container.tokens).toEqual(expect.arrayContaining([Database, Service]));
});

test('a tool class that is replaced by a value keeps its place in the list', async () => {
  @McpTool({ name: 'a', description: 'a' })
  class Tool {
    execute(): string {
      return 'real';
    }
  }
  const stand = { execute: () => 'stand-in' };
  const container = await bootContainer(
    { providers: [Tool] },
    { overrides: { providers: new Map([[Tool, { provide: Tool, useValue: stand }]]) } },
  );
  expect(container.discover().map((each) => [each.declaration.options.name, each.target.provider.get()])).toEqual([['a', stand]]);
});
