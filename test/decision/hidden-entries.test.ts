import { IsInt, IsString } from 'class-validator';
import {
  Engine,
  EngineModule,
  Field,
  Injectable,
  McpFactory,
  McpResource,
  McpTool,
  Module,
  Roles,
  RolesGuard,
  Scopes,
  ScopesGuard,
  UseGuards,
  type CanActivate,
  type McpApplication,
  type Principal,
} from 'perch-mcp';
import { closeApps, createApp, overHttp, RecordingLogger } from '../support/app';
import { ask, messageOf, modern } from '../support/wire';
import { CALLERS, openDoors, type RawDoor } from './raw-doors';

afterEach(closeApps);

const resultOf = (text: string): Record<string, unknown> => {
  const { result } = JSON.parse(text.replace(/^[^{]*/, '')) as { result?: Record<string, unknown> };
  if (result === undefined) throw new Error(text);
  return result;
};

async function doorOf(app: McpApplication, era: RawDoor['era'], principal: Principal | undefined): Promise<RawDoor> {
  const found = (await openDoors(app)).find((each) => each.era === era && each.principal === principal && each.name.startsWith('memory'));
  if (found === undefined) throw new Error('No such door');
  return found;
}

@Injectable()
class Mixed {
  @McpTool({ name: 'pub', description: 'd' })
  pub(): string {
    return 'pub';
  }

  @Roles('admin')
  @UseGuards(RolesGuard)
  @McpTool({ name: 'adm', description: 'd' })
  adm(): string {
    return 'adm';
  }
}

test('B13: anonymous, user and admin each see exactly what they may call, at once on one server, and no list is shared by a cache', async () => {
  const doors = await openDoors(await createApp([Mixed]));
  const check = async (door: RawDoor): Promise<void> => {
    const isAdmin = door.principal?.roles?.includes('admin') === true;
    const list = resultOf(await door.ask('tools/list'));
    expect([door.name, (list['tools'] as { name: string }[]).map(({ name }) => name)]).toEqual([
      door.name,
      isAdmin ? ['pub', 'adm'] : ['pub'],
    ]);
    if (door.era === 'modern') expect(list).toMatchObject({ cacheScope: 'private', ttlMs: 0 });
    const called = await door.ask('tools/call', { name: 'adm' });
    if (isAdmin) expect(resultOf(called)).toMatchObject({ content: [{ text: 'adm' }] });
    else expect(called).toBe((await door.ask('tools/call', { name: 'xxx' })).replace('xxx', 'adm'));
  };
  for (let round = 0; round < 5; round += 1) await Promise.all(doors.map(check));
});

const hangs: CanActivate = { canActivate: () => true, canList: () => new Promise<never>(() => undefined) };

@UseGuards(hangs)
@McpTool({ name: 'hangs', description: 'd', timeoutMs: 30 })
class Hanging {
  execute(): string {
    return 'entered';
  }
}

test('F8: a canList that never answers hides, and a call then gets the answer of an unknown tool and not that its time was up', async () => {
  const app = await createApp([Hanging, Mixed], { limits: { callTimeoutMs: 30 } });
  await expect(app.tools.call('hangs')).rejects.toMatchObject({ code: -32602, message: 'Unknown tool: "hangs"' });
  const { ask: askDoor } = await doorOf(app, 'modern', undefined);
  expect((resultOf(await askDoor('tools/list'))['tools'] as { name: string }[]).map(({ name }) => name)).toEqual(['pub']);
});

test.each([undefined, null, 0, 1, 'true', {}, [], Promise.resolve(1), { then: 5 }])(
  'F8: a canList that answers %p hides',
  async (answer) => {
    @UseGuards({ canActivate: () => true, canList: () => answer as unknown as boolean })
    @McpTool({ name: 'hidden', description: 'd' })
    class Hidden {
      execute(): string {
        return 'entered';
      }
    }
    await expect((await createApp([Hidden])).tools.call('hidden')).rejects.toMatchObject({ message: 'Unknown tool: "hidden"' });
  },
);

test('F8: a canList that throws hides without its text, which stands in the log', async () => {
  @UseGuards({
    canActivate: () => true,
    canList: () => {
      throw new Error('SECRET');
    },
  })
  @McpTool({ name: 'hidden', description: 'd' })
  class Hidden {
    execute(): string {
      return 'entered';
    }
  }
  const logger = new RecordingLogger();
  await expect((await createApp([Hidden], { logger })).tools.call('hidden')).rejects.toMatchObject({ message: 'Unknown tool: "hidden"' });
  expect(logger.lines.find(({ level }) => level === 'error')?.details).toEqual([new Error('SECRET')]);
});

class HeaderInput {
  @Field({ header: 'Tenant' }) @IsString() tenant!: string;
}

@Scopes('docs', { hide: true })
@McpTool({ name: 'headed', description: 'd', input: HeaderInput })
class Headed {
  execute(): string {
    return 'entered';
  }
}

test('D18: a hidden tool whose input names a header answers a call without that header like an unknown tool', async () => {
  const url = await overHttp(await createApp([Headed]));
  const [hidden, unknown] = await Promise.all(
    ['headed', 'absent'].map(async (name) => ask(url, modern('tools/call', { name, arguments: { tenant: 'x' } }))),
  );
  expect([hidden?.status, hidden?.text.replaceAll('headed', 'absent')]).toEqual([unknown?.status, unknown?.text]);
  expect(messageOf(unknown as never)).toMatchObject({ error: { code: -32602 } });
});

@UseGuards(ScopesGuard)
@Scopes('docs')
@McpTool({ name: 'scoped', description: 'd' })
class Scoped {
  execute(): string {
    return 'entered';
  }
}

test('D18: ScopesGuard hides from callers without the scopes what @Scopes() alone lists and refuses', async () => {
  const doors = await openDoors(await createApp([Scoped]));
  for (const { ask: askDoor, principal } of doors) {
    const tools = resultOf(await askDoor('tools/list'))['tools'];
    expect(tools).toHaveLength(principal?.scopes.includes('docs') === true ? 1 : 0);
  }
});

@McpResource({ uri: 'doc://{id}', name: 'doc' })
class Docs {
  @Roles('admin')
  @UseGuards(RolesGuard)
  read(): string {
    return 'entered';
  }

  list(): { uri: string; name: string }[] {
    return [{ uri: 'doc://1', name: 'one' }];
  }
}

test('D18: the resources that a template lists are hidden from whoever may not read them', async () => {
  for (const { ask: askDoor, principal } of await openDoors(await createApp([Docs]))) {
    const isAdmin = principal?.roles?.includes('admin') === true;
    expect(resultOf(await askDoor('resources/list'))['resources']).toHaveLength(isAdmin ? 1 : 0);
    expect(resultOf(await askDoor('resources/templates/list'))['resourceTemplates']).toHaveLength(isAdmin ? 1 : 0);
  }
});

class NumberInput {
  @IsInt() n!: number;
}

@UseGuards({ canActivate: () => false })
@McpTool({ name: 'strict', description: 'd', input: NumberInput })
class Strict {
  execute(): string {
    return 'entered';
  }
}

test('F10: who is denied learns nothing of the schema from wrong arguments', async () => {
  for (const { ask: askDoor } of await openDoors(await createApp([Strict]))) {
    const [right, wrong] = [
      await askDoor('tools/call', { name: 'strict', arguments: { n: 1 } }),
      await askDoor('tools/call', { name: 'strict', arguments: { n: 'x' } }),
    ];
    expect(wrong).toBe(right);
    expect(wrong).toContain('"Forbidden"');
  }
});

const entered: string[] = [];

class PlainEngine {
  readonly name = 'n';
  readonly description = 'd';
  readonly version = '1';
  constructor(readonly id: string) {}
  async execute(): Promise<string> {
    entered.push(this.id);
    return Promise.resolve('done');
  }
}

@UseGuards(RolesGuard)
@Roles('admin')
@Engine()
class GuardedEngine extends PlainEngine {}

@Roles('admin')
@Engine()
class UnguardedEngine extends PlainEngine {}

test('D18: engines registered after the start are guarded as their classes say, and denied to everybody where no guard decides', async () => {
  @Module({ imports: [EngineModule.forRoot()], providers: [RolesGuard] })
  class AppModule {}
  const app = await McpFactory.create(AppModule, { name: 't', version: '1', logger: false });
  try {
    const doors = await openDoors(app);
    app.engines.register(new GuardedEngine('guarded'));
    app.engines.register(new UnguardedEngine('unguarded'));
    for (const { ask: askDoor, principal } of doors) {
      entered.length = 0;
      const isAdmin = principal?.roles?.includes('admin') === true;
      expect(await askDoor('tools/call', { name: 'guarded' })).toContain(isAdmin ? 'done' : 'Unknown tool');
      expect(await askDoor('tools/call', { name: 'unguarded' })).toContain('Forbidden');
      expect(entered).toEqual(isAdmin ? ['guarded'] : []);
    }
    expect(CALLERS.some((each) => each?.roles?.includes('admin'))).toBe(true);
  } finally {
    await app.close();
  }
});
