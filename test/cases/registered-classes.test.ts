import {
  Injectable,
  McpSetupError,
  PromptRegistry,
  ResourceRegistry,
  ToolRegistry,
  UseGuards,
  UseInterceptors,
  type CanActivate,
  type ExecutionContext,
  type McpApplication,
  type Type,
  type UriVariables,
} from 'perch-mcp';
import { closeApps, createApp, everyDoor } from '../support/app';

afterEach(closeApps);

let ran: string[] = [];
beforeEach(() => {
  ran = [];
});

@Injectable()
class Deny implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    ran.push(context.switchToMcp().operation);
    return false;
  }
}

class Tool {
  readonly name = 'tool';
  readonly description = 'd';
  execute(): string {
    ran.push('entered');
    return 'secret';
  }
}

class Notes {
  readonly uri = 'notes://{id}';
  readonly name = 'notes';
  readonly complete = { id: () => (ran.push('entered'), ['secret']) };
  read(_variables: UriVariables): string {
    ran.push('entered');
    return 'secret';
  }
  list() {
    ran.push('entered');
    return [{ uri: 'notes://secret', name: 'secret' }];
  }
}

class Review {
  readonly name = 'review';
  readonly complete = { topic: () => (ran.push('entered'), ['secret']) };
  get(): string {
    ran.push('entered');
    return 'secret';
  }
}

type Definition = Type<any>;

/** A subclass with this guard, so that no test decorates what another one uses. */
function guarded(type: Definition): Definition {
  class Guarded extends type {}
  UseGuards(Deny)(Guarded);
  return Guarded;
}

function registerAll(
  { tools, resources, prompts }: Pick<McpApplication, 'tools' | 'resources' | 'prompts'>,
  of: (type: Definition) => Definition,
): void {
  tools.register(new (of(Tool))() as Tool);
  resources.register(new (of(Notes))() as Notes);
  prompts.register(new (of(Review))() as Review);
}

const REGISTRIES = [ToolRegistry, ResourceRegistry, PromptRegistry];
type Registries = [ToolRegistry, ResourceRegistry, PromptRegistry];

const WAYS: readonly (readonly [string, (of: (type: Definition) => Definition, providers: readonly Type[]) => Promise<McpApplication>])[] =
  [
    [
      'at run time',
      async (of, providers) => {
        const app = await createApp(providers);
        registerAll(app, of);
        return app;
      },
    ],
    [
      'while providers are built',
      (of, providers) => {
        const useFactory = (...[tools, resources, prompts]: Registries): void => registerAll({ tools, resources, prompts }, of);
        return createApp([{ provide: 'plugin', useFactory, inject: REGISTRIES }, ...providers]);
      },
    ],
    [
      'by a start hook',
      (of, providers) => {
        const useFactory = (...[tools, resources, prompts]: Registries) => ({
          onModuleInit: () => registerAll({ tools, resources, prompts }, of),
        });
        return createApp([{ provide: 'plugin', useFactory, inject: REGISTRIES }, ...providers]);
      },
    ],
    [
      'as copies of what was registered',
      async (of, providers) => {
        const app = await createApp(providers);
        registerAll(app, of);
        const [tool, notes, review] = [app.tools.get('tool')!, app.resources.get('notes://{id}')!, app.prompts.get('review')!];
        app.tools.unregister('tool');
        app.resources.unregister('notes://{id}');
        app.prompts.unregister('review');
        app.tools.register({ ...tool });
        app.resources.register({ ...notes });
        app.prompts.register({ ...review });
        return app;
      },
    ],
  ];

const UNKNOWN = { error: { code: -32602 } };

test.each(WAYS)(
  'D18: instances that are registered %s are never entered past the guards of their class, by any operation',
  async (_way, serve) => {
    const app = await serve(guarded, [Deny]);
    for (const door of await everyDoor(app)) {
      ran = [];
      expect(await door.ask('tools/call', { name: 'tool' })).toMatchObject({ result: { isError: true, content: [{ text: 'Forbidden' }] } });
      expect(await door.ask('resources/read', { uri: 'notes://1' })).toMatchObject(UNKNOWN);
      expect((await door.ask('resources/list')).result?.['resources']).toEqual([]);
      expect(await door.ask('prompts/get', { name: 'review' })).toMatchObject(UNKNOWN);
      const complete = (ref: object, name: string) => door.ask('completion/complete', { ref, argument: { name, value: '' } });
      expect(await complete({ type: 'ref/resource', uri: 'notes://{id}' }, 'id')).toMatchObject(UNKNOWN);
      expect(await complete({ type: 'ref/prompt', name: 'review' }, 'topic')).toMatchObject(UNKNOWN);
      expect(ran).toEqual(['call', 'read', 'list', 'get', 'complete', 'complete']);
    }
  },
);

test.each(WAYS)('instances without guards that are registered %s are served', async (_way, serve) => {
  const app = await serve((type) => type, []);
  for (const door of await everyDoor(app)) {
    expect(await door.ask('tools/call', { name: 'tool' })).toMatchObject({ result: { content: [{ text: 'secret' }] } });
    expect(await door.ask('resources/read', { uri: 'notes://1' })).toMatchObject({ result: { contents: [{ text: 'secret' }] } });
    expect((await door.ask('resources/list')).result?.['resources']).toMatchObject([{ uri: 'notes://secret' }]);
    expect(await door.ask('prompts/get', { name: 'review' })).toMatchObject({ result: { messages: [{ content: { text: 'secret' } }] } });
  }
});

test('D18: an instance whose guard cannot be found is refused, and nothing has changed', async () => {
  const app = await createApp([]);
  for (const register of [
    () => app.tools.register(new (guarded(Tool))() as Tool),
    () => app.resources.register(new (guarded(Notes))() as Notes),
    () => app.prompts.register(new (guarded(Review))() as Review),
  ]) {
    expect(register).toThrow(McpSetupError);
    expect(register).toThrow(/MCP_PROVIDER_UNREACHED: Deny among the guards of Guarded/);
  }
  expect([app.tools.list(), app.resources.list(), app.prompts.list()]).toEqual([[], [], []]);
});

test('the guard of one method stands before that method only, also where instances are registered', async () => {
  class Guarded extends Notes {
    @UseGuards(Deny)
    override list() {
      return super.list();
    }
  }
  const app = await createApp([Deny]);
  app.resources.register(new Guarded());
  for (const door of await everyDoor(app)) {
    expect((await door.ask('resources/list')).result?.['resources']).toEqual([]);
    expect(await door.ask('resources/read', { uri: 'notes://1' })).toMatchObject({ result: { contents: [{ text: 'secret' }] } });
  }
});

test('a tool whose own fields are called target and engine is a tool like any other', async () => {
  class Deploy extends Tool {
    readonly target = 'production';
    readonly engine = { name: 'v8' };
    readonly completers = [];
    override execute(): string {
      return `${this.target} on ${this.engine.name}`;
    }
  }
  const seen: unknown[] = [];
  UseInterceptors({ intercept: (context: ExecutionContext, next: () => unknown) => (seen.push(context.getClass()), next()) })(Deploy);
  const app = await createApp([]);
  // The compiler would not have it; plain JavaScript would.
  app.tools.register(new Deploy() as never);
  for (const door of await everyDoor(app)) {
    expect(await door.ask('tools/call', { name: 'tool' })).toMatchObject({ result: { content: [{ text: 'production on v8' }] } });
  }
  expect(new Set(seen)).toEqual(new Set([Deploy]));
});
