import { Type } from 'class-transformer';
import { Equals, IsBoolean, IsInt, IsNumber, IsObject, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { Injectable, McpTool, type McpApplication } from 'perch-mcp';
import { closeApps, createApp, everyDoor, type Door } from '../support/app';

let entered: unknown[] = [];

beforeEach(() => {
  entered = [];
});

afterEach(closeApps);

class AllOptional {
  @IsOptional() @IsString() note?: string;
  @IsOptional() @IsInt() count = 7;
}

class Pair {
  @IsInt() @Min(1) a!: number;
  @IsInt() @Min(1) b!: number;
}

class Plain {
  @IsBoolean() dryRun!: boolean;
  @IsNumber() n!: number;
  @IsString() s!: string;
}

class Child {
  @IsInt() v!: number;
}

class Parent {
  @ValidateNested() @Type(() => Child) c!: Child;
}

class FreeForm {
  @IsString() text!: string;
  @IsOptional() @IsObject() free?: Record<string, unknown>;
}

abstract class Command {
  abstract kind: string;
}

class Create extends Command {
  @Equals('create') kind = 'create';
  @IsString() title!: string;
}

class Delete extends Command {
  @Equals('delete') kind = 'delete';
  @IsInt() id!: number;
}

class Union {
  @ValidateNested()
  @Type(() => Command, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'create', value: Create },
        { name: 'delete', value: Delete },
      ],
    },
  })
  command!: Create | Delete;
}

@Injectable()
class Tools {
  @McpTool({ name: 'optional', description: 'd', input: AllOptional })
  optional(input: AllOptional): string {
    entered.push(input);
    return String(input.count);
  }

  @McpTool({ name: 'pair', description: 'd', input: Pair })
  pair(input: Pair): number {
    entered.push(input);
    return input.a + input.b;
  }

  @McpTool({ name: 'plain', description: 'd', input: Plain })
  plain(input: Plain): string {
    entered.push(input);
    return 'ok';
  }

  @McpTool({ name: 'parent', description: 'd', input: Parent })
  parent(input: Parent): string {
    entered.push(input);
    return input.c.constructor.name;
  }

  @McpTool({ name: 'free', description: 'd', input: FreeForm })
  free(input: FreeForm): string {
    entered.push(input);
    return 'ok';
  }

  @McpTool({ name: 'union', description: 'd', input: Union })
  union(input: Union): string {
    entered.push(input);
    return input.command.constructor.name;
  }
}

async function open(): Promise<{ app: McpApplication; doors: readonly Door[] }> {
  const app = await createApp([Tools]);
  return { app, doors: await everyDoor(app) };
}

/** The text of a tool result, and whether it failed. */
async function call(door: Door, name: string, args?: unknown): Promise<{ text: string; isError: boolean; code: number | undefined }> {
  const answer = await door.ask('tools/call', args === undefined ? { name } : { name, arguments: args });
  const content = (answer.result?.['content'] ?? []) as readonly { text: string }[];
  return { text: content.map(({ text }) => text).join(''), isError: answer.result?.['isError'] === true, code: answer.error?.code };
}

test('B17: a tool whose fields are all optional runs with its defaults when arguments are absent', async () => {
  const { doors } = await open();
  for (const door of doors) {
    expect(await call(door, 'optional')).toMatchObject({ text: '7', isError: false });
    expect(await call(door, 'optional', {})).toMatchObject({ text: '7', isError: false });
    for (const wrong of [null, [], 'x']) expect([door.name, (await call(door, 'optional', wrong)).code]).toEqual([door.name, -32602]);
  }
  expect(entered).toHaveLength(2 * doors.length);
});

test('B18: what the schema publishes is what is enforced, unknown keys included', async () => {
  const { app, doors } = await open();
  const [list] = await Promise.all(doors.slice(0, 1).map((door) => door.ask('tools/list')));
  const tools = list?.result?.['tools'] as readonly { name: string; inputSchema: Record<string, unknown> }[];
  expect(tools.find(({ name }) => name === 'pair')?.inputSchema).toMatchObject({
    properties: { a: { type: 'integer', minimum: 1 } },
    required: ['a', 'b'],
    additionalProperties: false,
  });
  for (const door of doors) {
    expect((await call(door, 'pair', { a: 0, b: 2 })).text).toBe('a must be >= 1');
    expect((await call(door, 'pair', { a: '2', b: 2 })).text).toMatch(/^a must be/);
    expect((await call(door, 'pair', {})).text).toMatch(/^a .*\nb /);
    expect((await call(door, 'pair', { a: 1, b: 2, zz: 1 })).text).toMatch(/zz/);
  }
  expect(entered).toEqual([]);
  expect(await app.tools.call('pair', { a: 1, b: 2 })).toMatchObject({ content: [{ text: '3' }] });
});

test('B19: nothing is coerced', async () => {
  const { doors } = await open();
  for (const door of doors) {
    const { text, isError } = await call(door, 'plain', { dryRun: 'false', n: 'abc', s: { x: 1 } });
    expect(isError).toBe(true);
    expect(text.split('\n').map((line) => line.split(' ')[0])).toEqual(['dryRun', 'n', 's']);
  }
  expect(entered).toEqual([]);
});

test('B20: an array, an empty array, null or nothing where one object is declared is refused', async () => {
  const { doors } = await open();
  for (const door of doors) {
    for (const args of [{ c: [{ v: 1 }] }, { c: [] }, {}, { c: null }]) {
      expect(await call(door, 'parent', args)).toMatchObject({ isError: true, text: expect.stringMatching(/^c /) as string });
    }
    expect(await call(door, 'parent', { c: { v: 1 } })).toMatchObject({ isError: false, text: 'Child' });
  }
  expect(entered).toHaveLength(doors.length);
});

test('B21, A13: keys that reach for prototypes are refused at every depth', async () => {
  const { doors } = await open();
  const hostile = [
    '{"text":"a","__proto__":{"admin":true}}',
    '{"text":"a","constructor":{"prototype":{"p":1}}}',
    '{"text":"a","free":{"__proto__":{"admin":true}}}',
    '{"text":"a","free":{"list":[{"constructor":{"prototype":{"p":1}}}]}}',
  ].map((text) => JSON.parse(text) as unknown);
  for (const door of doors) {
    for (const args of hostile) expect(await call(door, 'free', args)).toMatchObject({ isError: true });
  }
  expect(entered).toEqual([]);
  expect([({} as { admin?: unknown }).admin, ({} as { p?: unknown }).p]).toEqual([undefined, undefined]);
});

test('B22: a discriminated union is published as one and enforced branch by branch', async () => {
  const { doors } = await open();
  const list = await doors[0]?.ask('tools/list');
  const tools = list?.result?.['tools'] as readonly {
    name: string;
    inputSchema: { type: string; properties: { command: { oneOf: unknown[] } } };
  }[];
  const schema = tools.find(({ name }) => name === 'union')?.inputSchema;
  expect(schema?.type).toBe('object');
  expect(JSON.stringify(schema)).toContain('"oneOf"');
  for (const door of doors) {
    expect(await call(door, 'union', { command: { kind: 'delete' } })).toMatchObject({
      isError: true,
      text: expect.stringContaining('id') as string,
    });
    expect(await call(door, 'union', { command: { kind: 'delete', id: 1 } })).toMatchObject({ isError: false, text: 'Delete' });
    expect(await call(door, 'union', { command: { kind: 'create', title: 'x' } })).toMatchObject({ isError: false, text: 'Create' });
    expect(await call(door, 'union', { command: { kind: 'other' } })).toMatchObject({ isError: true });
  }
});
