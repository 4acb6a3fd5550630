import { IsString } from 'class-validator';
import { Complete, Injectable, McpPrompt, McpResource, Scope, ToolError, UseGuards, type McpContext } from 'perch-mcp';
import { closeApps, createApp, everyDoor } from '../support/app';

afterEach(closeApps);

class CityArgs {
  @IsString() country!: string;
  @IsString() city!: string;
}

const CITIES: Readonly<Record<string, readonly string[]>> = { it: ['Rome', 'Rimini'], fr: ['Paris', 'Reims'] };

@McpPrompt({ name: 'visit', args: CityArgs })
class Visit {
  get({ city }: CityArgs): string {
    return city;
  }

  @Complete('country')
  async countries(value: string): Promise<string[]> {
    return Promise.resolve(Object.keys(CITIES).filter((country) => country.startsWith(value)));
  }

  @Complete('city')
  cities(value: string, _context: McpContext, others: Readonly<Record<string, string>>): readonly string[] {
    return (CITIES[others['country'] ?? ''] ?? []).filter((city) => city.startsWith(value));
  }
}

@Injectable({ scope: Scope.REQUEST })
class Numbers {
  readonly all = Array.from({ length: 250 }, (_, index) => String(index));
}

@Injectable()
class Many {
  constructor(private readonly numbers: Numbers) {}

  @McpResource({ uri: 'n://{number}/{other}', name: 'n' })
  read({ number }: { number: string; other: string }): string {
    return number;
  }

  @Complete('number')
  complete(): readonly string[] {
    return this.numbers.all;
  }

  @Complete('other')
  fails(): never {
    throw new ToolError('Too early');
  }
}

@McpPrompt({ name: 'plain', args: CityArgs })
class Plain {
  get(): string {
    return '';
  }
}

@McpResource({ uri: 'n://static', name: 'static' })
class Static {
  read(): string {
    return '';
  }
}

const prompt = (name: string): object => ({ type: 'ref/prompt', name });
const resource = (uri: string): object => ({ type: 'ref/resource', uri });
const completion = (values: readonly string[], total = values.length): object => ({
  completion: { values, total, hasMore: total > values.length },
});

test.each([
  [{ ref: prompt('visit'), argument: { name: 'country', value: 'f' } }, completion(['fr'])],
  [
    { ref: prompt('visit'), argument: { name: 'city', value: 'R' }, context: { arguments: { country: 'it' } } },
    completion(['Rome', 'Rimini']),
  ],
  [{ ref: prompt('visit'), argument: { name: 'city', value: 'R' } }, completion([])],
  [{ ref: prompt('visit'), argument: { name: 'nothing', value: '' } }, completion([])],
  [{ ref: prompt('plain'), argument: { name: 'city', value: '' } }, completion([])],
  [{ ref: resource('n://static'), argument: { name: 'x', value: '' } }, completion([])],
  [
    { ref: resource('n://{number}/{other}'), argument: { name: 'number', value: '' } },
    completion(
      Array.from({ length: 100 }, (_, index) => String(index)),
      250,
    ),
  ],
])('completion/complete with %j [completion.values]', async (params, expected) => {
  for (const door of await everyDoor(await createApp([Visit, Numbers, Many, Plain, Static]))) {
    expect([door.name, (await door.ask('completion/complete', params as Record<string, unknown>)).result]).toEqual([
      door.name,
      expect.objectContaining(expected),
    ]);
  }
});

test.each([
  { ref: prompt('nothing'), argument: { name: 'a', value: '' } },
  { ref: resource('n://nothing'), argument: { name: 'a', value: '' } },
  { ref: { type: 'ref/tool', name: 'x' }, argument: { name: 'a', value: '' } },
  { ref: { type: 'ref/prompt' }, argument: { name: 'a', value: '' } },
  { ref: prompt('visit') },
  { ref: prompt('visit'), argument: { name: 'city' } },
  { ref: prompt('visit'), argument: { name: 'city', value: '' }, context: { arguments: { country: 5 } } },
  {},
])('A32: completion/complete with %j is answered -32602 [completion.invalid]', async (params) => {
  for (const door of await everyDoor(await createApp([Visit]))) {
    expect([door.name, (await door.ask('completion/complete', params)).error?.code]).toEqual([door.name, -32602]);
  }
});

test('a ToolError of a completer is answered -32603 with its text', async () => {
  for (const door of await everyDoor(await createApp([Numbers, Many]))) {
    const { error } = await door.ask('completion/complete', {
      ref: resource('n://{number}/{other}'),
      argument: { name: 'other', value: '' },
    });
    expect([door.name, error]).toEqual([door.name, { code: -32603, message: 'Too early' }]);
  }
});

@Injectable()
class Guarded {
  @UseGuards({ canActivate: () => false })
  @McpPrompt({ name: 'guarded', args: CityArgs })
  get(): string {
    return '';
  }

  @Complete('city')
  cities(): string[] {
    return ['SECRET'];
  }
}

test.each(['city', 'country'])(
  'the guards of a prompt stand before the completion of "%s" too, and what they hide is unknown',
  async (name) => {
    for (const door of await everyDoor(await createApp([Guarded]))) {
      const { error } = await door.ask('completion/complete', { ref: prompt('guarded'), argument: { name, value: '' } });
      expect([door.name, error]).toEqual([door.name, { code: -32602, message: 'Unknown prompt: "guarded"' }]);
    }
  },
);

test('what is registered at run time is completed by functions', async () => {
  const app = await createApp([]);
  app.prompts.register({ name: 'late', args: CityArgs, get: () => '', complete: { city: (value) => [`${value}!`] } });
  app.resources.register({ uri: 'late://{id}', name: 'late', read: () => '', complete: { id: () => ['1'] } });
  for (const door of await everyDoor(app)) {
    expect((await door.ask('completion/complete', { ref: prompt('late'), argument: { name: 'city', value: 'Ro' } })).result).toMatchObject(
      completion(['Ro!']),
    );
    expect(
      (await door.ask('completion/complete', { ref: resource('late://{id}'), argument: { name: 'id', value: '' } })).result,
    ).toMatchObject(completion(['1']));
  }
});

test('the boot is refused for a completer of an argument that nothing has, that another completes, or in a class without prompts', async () => {
  @McpPrompt({ name: 'p', args: CityArgs })
  class Wrong {
    get(): string {
      return '';
    }
    @Complete('town')
    town(): string[] {
      return [];
    }
  }
  @McpPrompt({ name: 'q', args: CityArgs })
  class Twice {
    get(): string {
      return '';
    }
    @Complete('city')
    one(): string[] {
      return [];
    }
    @Complete('city')
    two(): string[] {
      return [];
    }
  }
  @Injectable()
  class Nothing {
    @Complete('city')
    city(): string[] {
      return [];
    }
  }
  for (const type of [Wrong, Twice, Nothing]) {
    await expect(createApp([type])).rejects.toMatchObject({
      code: 'MCP_COMPLETE_ARGUMENT',
      message: expect.stringContaining(type.name) as string,
    });
  }
});
